// Makes notices of events: a cursor of its own goes over the outbox, and each event is compared with the rules of its
// business, in one transaction, so that a process that dies tells nobody twice and forgets nobody.
import { isAboutCall, type NoticeRule } from '../../db/domain/notices/rules.ts';
import { changeSubject } from '../../db/domain/notices/subjects.ts';
import {
  callbacksOf,
  callsOf,
  eventsToTell,
  hastenNotices,
  moveNoticePosition,
  noticePosition,
  RESULTS_WAIT_MS,
  type TellingBusiness,
  tellingBusinesses,
} from '../../db/queries/notices/notices.ts';
import { hasEventsAfter, settledEvents } from '../../db/queries/webhooks/events.ts';
import type { AppointmentResource, CallAnalysis } from '../../db/records/resources.ts';
import type { Db } from '../../db/schema.ts';
import { NOTICES, transact } from '../../db/scope.ts';
import type { ApiContext } from '../context.ts';
import { addNotices, type Happened } from './add.ts';

/** Events that are looked at in one transaction. */
const EVENTS_AT_ONCE = 500;
const ROUNDS_MAX = 20;

type Event = Awaited<ReturnType<typeof eventsToTell>>[number];
type ToldCall = Awaited<ReturnType<typeof callsOf>>[number];

/** Goes over the new events; a backlog of more than ten thousand waits for the next run. */
export async function collectNotices({ db, read }: Pick<ApiContext, 'db' | 'read'>): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const from = await noticePosition(read);
    if (!(await hasEventsAfter(read, from))) return;
    const upTo = await settledEvents(read, from, EVENTS_AT_ONCE);
    if (upTo === from) return;
    await transact(db, NOTICES, (tx) => collect(tx, upTo));
  }
}

/** Facts of all events of a round. */
interface Round {
  businesses: ReadonlyMap<string, TellingBusiness>;
  calls: ReadonlyMap<string, ToldCall>;
  /** Calls in which somebody was promised to be called back. */
  promised: ReadonlySet<string | null>;
}

interface News extends Omit<Happened, 'atMs'> {
  business: TellingBusiness | undefined;
  /** Notices of this call wait for no results any more. */
  hastens?: string;
}

async function collect(tx: Db, upTo: number): Promise<void> {
  const from = await noticePosition(tx);
  if (from >= upTo) return;
  const businesses = await tellingBusinesses(tx);
  const accountIds = [...new Set([...businesses.values()].map(({ accountId }) => accountId))];
  const events = await eventsToTell(tx, accountIds, { from, upTo });
  const round = { businesses, ...(await callsOfRound(tx, accountIds, events)) };
  for (const event of events) {
    const news = NEWS[event.type]?.(event, round) ?? null;
    if (news === null) continue;
    if (news.hastens !== undefined) await hastenNotices(tx, news.hastens, event.createdAt);
    if (news.business?.accountId === event.accountId)
      await addNotices(tx, news.business, { ...news, atMs: event.createdAt });
  }
  await moveNoticePosition(tx, upTo);
}

async function callsOfRound(tx: Db, accountIds: readonly string[], events: readonly Event[]) {
  const ended = events.filter(({ type }) => type === 'call.ended').map(({ subjectId }) => subjectId);
  const analysed = events.filter(({ type }) => type === 'call.analysed').map(({ subjectId }) => subjectId);
  const calls = new Map((await callsOf(tx, [...new Set([...ended, ...analysed])])).map((call) => [call.id, call]));
  const promised = new Set<string | null>();
  for (const accountId of accountIds)
    for (const { inCallId } of await callbacksOf(tx, accountId, ended)) promised.add(inCallId);
  return { calls, promised };
}

/** The news in an event of each type; null: there is none. */
const NEWS: Readonly<Record<string, (event: Event, round: Round) => News | null>> = {
  'appointment.scheduled': ({ data, subjectId }, { businesses }) => {
    const { callId, conversationId = null, businessId } = JSON.parse(data) as AppointmentResource;
    // One that a client books for itself is no news.
    if (callId === null && conversationId === null) return null;
    return { business: businesses.get(businessId), subjectId, callId, isAbout: isAboutAppointments };
  },
  'appointment.changed': ({ data }, { businesses }) => {
    const appointment = JSON.parse(data) as AppointmentResource;
    // Changes by people of the business are no news to them.
    if (appointment.history.at(-1)?.by !== 'call') return null;
    const of = { subjectId: changeSubject(appointment), callId: null };
    return { business: businesses.get(appointment.businessId), ...of, isAbout: isAboutAppointments };
  },
  'call.analysed': (event, { businesses, calls }) => {
    const call = keptCall(event, calls);
    // A rerun over past calls is no news.
    if (call === null || (JSON.parse(event.data) as CallAnalysis & { rerunId?: string }).rerunId !== undefined)
      return null;
    const of = { subjectId: call.id, callId: call.id };
    return {
      business: businesses.get(call.businessId),
      ...of,
      isAbout: ({ on }) => on === 'results',
      hastens: call.id,
    };
  },
  'call.ended': (event, { businesses, calls, promised }) => {
    const call = keptCall(event, calls);
    if (call === null) return null;
    const business = businesses.get(call.businessId);
    const isAnswered = call.answeredAt !== null;
    const wishes = [call.outputs, call.criteria, business?.outputs, business?.criteria];
    const isAwaited = isAnswered && wishes.some((json) => json != null && json !== '[]');
    const end = { ...call, isAnswered, hasCallback: promised.has(call.id) };
    return {
      ...{ business, subjectId: call.id, callId: call.id },
      isAbout: (rule) => isAboutCall(rule, end),
      waitMs: isAwaited ? RESULTS_WAIT_MS : 0,
    };
  },
};

const isAboutAppointments = ({ on }: NoticeRule): boolean => on === 'appointment';

/** Null: it is gone, or erased. */
function keptCall({ subjectId }: Event, calls: Round['calls']): ToldCall | null {
  const call = calls.get(subjectId);
  return call === undefined || call.erasedAt !== null ? null : call;
}
