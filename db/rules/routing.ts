// Finds the campaign, business and agent of a call. They are read for each call, so that a change of a business takes
// effect on the next call without a restart.

import { type NumberRoute, routesFor } from '../domain/numbers/number-routes.ts';
import { accountTimezone } from '../queries/accounts/accounts.ts';
import { canariesOf, runningCanaries } from '../queries/businesses/canaries.ts';
import { headingsOf } from '../queries/knowledge/passage-rows.ts';
import type { PhoneNumberRow } from '../queries/numbers/phone-numbers.ts';
import { toolsOfCall } from '../queries/tools/tools.ts';
import type { AgentTable } from '../schema/agents.ts';
import type { BusinessTable } from '../schema/businesses.ts';
import type { CallTable } from '../schema/call-columns.ts';
import type { CampaignTable } from '../schema/campaigns.ts';
import type { ToolTable } from '../schema/tools.ts';
import type { Db } from '../schema.ts';
import { leadersOf, ofCanary } from './leading-version.ts';

/** `sip:demo@HOST` reaches the number of the demo. */
export const DEMO_ALIAS = 'demo';

export interface CallSetup {
  campaign: CampaignTable;
  business: BusinessTable;
  agent: AgentTable;
  /** The tools by which the agent may ask other systems, in order. */
  tools: ToolTable[];
  /** Headings of the documents that its calls are answered from; null: there are none. */
  headings: string[] | null;
}

type InboundRoute =
  | {
      found: true;
      accountId: string;
      number: PhoneNumberRow | null;
      setup: CallSetup;
      /** The caller is put through to it at once; null: the agent talks to the caller. */
      target: string | null;
    }
  /** `unknown_number`: it has no owner. */
  | { found: false; reason: 'unknown_number' | 'number_inactive' | 'no_campaign' | 'campaign_not_answering' };

interface Asking {
  accountId: string;
  campaignId: string;
  /** Of the person on the other side, which chooses among versions; null where nobody knows it. */
  number: string | null;
  /** Another one than the campaign's. */
  agentId?: string;
}

async function readSetup(db: Db, { accountId, campaignId, number, agentId }: Asking): Promise<CallSetup | null> {
  const row = await db
    .selectFrom('campaigns')
    .selectAll()
    // With the campaign, which each call reads anyway: a query of its own would say "none" nearly always.
    .select((eb) =>
      eb
        .exists(
          canariesOf(db, [
            eb.ref('campaigns.businessId'),
            agentId === undefined ? eb.ref('campaigns.agentId') : eb.val(agentId),
          ]),
        )
        .as('hasCanary'),
    )
    .where('accountId', '=', accountId)
    .where('id', '=', campaignId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  const { hasCanary, ...campaign } = row;
  // A deleted business or agent still answers while its campaign runs: calls keep their reference.
  const business = await db
    .selectFrom('businesses')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', campaign.businessId)
    .executeTakeFirst();
  const published = await db
    .selectFrom('agents')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', agentId ?? campaign.agentId)
    .executeTakeFirst();
  if (!business || !published) return null;
  const canaries = hasCanary ? await runningCanaries(db, accountId, [published.id, business.id]) : [];
  const leaders = await leadersOf(db, { agent: published, business }, campaign, { number, canaries });
  const parts = { campaign, ...leaders };
  const [tools, headings] = await Promise.all([
    toolsOfCall(db, accountId, parts),
    headingsOf(db, accountId, business.id),
  ]);
  return { ...parts, tools, headings };
}

interface InboundAsked {
  /** The number that the caller dialled first, where it was another one. */
  forwardedFrom: string | null;
  /** As the network shows it. */
  callerNumber: string;
  nowMs: number;
}

/** The route of an inbound call to `called` (E.164, or an alias such as `demo`). */
export async function routeInbound(db: Db, called: string, asked: InboundAsked): Promise<InboundRoute> {
  const number = await db
    .selectFrom('phoneNumbers')
    .selectAll()
    .where((eb) => eb.or([eb('phoneNumber', '=', called), eb('sipAlias', '=', called)]))
    .where('status', '!=', 'released')
    .executeTakeFirst();
  if (!number || number.status === 'releasing') return { found: false, reason: 'unknown_number' };
  if (number.isActive === 0) return { found: false, reason: 'number_inactive' };
  const { accountId } = number;
  const routes = await fittingRoutes(db, number, asked);
  const own = await ownCampaign(db, number);
  const silent = new Set<string>();
  // Where a route's campaign does not answer, the next one does, and at last the number's own.
  for (const { campaignId, target } of [...routes, { campaignId: null, target: null }]) {
    const answering = campaignId ?? own;
    if (answering === null || silent.has(answering)) continue;
    // A call that one of our own numbers has put through must not be put through again, and again.
    if (target !== null && (await isOurs(db, asked.callerNumber))) continue;
    const setup = await campaignSetup(db, { accountId, campaignId: answering, number: asked.callerNumber });
    if (setup !== null) return { found: true, accountId, number, setup, target };
    silent.add(answering);
  }
  return { found: false, reason: silent.size === 0 ? 'no_campaign' : 'campaign_not_answering' };
}

async function fittingRoutes(
  db: Db,
  { accountId, routes }: PhoneNumberRow,
  asked: InboundAsked,
): Promise<Array<Pick<NumberRoute, 'campaignId' | 'target'>>> {
  if (routes === '[]') return [];
  const timezone = await accountTimezone(db, accountId);
  return routesFor(JSON.parse(routes) as NumberRoute[], { ...asked, timezone });
}

async function isOurs(db: Db, phoneNumber: string): Promise<boolean> {
  const row = await db
    .selectFrom('phoneNumbers')
    .select('id')
    .where('phoneNumber', '=', phoneNumber)
    .where('status', '<>', 'released')
    .executeTakeFirst();
  return row !== undefined;
}

/** The number's campaign, else the account's default. */
async function ownCampaign(db: Db, { accountId, campaignId }: PhoneNumberRow): Promise<string | null> {
  if (campaignId !== null) return campaignId;
  const account = await db
    .selectFrom('accounts')
    .select('defaultCampaignId')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account?.defaultCampaignId ?? null;
}

/** The route of a softphone's calls: the demo or its campaign, whatever number it dials. */
export async function routeSoftphone(
  db: Db,
  sipAccountId: string,
  asked: InboundAsked,
): Promise<InboundRoute | { found: false; reason: 'softphone_may_not_call' }> {
  const account = await db
    .selectFrom('sipAccounts')
    .select(['accountId', 'callsTo'])
    .where('id', '=', sipAccountId)
    .where('deletedAt', 'is', null)
    .where('enabled', '=', 1)
    .executeTakeFirst();
  if (!account || account.callsTo === null) return { found: false, reason: 'softphone_may_not_call' };
  const { accountId, callsTo } = account;
  if (callsTo === DEMO_ALIAS) return routeInbound(db, DEMO_ALIAS, asked);
  const setup = await readSetup(db, { accountId, campaignId: callsTo, number: asked.callerNumber });
  if (!setup || !isAnswering(setup)) return { found: false, reason: 'campaign_not_answering' };
  // The call and its transfers show a number of the campaign, if it has one.
  const number = await db
    .selectFrom('phoneNumbers')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('campaignId', '=', callsTo)
    .where('status', '=', 'active')
    .orderBy('id')
    .executeTakeFirst();
  return { found: true, accountId, number: number ?? null, setup, target: null };
}

/** Of a campaign that answers calls; null if it is not the account's, or does not. */
export async function campaignSetup(db: Db, asking: Omit<Asking, 'agentId'>): Promise<CallSetup | null> {
  const setup = await readSetup(db, asking);
  return setup && isAnswering(setup) ? setup : null;
}

/** One that may take calls; null if it is not the account's, or may not. */
export async function agentOf(
  db: Db,
  { accountId, id, number }: { accountId: string; id: string; number: string | null },
): Promise<AgentTable | null> {
  const row = await db
    .selectFrom('agents')
    .selectAll()
    .select((eb) => eb.exists(canariesOf(db, [eb.ref('agents.id')])).as('hasCanary'))
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where('isActive', '=', 1)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { hasCanary, ...agent } = row;
  return hasCanary ? ofCanary(agent, await runningCanaries(db, accountId, [id]), number) : agent;
}

const isAnswering = ({ campaign }: CallSetup): boolean =>
  campaign.status === 'RUNNING' || campaign.status === 'COMPLETED';

/** A call's row with its campaign, business and agent; null when it is missing or has ended. */
export async function readOpenCall(db: Db, callId: string): Promise<{ call: CallTable; setup: CallSetup } | null> {
  const call = await db
    .selectFrom('calls')
    .selectAll()
    .where('id', '=', callId)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  if (!call) return null;
  const { accountId, campaignId, direction, toNumber, fromNumber } = call;
  const asking = { accountId, campaignId, number: direction === 'outbound' ? toNumber : fromNumber };
  // The campaign may have had another agent since, and a look-up may have chosen one.
  const setup = (await readSetup(db, { ...asking, agentId: call.agentId })) ?? (await readSetup(db, asking));
  return setup ? { call, setup } : null;
}
