// Makes notices of events: a cursor of its own goes over the outbox, and each event is compared with the rules of its
// business, in one transaction, so that a process that dies tells nobody twice and forgets nobody.
import { noticeDueAt } from '../../db/domain/notices/due.ts';
import { isAboutCall, type NoticeRule, noticeRules, noticeTarget } from '../../db/domain/notices/rules.ts';
import { calendarSubject, changeSubject } from '../../db/domain/notices/subjects.ts';
import {
  callbacksOf,
  callsOf,
  eventsToTell,
  hastenNotices,
  insertNotice,
  moveNoticePosition,
  noticePosition,
  RESULTS_WAIT_MS,
  type TellingBusiness,
  tellingBusiness,
  tellingBusinesses,
} from '../../db/queries/notices/notices.ts';
import { hasEventsAfter, settledEvents } from '../../db/queries/webhooks/events.ts';
import type { AppointmentResource, CallAnalysis } from '../../db/records/resources.ts';
import type { CalendarTable } from '../../db/schema/calendars.ts';
import type { NoticeTable } from '../../db/schema/notices.ts';
import type { Db } from '../../db/schema.ts';
import { NOTICES, transact } from '../../db/scope.ts';
import { newId } from '../../db/shared/id.ts';
import type { ApiContext } from '../context.ts';

/** Events that are looked at in one transaction. */
const EVENTS_AT_ONCE = 500;
const ROUNDS_MAX = 20;

type Event = Awaited<ReturnType<typeof eventsToTell>>[number];

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

async function collect(tx: Db, upTo: number): Promise<void> {
  const from = await noticePosition(tx);
  if (from >= upTo) return;
  const businesses = await tellingBusinesses(tx);
  const accountIds = [...new Set([...businesses.values()].map(({ accountId }) => accountId))];
  const events = await eventsToTell(tx, accountIds, { from, upTo });
  const ended = events.filter(({ type }) => type === 'call.ended').map(({ subjectId }) => subjectId);
  const analysed = events.filter(({ type }) => type === 'call.analysed').map(({ subjectId }) => subjectId);
  const calls = new Map((await callsOf(tx, [...new Set([...ended, ...analysed])])).map((call) => [call.id, call]));
  const promised = new Set<string | null>();
  for (const accountId of accountIds)
    for (const { inCallId } of await callbacksOf(tx, accountId, ended)) promised.add(inCallId);
  for (const event of events) {
    if (event.type === 'appointment.scheduled') {
      const appointment = JSON.parse(event.data) as AppointmentResource;
      // One that a client books for itself is no news.
      if (appointment.callId === null && (appointment.conversationId ?? null) === null) continue;
      const business = businesses.get(appointment.businessId);
      const of = { subjectId: event.subjectId, callId: appointment.callId };
      await add(tx, business, event, of, ({ on }) => on === 'appointment');
      continue;
    }
    if (event.type === 'appointment.changed') {
      const appointment = JSON.parse(event.data) as AppointmentResource;
      // Changes by people of the business are no news to them.
      if (appointment.history.at(-1)?.by !== 'call') continue;
      const of = { subjectId: changeSubject(appointment), callId: null };
      await add(tx, businesses.get(appointment.businessId), event, of, ({ on }) => on === 'appointment');
      continue;
    }
    const call = calls.get(event.subjectId);
    if (call === undefined || call.erasedAt !== null) continue;
    const business = businesses.get(call.businessId);
    const of = { subjectId: call.id, callId: call.id };
    if (event.type === 'call.analysed') {
      // A rerun over past calls is no news.
      if ((JSON.parse(event.data) as CallAnalysis & { rerunId?: string }).rerunId !== undefined) continue;
      await hastenNotices(tx, call.id, event.createdAt);
      await add(tx, business, event, of, ({ on }) => on === 'results');
      continue;
    }
    const isAnswered = call.answeredAt !== null;
    const wishes = [call.outputs, call.criteria, business?.outputs, business?.criteria];
    const isAwaited = isAnswered && wishes.some((json) => json != null && json !== '[]');
    const end = { ...call, isAnswered, hasCallback: promised.has(call.id) };
    await add(tx, business, event, of, (rule) => isAboutCall(rule, end), isAwaited ? RESULTS_WAIT_MS : 0);
  }
  await moveNoticePosition(tx, upTo);
}

/** Somebody has to open the calendar again. */
export async function tellOfCalendar(
  { db, now }: Pick<ApiContext, 'db' | 'now'>,
  { id, accountId, businessId }: Pick<CalendarTable, 'id' | 'accountId' | 'businessId'>,
): Promise<void> {
  const createdAt = now();
  const of = { subjectId: calendarSubject(id, createdAt), callId: null };
  await transact(db, NOTICES, async (tx) => {
    const business = await tellingBusiness(tx, accountId, businessId);
    await add(tx, business, { accountId, createdAt }, of, ({ on }) => on === 'calendar');
  });
}

async function add(
  tx: Db,
  business: TellingBusiness | undefined,
  event: Pick<Event, 'accountId' | 'createdAt'>,
  of: Pick<NoticeTable, 'subjectId' | 'callId'>,
  isAbout: (rule: NoticeRule) => boolean,
  waitMs = 0,
): Promise<void> {
  if (business === undefined || business.accountId !== event.accountId) return;
  for (const rule of noticeRules(business.notify).filter(isAbout))
    await insertNotice(tx, {
      ...of,
      id: newId('ntc'),
      accountId: business.accountId,
      businessId: business.id,
      target: noticeTarget(rule),
      kind: rule.on,
      dueAt: Math.max(noticeDueAt(rule, business.timezone, event.createdAt), event.createdAt + waitMs),
      messageId: null,
      createdAt: event.createdAt,
    });
}
