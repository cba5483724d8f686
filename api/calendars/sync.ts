// The job that keeps calendars and appointments alike: what was booked is written within seconds, what stands elsewhere
// is read every few minutes. One API of the installation does it, the accounts in turn: a server that is slow keeps no
// other account's calendars waiting.
import { HOUR_MS, MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { calendarSubject } from '../../db/domain/notices/subjects.ts';
import { calendarById, calendarsDue, updateCalendar } from '../../db/queries/calendars/calendars.ts';
import { calendarsToWrite } from '../../db/queries/calendars/entries.ts';
import { tellingBusiness } from '../../db/queries/notices/notices.ts';
import type { CalendarTable } from '../../db/schema/calendars.ts';
import type { Db } from '../../db/schema.ts';
import { NOTICES, transact } from '../../db/scope.ts';
import type { ApiContext } from '../context.ts';
import type { JobRun } from '../frame/job.ts';
import { addNotices } from '../notices/add.ts';
import { FairLanes } from '../threads/fair-lanes.ts';
import { knownFailure } from './known-failure.ts';
import { readCalendar } from './read.ts';
import { writeAppointments } from './write.ts';

const READ_EVERY_MS = 5 * MINUTE_MS;
/** Only its owner can mend it, but an outage may look like that. */
const REFUSED_EVERY_MS = HOUR_MS;
/** Calendars to be read that one look finds. */
const PER_LOOK = 40;
const PER_LOOK_OF_ACCOUNT = 8;
/** An answer is waited for, not worked for. */
const LANES = { total: 12, perAccount: 3 };
/** A calendar has its place for so long, or one request longer: another of its account may wait for it. */
const WRITES_WITHIN_MS = 30_000;

/**
 * A calendar is written and then read in one place, so that nothing is read that is just being written. It is asked
 * beside all others, and a look waits for none.
 */
export class CalendarSync implements JobRun {
  readonly #context: ApiContext;
  readonly #lanes = new FairLanes(LANES);
  #isStopped = false;

  constructor(context: ApiContext) {
    this.#context = context;
  }

  async run(): Promise<void> {
    const { read, now } = this.#context;
    const toWrite = await calendarsToWrite(read, now());
    const due = await calendarsDue(read, now(), { limit: PER_LOOK, perAccount: PER_LOOK_OF_ACCOUNT });
    const wishes = new Map([...toWrite, ...due].map(({ id, accountId }) => [id, { key: id, accountId }]));
    if (!this.#isStopped) this.#lanes.offer([...wishes.values()], ({ key }) => this.#sync(key));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#lanes.stop();
  }

  /** Resolves when no calendar is being asked. */
  settled(): Promise<void> {
    return this.#lanes.settled();
  }

  async #sync(id: string): Promise<void> {
    const context = this.#context;
    const overAtMs = performance.now() + WRITES_WITHIN_MS;
    try {
      await writeAppointments(context, id, () => this.#isStopped || performance.now() >= overAtMs);
      const calendar = await calendarById(context.read, id);
      const isDue = calendar !== undefined && calendar.dueAt <= context.now();
      if (isDue && !this.#isStopped) await readAndNote(context, calendar);
    } catch (error) {
      if (!context.outage.explains(error)) context.log.error({ err: error, calendar: id }, 'a calendar was not read');
    }
  }
}

/** Reads it; where it fails, what was read before stays, with the reason. */
export async function readAndNote(context: ApiContext, calendar: CalendarTable): Promise<void> {
  const nowMs = context.now();
  try {
    await updateCalendar(context.db, calendar.id, { dueAt: nowMs + READ_EVERY_MS });
    await readCalendar(context, calendar);
  } catch (error) {
    const { message, needsOwner, retryAfterMs } = knownFailure(context, calendar, error);
    await transact(context.db, NOTICES, async (tx) => {
      const isKnown = await updateCalendar(tx, calendar.id, {
        state: needsOwner ? 'refused' : 'failing',
        error: message,
        dueAt: nowMs + (needsOwner ? REFUSED_EVERY_MS : Math.max(READ_EVERY_MS, retryAfterMs)),
      });
      if (isKnown && needsOwner && calendar.state !== 'refused') await tellOwner(tx, calendar, context.now());
    });
  }
}

/** Somebody has to open the calendar again. */
async function tellOwner(tx: Db, { id, accountId, businessId }: CalendarTable, atMs: number): Promise<void> {
  const business = await tellingBusiness(tx, accountId, businessId);
  if (business === undefined) return;
  const of = { subjectId: calendarSubject(id, atMs), callId: null };
  await addNotices(tx, business, { ...of, atMs, isAbout: ({ on }) => on === 'calendar' });
}
