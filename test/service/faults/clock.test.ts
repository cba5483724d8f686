// The system clock steps under the running service. Durations, pace and deadlines keep to the monotonic clock.
import { CLOCK_FAULTS } from '../../../bench/rig/faults/clock.ts';
import { nightly } from '../../support/nightly.ts';
import { testFault } from './fault-test.ts';

for (const [index, fault] of CLOCK_FAULTS.entries()) testFault(fault, index > 0 && nightly);
