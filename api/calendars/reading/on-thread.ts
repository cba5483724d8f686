// Busy times out of calendar texts, on a thread with limits of time and memory.
import { onLimitedThread } from '../../threads/limited-thread.ts';
import { CalendarFailed } from '../servers/calendar-failed.ts';
import type { Wanted } from './busy-times.ts';
import type { BusyTimesRead, BusyTimesTask } from './busy-times-thread.ts';

const THREAD = { withinMs: 10_000, heapMib: 256, bufferMib: 64 };
const THREAD_FILE = new URL('./busy-times-thread.ts', import.meta.url);

/** @throws {CalendarFailed} */
export async function busyTimesOnThread(of: BusyTimesTask['of'], wanted: Wanted) {
  const task: BusyTimesTask = { of, wanted };
  const result = await onLimitedThread<BusyTimesRead>(THREAD_FILE, task, THREAD);
  if ('stopped' in result)
    throw new CalendarFailed('its events take too long to read: a recurring one may have no end', true);
  if ('unreadable' in result.value) throw new CalendarFailed(result.value.unreadable, true);
  return result.value;
}
