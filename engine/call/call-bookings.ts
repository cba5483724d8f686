// Appointments and calls back that an agent makes, moves and cancels in one call, or in one conversation in a day: how
// many, and for whom.
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import type { BookingTries } from '../../db/queries/businesses/booking-tries.ts';
import type { DialogueBusiness } from '../../models/llm/llm.ts';
import { TOOL_DEADLINE_MS } from '../dialogue/tool-runs.ts';
import type { ToolContext } from '../dialogue/tools/tool.ts';
import type { ConductorDeps, ConductorOptions } from './context.ts';

/** Below the tool deadline: a booking reported to the caller as failed must not succeed afterwards. */
const BOOK_WITHIN_MS = TOOL_DEADLINE_MS - 1_000;
/** Enough for a family; more suggests someone filling the calendar. */
const BOOKINGS_MAX = 5;
/** Of a reference: six digits can be tried out. */
const WRONG_REFERENCES_MAX = 3;
/** Of a business, by everybody in an hour: whoever begins anew each time does not find one among a million. */
const WRONG_OF_BUSINESS_MAX = 20;

export interface BookingDeps {
  clock: Pick<ConductorDeps['clock'], 'nowMs'>;
  store: Pick<ConductorDeps['store'], 'listTaken' | 'appointmentsOfCaller' | 'bookingTries'>;
  writer: Pick<ConductorDeps['writer'], 'runWithin'>;
}

interface Booked {
  call: Pick<ConductorOptions['call'], 'id' | 'accountId'>;
  businessId: string;
  /** In writing; null: on a call. */
  conversationId: string | null;
  business: Pick<DialogueBusiness, 'resources' | 'bufferMinutes'>;
  /** Null: it is hidden. */
  callerNumber: string | null;
  /** As the caller's words are kept. */
  kept(text: string | null): string | null;
}

export function callBookings(
  { clock, store, writer }: BookingDeps,
  { call, businessId, conversationId, business, callerNumber, kept }: Booked,
): Pick<ToolContext, 'listTaken' | 'book' | 'ownAppointments' | 'change' | 'confirm' | 'callBack'> {
  const { accountId, id: callId } = call;
  /** Of a call. An agent that writes is made anew for each message: what it did is read. */
  const own = { booked: 0, changed: 0, wrongReferences: 0 };
  const stored = (): Promise<BookingTries> =>
    store.bookingTries({ accountId, businessId, conversationId, nowMs: clock.nowMs() });
  const done = async (): Promise<Pick<BookingTries, 'booked' | 'changed'>> =>
    conversationId === null ? own : await stored();
  const slots = {
    known: (business.resources ?? []).map(({ name }) => name),
    bufferMs: (business.bufferMinutes ?? 0) * MINUTE_MS,
  };
  const proof = () => ({ accountId, businessId, nowMs: clock.nowMs(), phone: callerNumber });
  return {
    listTaken: (fromMs, toMs) => store.listTaken(accountId, { businessId, fromMs, toMs }),
    book: async (wish) => {
      if ((await done()).booked >= BOOKINGS_MAX) return { booked: false, reason: 'too_many' };
      const of = { accountId, businessId, callId, ...slots, nowMs: clock.nowMs() };
      const isPhoneProved = callerNumber !== null && wish.phone === callerNumber;
      const appointment = { ...of, ...wish, isPhoneProved, notes: kept(wish.notes) };
      const answer = await writer.runWithin('bookAppointment', appointment, BOOK_WITHIN_MS);
      if (answer.booked) own.booked++;
      return answer;
    },
    ownAppointments: async (reference) => {
      if (reference === null) return store.appointmentsOfCaller({ ...proof(), reference });
      const { wrongReferences, wrongOfBusiness } = await stored();
      const wrongHere = conversationId === null ? own.wrongReferences : wrongReferences;
      if (wrongHere >= WRONG_REFERENCES_MAX || wrongOfBusiness >= WRONG_OF_BUSINESS_MAX) return 'too_many';
      const found = await store.appointmentsOfCaller({ ...proof(), reference });
      if (found.some((each) => each.reference === reference)) return found;
      own.wrongReferences++;
      const wrong = {
        accountId,
        businessId,
        subjectId: callId,
        kind: 'wrong_reference',
        nowMs: clock.nowMs(),
      } as const;
      await writer.runWithin('addBookingTry', wrong, BOOK_WITHIN_MS);
      return found;
    },
    change: async ({ to, ...wish }) => {
      if ((await done()).changed >= BOOKINGS_MAX) return { changed: false, reason: 'too_many' };
      const args = { ...proof(), ...wish, conversationId, to: to && { ...to, ...slots } };
      const answer = await writer.runWithin('changeAppointment', args, BOOK_WITHIN_MS);
      if (answer.changed) own.changed++;
      return answer;
    },
    confirm: (appointmentId) => {
      const of = { accountId, businessId, callId, appointmentId, nowMs: clock.nowMs() };
      return writer.runWithin('confirmAppointment', of, BOOK_WITHIN_MS);
    },
    callBack: ({ atMs, reason }) => {
      const wish = { accountId, callId, atMs, reason: kept(reason), nowMs: clock.nowMs() };
      return writer.runWithin('scheduleCallback', wish, BOOK_WITHIN_MS);
    },
  };
}
