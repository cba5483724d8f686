// Threads of the service hang or die in mid call.
import { THREAD_FAULTS_SHORT } from '../../../bench/rig/faults/threads.ts';
import { nightly } from '../../support/nightly.ts';
import { testFault } from './fault-test.ts';

for (const [index, fault] of THREAD_FAULTS_SHORT.entries()) testFault(fault, index > 0 && nightly);
