// Every fault, in the order in which the bench goes through them.
import { CLOCK_FAULTS } from './clock.ts';
import { DARK_LONG } from './dark-peers.ts';
import { DISK_FAULTS } from './disk.ts';
import type { Fault } from './fault.ts';
import { THREAD_FAULTS } from './threads.ts';

export const FAULTS: readonly Fault[] = [...DISK_FAULTS, ...CLOCK_FAULTS, ...THREAD_FAULTS, DARK_LONG];

/** Measured beside it: how the API answers others meanwhile. */
export const LOCK_FAULT = 'write lock held';
