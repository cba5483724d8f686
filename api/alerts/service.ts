// Alert rules of a tenant: kept, listed with their figures, tried, and what each fired.
import { ALERT_RULES_MAX, ALERT_UNITS, type AlertMetric, MICRO } from '../../db/domain/alerts/metrics.ts';
import { ALERT_KIND, type NoticeRule, noticeRules, noticeTarget } from '../../db/domain/notices/rules.ts';
import { accountTimezone } from '../../db/queries/accounts/accounts.ts';
import {
  countAlertRules,
  deleteAlertRule,
  endFiring,
  findAlertRule,
  insertAlertRule,
  listAlertRules,
  listFirings,
  updateAlertRule,
} from '../../db/queries/alerts/alerts.ts';
import { getBusiness } from '../../db/queries/businesses/businesses.ts';
import { deleteNoticesOf, getMessage, listMessages } from '../../db/queries/notices/messages.ts';
import { hasCurrent } from '../../db/queries/tenant-rows.ts';
import { isoOrNull, isoTime } from '../../db/records/resources.ts';
import type { AlertFiringTable, AlertRuleTable } from '../../db/schema/alerts.ts';
import type { Db } from '../../db/schema.ts';
import { NOTICES, transact } from '../../db/scope.ts';
import { newId } from '../../db/shared/id.ts';
import type { ApiContext } from '../context.ts';
import type { Auth } from '../frame/app.ts';
import { type FieldError, invalid, notFound, refused } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import { isZone, NOT_A_ZONE } from '../frame/zones.ts';
import { checkMayTell, noticeColumns } from '../notices/rules.ts';
import type { NoticeQuery } from '../notices/schema.ts';
import { sendExample } from '../notices/send.ts';
import { messageRecord, refuseFlood } from '../notices/service.ts';
import type { AlertFiringRecord, AlertRuleCreate, AlertRulePatch, AlertRuleRecord } from './schema.ts';

const MINIMUM_CALLS = 10;

/** @throws {ApiError} 404 */
async function ruleOf(db: Db, accountId: string, id: string): Promise<AlertRuleTable> {
  const rule = await findAlertRule(db, accountId, id);
  if (rule === undefined) throw notFound('Alert rule');
  return rule;
}

export async function listRules({ read }: ApiContext, accountId: string, query: PageQuery) {
  const { rows, total } = await listAlertRules(read, accountId, { limit: query.limit, offset: offsetOf(query) });
  return { data: rows.map(ruleRecord), pagination: pagination(query.page, query.limit, total) };
}

export const readRule = async ({ read }: ApiContext, accountId: string, id: string): Promise<AlertRuleRecord> =>
  ruleRecord(await ruleOf(read, accountId, id));

/** @throws {ApiError} 403, 409 where there are fifty, 422 */
export function createRule(context: ApiContext, auth: Auth, body: AlertRuleCreate): Promise<AlertRuleRecord> {
  const { accountId } = auth;
  checkMayTell(auth, body.to, '[]');
  return transact(context.db, { accounts: [accountId] }, async (tx) => {
    if ((await countAlertRules(tx, accountId)) >= ALERT_RULES_MAX)
      throw refused('ALERT_RULES_LIMIT', `An account has at most ${ALERT_RULES_MAX} alert rules`);
    const nowMs = context.now();
    const fresh: AlertRuleTable = {
      ...{ id: newId('alr'), accountId, name: '', metric: 'calls', comparison: 'above', threshold: 0 },
      ...{ windowMinutes: 60, minimumCalls: MINIMUM_CALLS, businessId: null, campaignId: null, agentId: null },
      ...{ notify: '[]', notifySealed: null, timezone: '', isActive: 1, dueAt: nowMs, firingId: null },
      ...{ value: null, valueCalls: 0, evaluatedAt: null, createdAt: nowMs },
    };
    const changes = await changesOf(context, tx, fresh, body);
    const rule = { ...fresh, ...changes };
    await insertAlertRule(tx, rule);
    return ruleRecord(rule);
  });
}

/** A firing ends, untold, where the rule watches something else from now on. */
export function patchRule(context: ApiContext, auth: Auth, id: string, body: AlertRulePatch) {
  const { accountId } = auth;
  return transact(context.db, { accounts: [accountId], ...NOTICES }, async (tx) => {
    const rule = await ruleOf(tx, accountId, id);
    checkMayTell(auth, body.to, rule.notify);
    const changes = await changesOf(context, tx, rule, body);
    const isAnother = WATCHED.some((name) => changes[name] !== undefined && changes[name] !== rule[name]);
    if (isAnother) {
      if (rule.firingId !== null) await endFiring(tx, rule.firingId, { endedAt: context.now(), endedValue: null });
      Object.assign(changes, { firingId: null, value: null, valueCalls: 0, evaluatedAt: null, dueAt: context.now() });
    }
    await updateAlertRule(tx, id, changes);
    return ruleRecord({ ...rule, ...changes });
  });
}

const WATCHED = [
  ...(['metric', 'comparison', 'threshold', 'windowMinutes', 'minimumCalls'] as const),
  ...(['businessId', 'campaignId', 'agentId', 'isActive'] as const),
];

export function removeRule({ db }: ApiContext, accountId: string, id: string): Promise<AlertRuleRecord> {
  return transact(db, NOTICES, async (tx) => {
    const rule = await ruleOf(tx, accountId, id);
    await deleteNoticesOf(tx, accountId, id);
    await deleteAlertRule(tx, accountId, id);
    return ruleRecord(rule);
  });
}

async function changesOf(
  context: ApiContext,
  tx: Db,
  rule: AlertRuleTable,
  body: AlertRulePatch,
): Promise<Partial<AlertRuleTable>> {
  const { value, to, quiet, timezone, isActive, ...same } = body;
  const faults: FieldError[] = [];
  const metric = body.metric ?? rule.metric;
  const threshold = value === undefined ? rule.threshold : Math.round(value * MICRO);
  if (ALERT_UNITS[metric] === 'share' && threshold > MICRO)
    faults.push({ field: 'value', message: 'must be a share, from 0 to 1' });
  if (timezone !== undefined && !isZone(timezone)) faults.push({ field: 'timezone', message: NOT_A_ZONE });
  faults.push(...(await foreign(tx, rule.accountId, body)));
  const businessId = body.businessId === undefined ? rule.businessId : body.businessId;
  if ((to ?? recipientsOf(rule)).some(({ by }) => by === 'sms') && businessId === null)
    faults.push({ field: 'businessId', message: 'is required for a text: it goes out by a number of the business' });
  if (faults.length > 0) throw invalid(faults);
  const rules = noticeRules(rule.notify);
  const nights = quiet === undefined ? (rules[0]?.quiet ?? null) : quiet;
  // Sent back as they are shown, addresses stay.
  const wanted = (to ?? recipientsOf(rule)).map(
    (recipient) => ({ ...recipient, on: ALERT_KIND, quiet: nights }) as const,
  );
  const columns = to === undefined && quiet === undefined ? {} : noticeColumns(context, rule.id, wanted, rule, 'to');
  const ownZone = rule.timezone === '' ? { timezone: await zoneOf(tx, rule.accountId, businessId) } : {};
  return {
    ...same,
    ...(value === undefined ? {} : { threshold }),
    ...(isActive === undefined ? {} : { isActive: isActive ? (1 as const) : (0 as const) }),
    ...(timezone === undefined ? ownZone : { timezone }),
    ...columns,
  };
}

const recipientsOf = ({ notify }: AlertRuleTable) => noticeRules(notify).map(({ by, to }) => ({ by, to }));

const TABLES = { businessId: 'businesses', campaignId: 'campaigns', agentId: 'agents' } as const;

/** References to what is not there, or another account's. */
async function foreign(tx: Db, accountId: string, body: AlertRulePatch): Promise<FieldError[]> {
  const faults: FieldError[] = [];
  for (const field of ['businessId', 'campaignId', 'agentId'] as const) {
    const id = body[field];
    if (id == null) continue;
    if (!(await hasCurrent(tx, TABLES[field], accountId, id))) faults.push({ field, message: 'is not there' });
  }
  return faults;
}

/** That of the business whose calls the rule watches, else the account's. */
async function zoneOf(tx: Db, accountId: string, businessId: string | null): Promise<string> {
  const business = businessId === null ? undefined : await getBusiness(tx, accountId, businessId);
  return business?.timezone ?? (await accountTimezone(tx, accountId));
}

function ruleRecord(rule: AlertRuleTable): AlertRuleRecord {
  const rules = noticeRules(rule.notify);
  const { id, name, metric, comparison, threshold, windowMinutes, minimumCalls } = rule;
  return {
    ...{ id, name, metric, comparison, value: threshold / MICRO, windowMinutes, minimumCalls },
    isActive: rule.isActive === 1,
    ...{ businessId: rule.businessId, campaignId: rule.campaignId, agentId: rule.agentId },
    to: rules.map(({ by, to, isSigned }) => ({ by, to, isSigned })),
    quiet: rules[0]?.quiet ?? null,
    timezone: rule.timezone,
    state: rule.firingId === null ? 'ok' : 'fires',
    current: rule.value === null ? null : rule.value / MICRO,
    calls: rule.valueCalls,
    evaluatedAt: isoOrNull(rule.evaluatedAt),
    createdAt: isoTime(rule.createdAt),
  };
}

export async function listRuleFirings({ read }: ApiContext, accountId: string, id: string, query: PageQuery) {
  await ruleOf(read, accountId, id);
  const { rows, total } = await listFirings(read, accountId, id, { limit: query.limit, offset: offsetOf(query) });
  return { data: rows.map(firingRecord), pagination: pagination(query.page, query.limit, total) };
}

const firingRecord = (row: AlertFiringTable): AlertFiringRecord => ({
  ...{ id: row.id, metric: row.metric as AlertMetric, comparison: row.comparison, limit: row.threshold / MICRO },
  ...{ windowMinutes: row.windowMinutes, value: row.value / MICRO, calls: row.calls },
  endedValue: row.endedValue === null ? null : row.endedValue / MICRO,
  endedAt: isoOrNull(row.endedAt),
  createdAt: isoTime(row.createdAt),
});

export async function listRuleNotices({ read }: ApiContext, accountId: string, id: string, query: NoticeQuery) {
  await ruleOf(read, accountId, id);
  const { page, limit, status } = query;
  const { rows, total } = await listMessages(read, accountId, id, { limit, offset: offsetOf(query), status });
  return { data: rows.map(messageRecord), pagination: pagination(page, limit, total) };
}

/** An example to one recipient, now. @throws {ApiError} 403, 404, 422, 429 */
export async function testRule(context: ApiContext, auth: Auth, id: string, index: number) {
  const { accountId } = auth;
  const rule = await ruleOf(context.read, accountId, id);
  const recipient: NoticeRule | undefined = noticeRules(rule.notify)[index];
  if (recipient === undefined) throw invalid([{ field: 'index', message: 'is of no recipient of this rule' }]);
  checkMayTell(auth, [recipient], '[]');
  const target = noticeTarget(recipient);
  await refuseFlood(context, accountId, target);
  const messageId = await sendExample(context, { accountId, businessId: id, target }, recipient);
  const row = await getMessage(context.read, messageId);
  if (row === undefined) throw notFound('Alert rule');
  return messageRecord(row);
}
