// Threads of the service hang or die in mid call.
import { THREAD_FAULTS_SHORT } from '../../../bench/rig/faults/threads.ts';
import { testFault } from './fault-test.ts';

for (const fault of THREAD_FAULTS_SHORT) testFault(fault);
