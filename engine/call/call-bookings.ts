// Appointments and calls back that an agent makes, moves and cancels in one call: how many, and for whom.
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
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

export interface BookingDeps {
  clock: Pick<ConductorDeps['clock'], 'nowMs'>;
  store: Pick<ConductorDeps['store'], 'listTaken' | 'appointmentsOfCaller'>;
  writer: Pick<ConductorDeps['writer'], 'runWithin'>;
}

interface Booked {
  call: Pick<ConductorOptions['call'], 'id' | 'accountId'>;
  businessId: string;
  business: Pick<DialogueBusiness, 'resources' | 'bufferMinutes'>;
  /** Null: it is hidden. */
  callerNumber: string | null;
  /** As the caller's words are kept. */
  kept(text: string | null): string | null;
}

export function callBookings(
  { clock, store, writer }: BookingDeps,
  { call, businessId, business, callerNumber, kept }: Booked,
): Pick<ToolContext, 'listTaken' | 'book' | 'ownAppointments' | 'change' | 'confirm' | 'callBack'> {
  const { accountId, id: callId } = call;
  let booked = 0;
  let changed = 0;
  let wrongReferences = 0;
  const slots = {
    known: (business.resources ?? []).map(({ name }) => name),
    bufferMs: (business.bufferMinutes ?? 0) * MINUTE_MS,
  };
  const proof = () => ({ accountId, businessId, nowMs: clock.nowMs(), phone: callerNumber });
  return {
    listTaken: (fromMs, toMs) => store.listTaken(accountId, { businessId, fromMs, toMs }),
    book: async (wish) => {
      if (booked >= BOOKINGS_MAX) return { booked: false, reason: 'too_many' };
      const of = { accountId, businessId, callId, ...slots, nowMs: clock.nowMs() };
      const isPhoneProved = callerNumber !== null && wish.phone === callerNumber;
      const appointment = { ...of, ...wish, isPhoneProved, notes: kept(wish.notes) };
      const answer = await writer.runWithin('bookAppointment', appointment, BOOK_WITHIN_MS);
      if (answer.booked) booked++;
      return answer;
    },
    ownAppointments: async (reference) => {
      if (reference !== null && wrongReferences >= WRONG_REFERENCES_MAX) return 'too_many';
      const own = await store.appointmentsOfCaller({ ...proof(), reference });
      if (reference !== null && !own.some((each) => each.reference === reference)) wrongReferences++;
      return own;
    },
    change: async ({ to, ...wish }) => {
      if (changed >= BOOKINGS_MAX) return { changed: false, reason: 'too_many' };
      const args = { ...proof(), ...wish, to: to && { ...to, ...slots } };
      const answer = await writer.runWithin('changeAppointment', args, BOOK_WITHIN_MS);
      if (answer.changed) changed++;
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
