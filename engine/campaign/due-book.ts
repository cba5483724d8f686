// Reads due contacts for the plan: from the campaigns that would get a place, and from a few others, so that their
// contacts outside the calling window are deferred too. A campaign without due contacts is not read again until its
// next contact is due or its contacts change. So a thousand campaigns cost little more than one.
import { type DiallingCampaign, type DiallingSnapshot, readDue } from '../../db/queries/dialling/due.ts';
import type { Db } from '../../db/schema.ts';
import { type Plan, type PlanInput, planDialling } from './planner.ts';

/** Further campaigns read in turn, besides those that get a place, and how often at most. */
const OTHERS_PER_LOOK = 8;
const OTHERS_EVERY_MS = 100;
/** If the wanted campaigns have nothing due, this many times more are read with the next. */
const READ_AHEAD_FACTOR = 8;
/** Contacts may change without a change of their count: such a change is seen after this time at most. */
const QUIET_MAX_MS = 2_000;

interface Quiet {
  pending: number;
  untilMs: number;
  nextDueAt: number | null;
}

export class DueBook {
  readonly #read: Db;
  readonly #quiet = new Map<string, Quiet>();
  /** The last campaign read in turn. */
  #turn = '';
  #othersAtMs = Number.NEGATIVE_INFINITY;

  constructor(read: Db) {
    this.#read = read;
  }

  /** The deferrals of this campaign are void. */
  forget(campaignId: string): void {
    this.#quiet.delete(campaignId);
  }

  /** Plans, and reads the contacts that the plan needs into the input's snapshot. */
  async plan(input: PlanInput, nowMs: number): Promise<Plan> {
    const { snapshot } = input;
    this.#keep(snapshot);
    for (const campaign of snapshot.campaigns) this.#recall(campaign, nowMs);
    await this.#readOthers(snapshot, nowMs);
    for (let ahead = 1; ; ahead *= READ_AHEAD_FACTOR) {
      const plan = planDialling(input, nowMs);
      if (plan.wanted.length === 0) return plan;
      await this.#readAll(plan.wanted, nowMs);
      await this.#readAll(unreadOf(snapshot).slice(0, ahead - 1), nowMs);
    }
  }

  async #readOthers(snapshot: DiallingSnapshot, nowMs: number): Promise<void> {
    // The clock may be set back.
    if (Math.abs(nowMs - this.#othersAtMs) < OTHERS_EVERY_MS) return;
    this.#othersAtMs = nowMs;
    const others = inTurn(unreadOf(snapshot), this.#turn, OTHERS_PER_LOOK);
    await this.#readAll(others, nowMs);
    this.#turn = others.at(-1)?.id ?? '';
  }

  async #readAll(campaigns: readonly DiallingCampaign[], nowMs: number): Promise<void> {
    // A campaign may be wanted for several places.
    await Promise.all([...new Set(campaigns)].map((campaign) => this.#readDue(campaign, nowMs)));
  }

  async #readDue(campaign: DiallingCampaign, nowMs: number): Promise<void> {
    await readDue(this.#read, campaign, nowMs);
    const { id, pending, nextDueAt, due, running, maxConcurrentCalls } = campaign;
    if (due === null || due.length > 0 || running >= maxConcurrentCalls) return;
    const untilMs = Math.min(nextDueAt ?? Number.POSITIVE_INFINITY, nowMs + QUIET_MAX_MS);
    this.#quiet.set(id, { pending, untilMs, nextDueAt });
  }

  #recall(campaign: DiallingCampaign, nowMs: number): void {
    const quiet = this.#quiet.get(campaign.id);
    if (quiet === undefined) return;
    if (quiet.pending === campaign.pending && nowMs < quiet.untilMs && nowMs >= quiet.untilMs - QUIET_MAX_MS) {
      campaign.due = [];
      campaign.nextDueAt = quiet.nextDueAt;
    } else this.#quiet.delete(campaign.id);
  }

  #keep({ campaigns }: DiallingSnapshot): void {
    if (this.#quiet.size <= campaigns.length) return;
    const ids = new Set(campaigns.map(({ id }) => id));
    for (const id of this.#quiet.keys()) if (!ids.has(id)) this.#quiet.delete(id);
  }
}

const unreadOf = ({ campaigns }: DiallingSnapshot): DiallingCampaign[] => campaigns.filter(({ due }) => due === null);

/** The next `count` campaigns after `last`, in the order of ids, wrapping around at the end. */
function inTurn(campaigns: readonly DiallingCampaign[], last: string, count: number): DiallingCampaign[] {
  const from = campaigns.findIndex(({ id }) => id > last);
  const start = Math.max(0, from);
  return [...campaigns.slice(start), ...campaigns.slice(0, start)].slice(0, count);
}
