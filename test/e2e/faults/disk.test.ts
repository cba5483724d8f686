// A database that cannot be written for a while, under running calls: nothing that was accepted is lost.
import { DISK_FAULTS } from '../../../bench/faults/disk.ts';
import { testFault } from '../../support/fault-test.ts';

for (const fault of DISK_FAULTS) testFault(fault);
