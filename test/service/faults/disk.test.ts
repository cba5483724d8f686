// A database that cannot be written for a while, under running calls: nothing that was accepted is lost.
// `npm run bench -- faults` has a read-only disk and a slow one besides.
import { DISK_FAULTS_SHORT } from '../../../bench/rig/faults/disk.ts';
import { nightly } from '../../support/nightly.ts';
import { testFault } from './fault-test.ts';

for (const [index, fault] of DISK_FAULTS_SHORT.entries()) testFault(fault, index === 0 && nightly);
