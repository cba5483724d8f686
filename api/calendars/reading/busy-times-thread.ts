// Reads calendar texts on a thread of its own and exits: a rule of a recurring event can be crafted so that it never
// ends.
import { parentPort, workerData } from 'node:worker_threads';
import { type BusyTimes, busyTimesIn, UnreadableCalendar, type Wanted } from './busy-times.ts';

export interface BusyTimesTask {
  texts: readonly string[];
  wanted: Wanted;
}

export type BusyTimesRead = BusyTimes | { unreadable: string };

const { texts, wanted } = workerData as BusyTimesTask;
parentPort?.postMessage(read());

function read(): BusyTimesRead {
  try {
    return busyTimesIn(texts, wanted);
  } catch (error) {
    if (error instanceof UnreadableCalendar) return { unreadable: error.message };
    return { unreadable: 'an event in it breaks the rules of iCalendar' };
  }
}
