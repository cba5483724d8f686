// Plans which contacts to dial next: a pure function of the due contacts, the limits of campaigns, trunks and engine,
// and the time. Without a database or clock, thirty days of dialling can be simulated in seconds.

import { callableAt } from '../../db/domain/hours/window-of-contact.ts';
import { outboundTrunkId } from '../../db/domain/outbound-trunk.ts';
import { type Pace, readyAt, takeToken } from '../../db/domain/pace.ts';
import type { DiallingCampaign, DiallingSnapshot, DueContact } from '../../db/queries/dialling/due.ts';
import { callingWindow } from '../../db/records/resources.ts';

export interface PlanTrunk {
  id: string;
  isUp: boolean;
  maxConcurrentCalls: number;
  callsPerSecond: number;
  pace: Pace;
  /** Calls that its circuit breaker allows now, and until when it is open. */
  breakerRoom: number;
  breakerOpenUntilMs: number;
}

export interface PlanInput {
  snapshot: DiallingSnapshot;
  /** Oldest first: the order for numbers without a trunk of their own. */
  trunks: readonly PlanTrunk[];
  /** Places of the engine that campaigns may take. */
  room: number;
  /** Calls leave when their claim is committed, and the next pass is later still: tokens that come until then serve. */
  aheadMs?: number;
  /** When a campaign last got a call, as an increasing sequence; absent: never. */
  lastServed: ReadonlyMap<string, number>;
}

export interface PlannedAttempt {
  contactId: string;
  toNumber: string;
  campaignId: string;
  accountId: string;
  phoneNumberId: string;
  trunkId: string;
  callingWindow: string | null;
}

export interface Plan {
  /** In dialling order. */
  attempts: PlannedAttempt[];
  /** Due, but outside their window: when it opens; null if it never does. */
  deferrals: Array<{ id: string; nextAttemptAt: number | null }>;
  /** Due, but on the do-not-call list. */
  excluded: string[];
  /** Campaigns whose due contacts must be read before the plan can be made. */
  wanted: DiallingCampaign[];
  /** Campaigns need to be started, completed or failed. */
  settle: boolean;
  /** When to plan again if nothing happens; null: only when something does. */
  lookAgainAt: number | null;
}

interface Line {
  campaign: DiallingCampaign;
  /** Due contacts whose window is open. */
  callable: number;
  /** The callable ones, unless their account holds them back. */
  waiting: DueContact[];
  running: number;
  /** Attempts of this plan. */
  planned: number;
  served: number;
}

interface TrunkRoom extends PlanTrunk {
  room: number;
}

type Route = { trunk: TrunkRoom; numberId: string } | { readyAtMs: number | null };

export function planDialling(input: PlanInput, nowMs: number): Plan {
  const { snapshot } = input;
  const plan: Plan = { attempts: [], deferrals: [], excluded: [], wanted: [], settle: false, lookAgainAt: null };
  const lookAt = (atMs: number | null): void => {
    if (atMs !== null && (plan.lookAgainAt === null || atMs < plan.lookAgainAt)) plan.lookAgainAt = atMs;
  };
  const lines = snapshot.campaigns.map((campaign) => sortDue(campaign, input, plan, nowMs));
  for (const { campaign, callable } of lines) {
    lookAt(campaign.nextDueAt);
    // All contacts read were deferred or excluded: beyond the batch there may be contacts whose window is open.
    if (campaign.hasMoreDue && callable === 0) lookAt(nowMs);
  }
  lookAt(snapshot.nextStartAt);
  const startsNow = snapshot.nextStartAt !== null && snapshot.nextStartAt <= nowMs;
  const isStranded = !snapshot.hasTrunk && lines.some((line) => line.waiting.length > 0);
  plan.settle = startsNow || snapshot.hasFinished || isStranded;
  if (snapshot.hasTrunk) lookAt(assign(lines, input, plan, nowMs));
  else plan.wanted = lines.flatMap(({ campaign }) => (campaign.due === null ? [campaign] : []));
  return plan;
}

/** Splits a campaign's due contacts into those to call, to defer and to exclude. */
function sortDue(campaign: DiallingCampaign, input: PlanInput, plan: Plan, nowMs: number): Line {
  const waiting: DueContact[] = [];
  const line: Line = {
    campaign,
    callable: 0,
    waiting,
    running: campaign.running,
    planned: 0,
    served: input.lastServed.get(campaign.id) ?? 0,
  };
  // Most of a thousand campaigns end here, without even reading their window.
  if (campaign.due === null || campaign.due.length === 0) return line;
  const atOf = callableAt(callingWindow(campaign), campaign.timezone, nowMs);
  for (const contact of campaign.due) {
    if (contact.isListed) {
      plan.excluded.push(contact.id);
      continue;
    }
    const at = atOf(contact.phoneNumber);
    if (at === nowMs) waiting.push(contact);
    else plan.deferrals.push({ id: contact.id, nextAttemptAt: at });
  }
  line.callable = waiting.length;
  return campaign.held === null ? line : { ...line, waiting: [] };
}

/** The campaigns of one account, the next to be served first. */
interface Queue {
  lines: Line[];
  served: number;
  /** Calls that the account may still begin. */
  room: number;
}

/**
 * Gives places one by one, to the accounts in turn, so that none takes a trunk's whole pace; within an account to the
 * campaign with the fewest calls; ties go to the least recently served. A campaign whose contacts are not read becomes
 * wanted, and takes a place as if it had contacts. Returns when a trunk is ready for a call that had to wait.
 */
function assign(lines: Line[], input: PlanInput, plan: Plan, nowMs: number): number | null {
  const trunks = input.trunks.map(
    (trunk): TrunkRoom => ({
      ...trunk,
      room: Math.min(trunk.breakerRoom, trunk.maxConcurrentCalls - (input.snapshot.trunkCalls.get(trunk.id) ?? 0)),
    }),
  );
  let served = Math.max(0, ...input.lastServed.values());
  let readyAtMs: number | null = null;
  const queues = queuesOf(lines, input);
  for (let room = input.room; room > 0; ) {
    const queue = queues[0];
    const line = queue?.lines.shift();
    if (queue === undefined || line === undefined) break;
    const { campaign } = line;
    const route = line.running < campaign.maxConcurrentCalls ? routeOf(line, trunks, nowMs, input.aheadMs) : null;
    if (route !== null && 'trunk' in route) {
      const contact = line.waiting.shift();
      if (contact !== undefined) {
        const { id: campaignId, accountId, callingWindow } = campaign;
        const [phoneNumberId, trunkId] = [route.numberId, route.trunk.id];
        const { id: contactId, phoneNumber: toNumber } = contact;
        plan.attempts.push({ contactId, toNumber, campaignId, accountId, phoneNumberId, trunkId, callingWindow });
      } else plan.wanted.push(campaign);
      route.trunk.room--;
      route.trunk.pace = takeToken(route.trunk.pace, route.trunk.callsPerSecond, nowMs);
      line.running++;
      line.planned++;
      line.served = ++served;
      queue.served = served;
      queue.room--;
      room--;
      if (line.waiting.length > 0) insert(queue.lines, line, byTurn);
    } else if (route !== null && route.readyAtMs !== null) {
      readyAtMs = Math.min(readyAtMs ?? route.readyAtMs, route.readyAtMs);
    }
    queues.shift();
    if (queue.lines.length > 0 && queue.room > 0) insert(queues, queue, leastRecently);
  }
  return readyAtMs;
}

function queuesOf(lines: readonly Line[], { snapshot, lastServed }: PlanInput): Queue[] {
  const byAccount = new Map<string, Queue>();
  for (const line of lines) {
    const { accountId, id } = line.campaign;
    const known = byAccount.get(accountId);
    const room = snapshot.accountRooms.get(accountId) ?? Number.POSITIVE_INFINITY;
    const queue = known ?? { lines: [], served: 0, room };
    byAccount.set(accountId, queue);
    queue.served = Math.max(queue.served, lastServed.get(id) ?? 0);
    if (line.waiting.length > 0 || isUnread(line.campaign)) queue.lines.push(line);
  }
  const queues = [...byAccount.values()].filter((queue) => queue.lines.length > 0 && queue.room > 0);
  for (const queue of queues) queue.lines.sort(byTurn);
  return queues.sort(leastRecently);
}

const isUnread = ({ due, held }: DiallingCampaign): boolean => due === null && held === null;

const byTurn = (a: Line, b: Line): number => a.running - b.running || a.served - b.served;

const leastRecently = (a: Queue, b: Queue): number => a.served - b.served;

/** Keeps `sorted` in its order. */
function insert<T>(sorted: T[], added: T, order: (a: T, b: T) => number): void {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = sorted[middle];
    if (other !== undefined && order(other, added) <= 0) from = middle + 1;
    else to = middle;
  }
  sorted.splice(from, 0, added);
}

/** Takes the campaign's numbers in turn: the first whose trunk accepts a call now, else the time when one will. */
function routeOf({ campaign, planned }: Line, trunks: readonly TrunkRoom[], nowMs: number, aheadMs = 0): Route {
  const { numbers } = campaign;
  const order = trunks.map(({ id }) => id);
  let readyAtMs: number | null = null;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[(campaign.placed + planned + i) % numbers.length];
    if (number === undefined) break;
    const trunkId = outboundTrunkId(number.trunkId, order);
    const trunk = trunks.find((candidate) => candidate.id === trunkId);
    if (trunk === undefined || !trunk.isUp) continue;
    const ready = trunk.room > 0 ? readyAt(trunk.pace, trunk.callsPerSecond) - aheadMs : trunk.breakerOpenUntilMs;
    // A full trunk is checked again when one of its calls ends; an open breaker and a pace have a known time.
    if (trunk.room > 0 && ready <= nowMs) return { trunk, numberId: number.id };
    if (ready > nowMs) readyAtMs = Math.min(readyAtMs ?? ready, ready);
  }
  return { readyAtMs };
}
