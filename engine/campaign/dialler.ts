// Runs the campaigns. Looks for due work when the database changes, when a call ends and when the plan says so; plans
// (planner.ts), claims durably, and only then dials. Its memory may be lost at any moment: who was called, who is on a
// call and what comes next are in the database.
import type { Logger } from 'pino';
import type { EndReason } from '../../db/domain/calls/ends.ts';
import { type CallTerminal, endOf } from '../../db/domain/calls/outcome.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { Lease } from '../../db/lease.ts';
import { type DiallingSnapshot, readDialling } from '../../db/queries/dialling/due.ts';
import { claimedCalls, type PlannedClaim } from '../../db/rules/dial-claims.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import type { Writer } from '../../db/writing/writer.ts';
import type { Clock } from '../clock.ts';
import type { Place, Places } from '../cluster/places.ts';
import type { TrunkSync } from '../sync/trunks.ts';
import { type Breaker, type BreakerEvent, breakerRoom, closedBreaker, stepBreaker } from './breaker.ts';
import { DueBook } from './due-book.ts';
import type { TrunkPaces } from './pace.ts';
import type { Plan, PlannedAttempt, PlanTrunk } from './planner.ts';
import { contactAfterAttempt } from './retry.ts';

/** A scheduled campaign starts within 5 s of its time, even if a timer is lost or the wall clock steps. */
const LOOK_AT_LEAST_EVERY_MS = 2_000;
/** Every write of a running call changes the database; these keep each one from triggering a look. */
const LOOK_AT_MOST_EVERY_MS = 20;
const CHANGE_DELAY_MS = 100;
/** Pause after a refusal or a fault before asking the database again. */
const PAUSE_AFTER_FAULT_MS = 1_000;
/** A slow database must not make a burst of calls. */
const AHEAD_MAX_MS = 100;

export interface DiallerOptions {
  read: Db;
  writer: Pick<Writer, 'run' | 'runDurably'>;
  trunks: Pick<TrunkSync, 'order' | 'limits' | 'isUp'>;
  paces: TrunkPaces;
  places: Pick<Places, 'maxCalls' | 'room' | 'take'>;
  /** Gives a place of this engine's own back. */
  release(): void;
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /**
   * Dials a claimed call that already has its place on this engine; the place is released at its end. False: closed
   * without being dialled.
   */
  dial(callId: string): Promise<boolean>;
  /** The lease under which it claims; null or absent for an engine that is alone. */
  lease?(): Pick<Lease, 'name' | 'epoch'> | null;
  /** Another engine was given the call. */
  onGiven(call: { callId: string; trunkId: string }): void;
}

export interface EndedCall {
  callId: string;
  accountId: string;
  trunkId: string | null;
  isOutbound: boolean;
  terminal: Pick<CallTerminal, 'endReason' | 'isAnswered'>;
}

export class Dialler {
  readonly #options: DiallerOptions;
  readonly #due: DueBook;
  readonly #breakers = new Map<string, Breaker>();
  readonly #lastServed = new Map<string, number>();
  /** The windows used to defer contacts; when one changes, its deferrals are void. */
  readonly #windows = new Map<string, string | null>();
  #sequence = 0;
  #cancelTimer: (() => void) | null = null;
  /** When the timer fires, by the monotonic clock. */
  #timerAtMs = Number.POSITIVE_INFINITY;
  #isLooking = false;
  #lookAgain = false;
  #isStopped = true;
  /** From one pass that claims to the next, on average. */
  #passMs = 0;

  constructor(options: DiallerOptions) {
    this.#options = options;
    this.#due = new DueBook(options.read);
  }

  start(): void {
    this.#isStopped = false;
    this.#wakeIn(0);
  }

  /** No new attempts from here on. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  /** The database has changed. */
  onChange(): void {
    this.#wakeIn(CHANGE_DELAY_MS);
  }

  /** A call has ended: a place is free, and its trunk's health may have changed. */
  onCallEnded({ trunkId, isOutbound, terminal }: Omit<EndedCall, 'callId' | 'accountId'>): void {
    if (isOutbound && trunkId !== null) this.#breaker(trunkId, trunkNews(terminal));
    this.#wakeIn(0);
  }

  /**
   * One pass: plans and dials. Resolves with the time of the next pass if nothing happens, or null if only an event
   * triggers it. Must not run concurrently with itself.
   */
  async look(): Promise<number | null> {
    const { read, clock } = this.#options;
    const nowMs = clock.nowMs();
    const beganMs = clock.monotonicMs();
    const snapshot = await readDialling(read, nowMs, this.#options.places.maxCalls);
    if (await this.#windowsChanged(snapshot)) return nowMs;
    const trunks = this.#planTrunks(nowMs);
    const room = this.#options.places.room('campaign');
    const aheadMs = Math.min(this.#passMs, AHEAD_MAX_MS);
    const plan = await this.#due.plan({ snapshot, trunks, room, lastServed: this.#lastServed, aheadMs }, nowMs);
    await this.#putAside(plan);
    const isSettled = plan.settle && (await this.#settle(nowMs));
    const isRefused = plan.attempts.length > 0 && (await this.#claim(plan.attempts, nowMs, beganMs));
    if (plan.attempts.length > 0) this.#notePass(clock.monotonicMs() - beganMs);
    if (isRefused) return nowMs + PAUSE_AFTER_FAULT_MS;
    return isSettled ? nowMs : plan.lookAgainAt;
  }

  #notePass(tookMs: number): void {
    // On a database that answers at once there is nothing to make up for.
    const passMs = tookMs < LOOK_AT_MOST_EVERY_MS ? 0 : tookMs + LOOK_AT_MOST_EVERY_MS;
    this.#passMs += (passMs - this.#passMs) / 8;
  }

  #wakeIn(delayMs: number): void {
    const { clock } = this.#options;
    if (this.#isStopped) return;
    if (this.#isLooking) this.#lookAgain = true;
    const waitMs = Math.max(LOOK_AT_MOST_EVERY_MS, delayMs);
    const atMs = clock.monotonicMs() + waitMs;
    if (atMs >= this.#timerAtMs && this.#cancelTimer !== null) return;
    this.#cancelTimer?.();
    this.#timerAtMs = atMs;
    this.#cancelTimer = clock.after(waitMs, () => void this.#onTimer());
  }

  async #onTimer(): Promise<void> {
    this.#cancelTimer = null;
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    if (this.#isLooking || this.#isStopped) return;
    this.#isLooking = true;
    this.#lookAgain = false;
    const { clock, log } = this.#options;
    let nextAtMs: number | null;
    try {
      nextAtMs = await this.look();
    } catch (error) {
      log.error({ error: messageOf(error) }, 'could not run a pass of the dialler');
      nextAtMs = clock.nowMs() + PAUSE_AFTER_FAULT_MS;
    }
    this.#isLooking = false;
    const latestMs = this.#lookAgain ? CHANGE_DELAY_MS : LOOK_AT_LEAST_EVERY_MS;
    // The plan uses wall-clock time; the bound brings the next pass even if the clock steps back.
    this.#wakeIn(nextAtMs === null ? latestMs : Math.min(nextAtMs - clock.nowMs(), latestMs));
  }

  #planTrunks(nowMs: number): PlanTrunk[] {
    const { trunks, paces, clock } = this.#options;
    const monotonicMs = clock.monotonicMs();
    paces.keep(trunks.order);
    for (const id of this.#breakers.keys()) if (!trunks.order.includes(id)) this.#breakers.delete(id);
    return trunks.order.flatMap((id) => {
      const limits = trunks.limits(id);
      if (limits === null) return [];
      const breaker = this.#breakers.get(id) ?? closedBreaker;
      return [
        {
          id,
          ...limits,
          isUp: trunks.isUp(id),
          pace: paces.of(id),
          breakerRoom: breakerRoom(breaker, monotonicMs),
          // Breakers run on the monotonic clock, the plan on the wall clock.
          breakerOpenUntilMs: breaker.openUntilMs === 0 ? 0 : breaker.openUntilMs - monotonicMs + nowMs,
        },
      ];
    });
  }

  /** True if contacts deferred by an old window are due again. */
  async #windowsChanged(snapshot: DiallingSnapshot): Promise<boolean> {
    let isChanged = false;
    for (const { id, callingWindow } of snapshot.campaigns) {
      const seen = this.#windows.get(id);
      this.#windows.set(id, callingWindow);
      if (seen === undefined || seen === callingWindow) continue;
      await this.#options.writer.run('forgetDeferrals', { campaignId: id });
      this.#due.forget(id);
      isChanged = true;
    }
    const ids = new Set(snapshot.campaigns.map(({ id }) => id));
    for (const id of this.#lastServed.keys()) if (!ids.has(id)) this.#lastServed.delete(id);
    return isChanged;
  }

  async #putAside(plan: Plan): Promise<void> {
    const { writer, log } = this.#options;
    if (plan.excluded.length > 0) {
      await writer.run('excludeContacts', { contactIds: plan.excluded });
      log.info({ contacts: plan.excluded.length }, 'contacts are on the do-not-call list');
    }
    if (plan.deferrals.length === 0) return;
    await writer.run('deferContacts', { contacts: plan.deferrals });
    const never = plan.deferrals.filter(({ nextAttemptAt }) => nextAttemptAt === null).length;
    if (never > 0)
      log.warn({ contacts: never }, 'no hour of the calling window fits all possible time zones of the number');
  }

  /** True if a campaign changed. */
  async #settle(nowMs: number): Promise<boolean> {
    const { started, completed, failed } = await this.#options.writer.run('settleCampaigns', { nowMs });
    const { log } = this.#options;
    for (const campaignId of started) log.info({ campaignId }, 'scheduled campaign starts');
    for (const campaignId of completed) log.info({ campaignId }, 'campaign completed');
    for (const campaignId of failed) log.error({ campaignId }, 'campaign failed: no trunk is configured');
    return started.length + completed.length + failed.length > 0;
  }

  /** Takes places, claims attempts and dials the claimed ones. True if some were refused or failed. */
  async #claim(attempts: readonly PlannedAttempt[], nowMs: number, plannedMs: number): Promise<boolean> {
    const { places, writer, log, trunks } = this.#options;
    const claims: Array<PlannedClaim & Pick<Place, 'isOwn'>> = [];
    const release = ({ isOwn }: Pick<Place, 'isOwn'>): void => {
      if (isOwn) this.#options.release();
    };
    for (const attempt of attempts) {
      const place = places.take('campaign');
      if (place === null) break;
      const trunkMaxCalls = trunks.limits(attempt.trunkId)?.maxConcurrentCalls ?? 0;
      claims.push({ ...attempt, ...place, callId: newId('call'), trunkMaxCalls });
    }
    let answers: Awaited<ReturnType<typeof writer.run<'claimAttempts'>>>;
    try {
      const lease = this.#options.lease?.() ?? null;
      answers = await writer.run('claimAttempts', { nowMs, maxCalls: places.maxCalls, attempts: claims, lease });
    } catch (error) {
      for (const claim of claims) release(claim);
      log.error({ attempts: claims.length, error: messageOf(error) }, 'could not claim attempts');
      await this.#closeLostClaims(claims);
      return true;
    }
    let isRefused = claims.length < attempts.length;
    for (const [i, claim] of claims.entries()) {
      const refusal = answers[i]?.refusal;
      if (refusal === null) {
        this.#dial(claim, plannedMs);
        continue;
      }
      release(claim);
      isRefused = true;
      log.info({ contactId: claim.contactId, campaignId: claim.campaignId, refusal }, 'contact not dialled');
    }
    return isRefused;
  }

  #dial(claim: PlannedClaim & Pick<Place, 'isOwn'>, plannedMs: number): void {
    const { dial, onGiven, paces, trunks, log } = this.#options;
    this.#lastServed.set(claim.campaignId, ++this.#sequence);
    paces.take(claim.trunkId, trunks.limits(claim.trunkId)?.callsPerSecond ?? 1, plannedMs);
    this.#breaker(claim.trunkId, { type: 'dialled' });
    if (!claim.isOwn) return onGiven(claim);
    dial(claim.callId).then(
      (isDialled) => {
        if (!isDialled) this.#breaker(claim.trunkId, { type: 'inconclusive' });
      },
      (error: unknown) => {
        this.#breaker(claim.trunkId, { type: 'inconclusive' });
        log.error({ callId: claim.callId, error: messageOf(error) }, 'could not dial a claimed call');
      },
    );
  }

  /**
   * The writer failed and may still have committed. A claimed attempt counts as made, whether or not it was dialled,
   * and its call is closed.
   */
  async #closeLostClaims(claims: readonly PlannedClaim[]): Promise<void> {
    const { read, clock } = this.#options;
    const lost = await claimedCalls(
      read,
      claims.map((claim) => claim.callId),
    );
    for (const { id, contactId } of lost)
      await failClaimed(this.#options, { callId: id, contactId, endReason: 'crash', nowMs: clock.nowMs() });
  }

  #breaker(trunkId: string, event: BreakerEvent): void {
    const before = this.#breakers.get(trunkId) ?? closedBreaker;
    const after = stepBreaker(before, event, this.#options.clock.monotonicMs());
    if (after === closedBreaker) this.#breakers.delete(trunkId);
    else this.#breakers.set(trunkId, after);
    if (after.openUntilMs !== before.openUntilMs && after.openUntilMs > 0) {
      this.#options.log.warn(
        { trunkId, failures: after.failures, pauseMs: after.pauseMs },
        'trunk failed repeatedly: campaigns pause on it',
      );
    }
  }
}

/** Closes a claimed call that cannot be dialled; its contact follows the retry rules. */
export async function failClaimed(
  { read, writer }: { read: Db; writer: Pick<Writer, 'runDurably'> },
  { callId, contactId, endReason, nowMs }: { callId: string; contactId: string; endReason: EndReason; nowMs: number },
): Promise<void> {
  const { outcome, retryable } = endOf(endReason);
  const attempt = { outcome, answered: false, retryable, endedAtMs: nowMs };
  const contact = await contactAfterAttempt(read, contactId, attempt);
  await writer.runDurably('endUndialledCall', { callId, endReason, nowMs, contact });
}

/** The news about its trunk in the end of a call. */
function trunkNews(terminal: EndedCall['terminal']): BreakerEvent {
  if (terminal.isAnswered) return { type: 'worked' };
  return { type: endOf(terminal.endReason).trunk ?? 'inconclusive' };
}
