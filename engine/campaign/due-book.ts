// Reads due contacts for the plan: from the campaigns that would get a place, and from a few others, so that their
// contacts outside the calling window are deferred too. A campaign without due contacts is not read again until its
// next contact is due or its contacts change. So a thousand campaigns cost little more than one.
import {
  type DiallingCampaign,
  type DiallingSnapshot,
  type DueContact,
  readDue,
} from '../../db/queries/dialling/due.ts';
import type { Db } from '../../db/schema.ts';
import { type Plan, type PlanInput, planDialling } from './planner.ts';

/** Further campaigns read in turn, besides those that get a place, and how often at most. */
const OTHERS_PER_LOOK = 8;
const OTHERS_EVERY_MS = 100;
/** If the wanted campaigns have nothing due, this many times more are read with the next. */
const READ_AHEAD_FACTOR = 8;
/** Contacts may change without a change of their count: such a change is seen after this time at most. */
const QUIET_MAX_MS = 2_000;

/** A list of due contacts serves several passes, for so long: a claim looks at each of them again. */
const KEPT_MS = 500;
/** One that is shorter is read again, where there are more. */
const KEPT_MIN = 10;

/** Contacts of a campaign that were read and not handed out. */
interface Kept extends Pick<DiallingCampaign, 'hasMoreDue' | 'nextDueAt'> {
  due: DueContact[];
  /** As it will be if nobody else changes a contact. */
  pending: number;
  readAtMs: number;
}

interface Quiet {
  pending: number;
  untilMs: number;
  nextDueAt: number | null;
}

export class DueBook {
  readonly #read: Db;
  readonly #quiet = new Map<string, Quiet>();
  readonly #kept = new Map<string, Kept>();
  /** The last campaign read in turn. */
  #turn = '';
  #othersAtMs = Number.NEGATIVE_INFINITY;

  constructor(read: Db) {
    this.#read = read;
  }

  /** The deferrals of this campaign are void. */
  forget(campaignId: string): void {
    this.#quiet.delete(campaignId);
    this.#kept.delete(campaignId);
  }

  /** Plans, and reads the contacts that the plan needs into the input's snapshot. */
  async plan(input: PlanInput, nowMs: number): Promise<Plan> {
    const { snapshot } = input;
    this.#keep(snapshot);
    for (const campaign of snapshot.campaigns) this.#recall(campaign, nowMs);
    await this.#readOthers(snapshot, nowMs);
    for (let ahead = 1; ; ahead *= READ_AHEAD_FACTOR) {
      const plan = planDialling(input, nowMs);
      if (plan.wanted.length === 0) {
        this.#keepRest(snapshot, plan, nowMs);
        return plan;
      }
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

  /** Keeps what the plan leaves of the lists. */
  #keepRest({ campaigns }: DiallingSnapshot, plan: Plan, nowMs: number): void {
    const finished = [
      ...plan.excluded,
      ...plan.deferrals.flatMap((each) => (each.nextAttemptAt === null ? each.id : [])),
    ];
    // An attempt that is not claimed after all stays PENDING: the number differs then, and the list is read again.
    const leaving = new Set([...plan.attempts.map(({ contactId }) => contactId), ...finished]);
    const used = new Set([...leaving, ...plan.deferrals.map(({ id }) => id)]);
    for (const { id, due, pending, hasMoreDue, nextDueAt } of campaigns) {
      if (due === null) continue;
      const rest = due.filter((contact) => !used.has(contact.id));
      const left = pending - due.filter((contact) => leaving.has(contact.id)).length;
      const readAtMs = this.#kept.get(id)?.readAtMs ?? nowMs;
      if (rest.length >= (hasMoreDue ? KEPT_MIN : 1))
        this.#kept.set(id, { due: rest, pending: left, hasMoreDue, nextDueAt, readAtMs });
      else this.#kept.delete(id);
    }
  }

  #recall(campaign: DiallingCampaign, nowMs: number): void {
    const kept = this.#kept.get(campaign.id);
    if (kept !== undefined) {
      const isFresh = nowMs >= kept.readAtMs && nowMs < Math.min(kept.readAtMs + KEPT_MS, kept.nextDueAt ?? Infinity);
      if (isFresh && kept.pending === campaign.pending && campaign.running < campaign.maxConcurrentCalls) {
        campaign.due = kept.due;
        campaign.hasMoreDue = kept.hasMoreDue;
        campaign.nextDueAt = kept.nextDueAt;
        return;
      }
      this.#kept.delete(campaign.id);
    }
    const quiet = this.#quiet.get(campaign.id);
    if (quiet === undefined) return;
    if (quiet.pending === campaign.pending && nowMs < quiet.untilMs && nowMs >= quiet.untilMs - QUIET_MAX_MS) {
      campaign.due = [];
      campaign.nextDueAt = quiet.nextDueAt;
    } else this.#quiet.delete(campaign.id);
  }

  #keep({ campaigns }: DiallingSnapshot): void {
    if (Math.max(this.#quiet.size, this.#kept.size) <= campaigns.length) return;
    const ids = new Set(campaigns.map(({ id }) => id));
    for (const book of [this.#quiet, this.#kept]) for (const id of book.keys()) if (!ids.has(id)) book.delete(id);
  }
}

const unreadOf = ({ campaigns }: DiallingSnapshot): DiallingCampaign[] => campaigns.filter(({ due }) => due === null);

/** The next `count` campaigns after `last`, in the order of ids, wrapping around at the end. */
function inTurn(campaigns: readonly DiallingCampaign[], last: string, count: number): DiallingCampaign[] {
  const from = campaigns.findIndex(({ id }) => id > last);
  const start = Math.max(0, from);
  return [...campaigns.slice(start), ...campaigns.slice(0, start)].slice(0, count);
}
