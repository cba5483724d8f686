// The port to a calendar elsewhere: what stands in it, and our own events in it. CalDAV, Google's and Microsoft's
// interfaces and plain addresses are behind it. All of them throw `CalendarFailed`.
import type { Interval } from '../../../db/domain/hours/opening-times.ts';
import type { Shown, ShownAppointment } from '../compose.ts';
import type { Wanted } from '../reading/busy-times.ts';

/** Our event there; null: it was taken out. */
export type There = (Interval & { isCancelled: boolean; etag: string | null }) | null;

export interface ServerRead {
  busy: Interval[];
  /** By the ids of their appointments. */
  own: ReadonlyMap<string, There>;
  /** A name of its present state; null: its server gives none. */
  tag: string | null;
}

export interface CalendarServer {
  /** Null: it is as `tag` has it. */
  read(wanted: Wanted, tag: string | null): Promise<ServerRead | null>;
  /** Our event by itself; undefined: it is there, and cannot be told. */
  event(appointmentId: string, wanted: Wanted): Promise<There | undefined>;
  /** Writes our event in place of the one with `etag`, ours whatever was done to it meanwhile. Returns its new etag. */
  put(appointment: ShownAppointment, options: Shown & { etag: string | null }): Promise<string | null>;
  /** Takes our event out, also where it is gone. */
  remove(appointmentId: string, etag: string | null): Promise<null>;
}
