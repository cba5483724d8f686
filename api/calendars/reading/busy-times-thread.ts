// Reads calendar texts on a thread of its own and exits: a rule of a recurring event can be crafted so that it never
// ends, and the answer of a CalDAV server is megabytes of XML.
import { parentPort, workerData } from 'node:worker_threads';
import { CalendarFailed } from '../servers/calendar-failed.ts';
import { resourcesIn } from '../servers/multistatus.ts';
import { type BusyTimes, busyTimesIn, UnreadableCalendar, type Wanted } from './busy-times.ts';

export interface BusyTimesTask {
  /** Calendars, or a server's answer about many of them. */
  of: { texts: readonly string[] } | { xml: string; base: string };
  wanted: Wanted;
}

/** `etags`: of the calendars in their order. */
export type BusyTimesRead = (BusyTimes & { etags: Array<string | null> }) | { unreadable: string };

parentPort?.postMessage(read(workerData as BusyTimesTask));

function read({ of, wanted }: BusyTimesTask): BusyTimesRead {
  try {
    const found = 'texts' in of ? of.texts.map((text) => ({ text, etag: null })) : eventsIn(of);
    const texts = found.map(({ text }) => text);
    return { ...busyTimesIn(texts, wanted), etags: found.map(({ etag }) => etag) };
  } catch (error) {
    const isKnown = error instanceof UnreadableCalendar || error instanceof CalendarFailed;
    return { unreadable: isKnown ? error.message : 'an event in it breaks the rules of iCalendar' };
  }
}

function eventsIn({ xml, base }: { xml: string; base: string }): Array<{ text: string; etag: string | null }> {
  return resourcesIn(xml, base).flatMap((resource) => {
    const text = resource.text('calendar-data');
    return text === null ? [] : { text, etag: resource.text('getetag') };
  });
}
