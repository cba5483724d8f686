// Reads due contacts for the plan: of the campaigns that would get a place, and of a few others, so that theirs outside
// the calling window are set aside too. A campaign that was found without any is left alone until its next contact is
// due or its contacts change. So a thousand campaigns cost little more than one.
import { type DiallingCampaign, type DiallingSnapshot, readDue } from '../../db/queries/dialling/due.ts';
import type { Db } from '../../db/sqlite.ts';
import { type Plan, type PlanInput, planDialling } from './planner.ts';

/** Campaigns that are read in turn besides those that get a place. */
const OTHERS_PER_LOOK = 8;
/** Where the wanted ones turn out to have nothing due, this many times more are read with the next. */
const READ_AHEAD_FACTOR = 8;
/** Contacts may change so that their count stays: such a change is seen this late. */
const QUIET_MAX_MS = 2_000;

interface Quiet {
  pending: number;
  untilMs: number;
  nextDueAt: number | null;
}

export class DueBook {
  readonly #read: Db;
  readonly #quiet = new Map<string, Quiet>();
  /** The last campaign that was read in turn. */
  #turn = '';

  constructor(read: Db) {
    this.#read = read;
  }

  /** Deferrals of this campaign are void. */
  forget(campaignId: string): void {
    this.#quiet.delete(campaignId);
  }

  /** Plans, reading into the input's snapshot what the plan needs. */
  async plan(input: PlanInput, nowMs: number): Promise<Plan> {
    const { snapshot } = input;
    this.#keep(snapshot);
    for (const campaign of snapshot.campaigns) this.#recall(campaign, nowMs);
    const others = inTurn(unreadOf(snapshot), this.#turn, OTHERS_PER_LOOK);
    for (const campaign of others) await this.#readDue(campaign, nowMs);
    this.#turn = others.at(-1)?.id ?? '';
    for (let ahead = 1; ; ahead *= READ_AHEAD_FACTOR) {
      const plan = planDialling(input, nowMs);
      if (plan.wanted.length === 0) return plan;
      for (const campaign of plan.wanted) await this.#readDue(campaign, nowMs);
      for (const campaign of unreadOf(snapshot).slice(0, ahead - 1)) await this.#readDue(campaign, nowMs);
    }
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

/**
 * The next `count` after the campaign `last`, from the first on again at the end. Campaigns are in the order of ids.
 */
function inTurn(campaigns: readonly DiallingCampaign[], last: string, count: number): DiallingCampaign[] {
  const from = campaigns.findIndex(({ id }) => id > last);
  const start = Math.max(0, from);
  return [...campaigns.slice(start), ...campaigns.slice(0, start)].slice(0, count);
}
