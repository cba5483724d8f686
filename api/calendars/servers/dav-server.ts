// Calendars of iCalendar texts behind the port: those of CalDAV, read and written, and those at a mere address.
import { eventText } from '../compose.ts';
import { busyTimesOnThread } from '../reading/on-thread.ts';
import type { Fetching } from './ask.ts';
import { type DavAccess, putEvent, readEvent, readEvents, removeEvent, stateOf } from './caldav.ts';
import { CalendarFailed } from './calendar-failed.ts';
import { readIcs } from './ics.ts';
import type { CalendarServer, There } from './server.ts';

/** Somebody who changes an event again and again while it is written has to let go of it once. */
const TRIES = 3;

export function davServer(fetching: Fetching, access: DavAccess): CalendarServer {
  /** Until it is not 'changed'. */
  const insisting = async <T>(
    id: string,
    etag: string | null,
    attempt: (etag: string | null) => Promise<T | 'changed'>,
  ): Promise<T> => {
    let known = etag;
    for (let left = TRIES; left > 0; left--) {
      const answer = await attempt(known);
      if (answer !== 'changed') return answer as T;
      known = (await readEvent(fetching, access, id))?.etag ?? null;
    }
    throw new CalendarFailed('its server says again and again that an event has just been changed');
  };
  return {
    async read(wanted, tag) {
      const state = await stateOf(fetching, access);
      if (state !== null && state === tag) return null;
      const { busy, own, etags } = await busyTimesOnThread(await readEvents(fetching, access, wanted), wanted);
      const found = own.map((each): [string, There] => [
        each.appointmentId,
        { ...each, etag: etags[each.index] ?? null },
      ]);
      return { busy, tag: state, own: new Map(found) };
    },
    async event(appointmentId, wanted) {
      const event = await readEvent(fetching, access, appointmentId);
      if (event === null) return null;
      const { own } = await busyTimesOnThread({ texts: [event.text] }, wanted);
      const there = own.find((each) => each.appointmentId === appointmentId);
      return there && { ...there, etag: event.etag };
    },
    async put(appointment, { etag, ...shown }) {
      const { id } = appointment;
      const text = eventText(appointment, shown);
      const written = await insisting(id, etag, (known) => putEvent(fetching, access, { id, text, etag: known }));
      return written.etag ?? (await readEvent(fetching, access, id))?.etag ?? null;
    },
    async remove(id, etag) {
      await insisting(id, etag, (known) => removeEvent(fetching, access, { id, etag: known }));
      return null;
    },
  };
}

/** One that is read at an address, and never written. */
export function icsServer(fetching: Fetching, url: string): CalendarServer {
  const nothing = () => Promise.reject(new CalendarFailed('nothing can be written to an ics', true));
  return {
    async read(wanted, tag) {
      const read = await readIcs(fetching, url, tag);
      if (read === null) return null;
      const { busy, own } = await busyTimesOnThread({ texts: read.texts }, wanted);
      return { busy, tag: read.tag, own: new Map(own.map((each) => [each.appointmentId, { ...each, etag: null }])) };
    },
    event: nothing,
    put: nothing,
    remove: nothing,
  };
}
