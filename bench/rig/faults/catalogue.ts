// Every fault, in the order of the bench.
import { CLOCK_FAULTS } from './clock.ts';
import { DARK_LONG } from './dark-peers.ts';
import { DISK_FAULTS } from './disk.ts';
import type { Fault } from './fault.ts';
import { THREAD_FAULTS } from './threads.ts';

export const FAULTS: readonly Fault[] = [...DISK_FAULTS, ...CLOCK_FAULTS, ...THREAD_FAULTS, DARK_LONG];

/** During this fault, the bench also measures the API's other answers. */
export const LOCK_FAULT = 'write lock held';
