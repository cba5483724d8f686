// Performs the effects of hunt-machine.ts: looks for a person who takes the caller among the destinations, tells each
// who calls and why, and joins the first who accepts with the caller. `transferNumber` is a hunt of one round for one
// person, who hears an announcement and is asked nothing.
import type { Logger } from 'pino';
import type { TransferAccept, TransferDestination } from '../../../db/domain/numbers/transfer-destinations.ts';
import { messageOf, unreachable } from '../../../db/domain/unexpected.ts';
import type { TransferTold } from '../../../db/queries/calls/running/changes.ts';
import type { Shards } from '../../shard/shards.ts';
import type { Leg, StoredDialog } from '../../sip/telephony.ts';
import type { TakenTransfer, TransferContinuation, TransferPhase } from '../going-on/transfer-continuation.ts';
import {
  type HuntEffect,
  type HuntEvent,
  type HuntState,
  resumedHunt,
  startHunt,
  stepHunt,
  type TransferOutcome,
  type Tried,
  wantedOf,
} from './hunt-machine.ts';
import type { HuntManner } from './hunt-manner.ts';
import { countReferral, type PersonCallContext, trunksToPerson } from './person-call.ts';
import { PersonLine, type PersonLineOptions } from './person-line.ts';
import type { PersonEvent } from './person-machine.ts';

/** Of the line to a person: all but what the hunt itself gives it. */
export type HuntedLine = Omit<
  PersonLineOptions,
  'context' | 'destination' | 'step' | 'onHandOn' | 'onChanged' | 'log' | 'shards'
>;

export interface HuntOptions {
  context: PersonCallContext;
  /** The persons to call, in rounds. */
  rounds: TransferDestination[][];
  manner: HuntManner;
  /** The caller's leg, if its peer can be asked to call a number (REFER); null if only we can. */
  leg: Leg | null;
  shards: Shards;
  onStart(): void;
  /** The line to one of them; `slot` counts those of a round. */
  line(destination: TransferDestination, slot: number, round: number): HuntedLine;
  /** The dialog of who was found takes the place in which another process looks for it. */
  storeJoined(dialog: StoredDialog): void;
  /** Of the monotonic clock, as in the call's record. */
  positionOf(monotonicMs: number): number;
  guard(action: () => void): void;
  onChanged(isUrgent?: boolean): void;
  /**
   * `told`: of the person who has the caller. `tried`: who was called before them, or in vain, and what became of each.
   * `stays`: the agent goes on listening.
   */
  onOutcome(outcome: TransferOutcome, told: TransferTold | null, tried: readonly Tried[], stays: boolean): void;
  /** The person who has the caller hands them on, and is let go. */
  onHandedOn(hunt: Hunt, from: string, to: string): void;
  /** `stays`: the agent listened to both, and has the caller again. */
  onPersonGone(stays: boolean): void;
  log: Logger;
}

interface Line {
  line: PersonLine;
  round: number;
  startedAtMs: number;
  answeredAtMs: number | null;
}

export class Hunt {
  readonly #options: HuntOptions;
  /** Since then the caller waits, by the monotonic clock. */
  #startedAtMs: number;
  #state: HuntState;
  /** Of the round, by its order. */
  #lines: Line[] = [];
  #referTimer: { cancel: () => void; dueAtMs: number } | null = null;
  #referredAtMs = 0;
  #isReferralCounted = false;
  #music: Promise<Int16Array | null> | null = null;
  #accepted: TransferAccept = 'none';
  #isLeft = false;
  #isClosed = false;
  /** Events that arise from an effect wait until all effects of this step are done. */
  readonly #waiting: HuntEvent[] = [];
  #isStepping = false;

  constructor(options: HuntOptions) {
    this.#options = options;
    this.#startedAtMs = options.context.deps.clock.monotonicMs();
    this.#state = { phase: 'done', plan: [], round: -1, persons: [], joined: null, tried: [] };
  }

  start(): void {
    const { rounds, leg, log, manner } = this.#options;
    log.info({ by: leg === null ? 'call' : 'REFER', persons: rounds.flat().length }, 'looking for a person');
    this.#options.onStart();
    if (manner.isPermittedFirst) void this.#startIfAllowed();
    else this.#start();
  }

  /** The caller hears silence until it is known whether the number may be called. */
  async #startIfAllowed(): Promise<void> {
    const isAllowed = await this.#isAllowed();
    if (this.#isClosed || this.#isLeft) return;
    this.#options.guard(() => (isAllowed ? this.#start() : this.#options.onOutcome('failed', null, [], false)));
  }

  #start(): void {
    this.#isStepping = true;
    try {
      this.#go(startHunt(this.#plan));
    } finally {
      // Whatever happens, `close` lets go of those who were called.
      this.#isStepping = false;
    }
    this.#drain();
  }

  /** As another process has left it; then `goOn`. */
  restore({ from, elapsedMs }: TakenTransfer): void {
    const { state, hunt = null } = from;
    const { round, index } = hunt ?? { round: 0, index: 0 };
    this.#isReferralCounted = from.isReferralCounted;
    this.#accepted = hunt?.accepted ?? 'none';
    this.#startedAtMs -= (hunt?.waitedMs ?? 0) + elapsedMs;
    this.#state = resumedHunt(this.#plan, { phase: state.phase, round, index });
  }

  goOn({ from, ...taken }: TakenTransfer): void {
    const { state, referLeftMs, person } = from;
    const { round, joined } = this.#state;
    this.#referredAtMs = this.#options.context.deps.clock.monotonicMs();
    if (referLeftMs !== null) this.#armRefer(Math.max(0, referLeftMs - taken.elapsedMs));
    if (person === null) return;
    const isJoined = state.phase === 'bridged';
    this.#lineOf(round, joined ?? 0)?.line.goOn({ ...taken, person }, { isJoined, hears: isJoined && this.stays });
  }

  get #plan(): HuntState['plan'] {
    const { rounds, leg, manner } = this.#options;
    return rounds.map((round) => round.map((each) => wantedOf(each, leg !== null, manner.isAnnounced)));
  }

  get personAudioId(): string | null {
    const { phase, joined } = this.#state;
    return phase !== 'bridged' || joined === null ? null : (this.#lines[joined]?.line.audioId ?? null);
  }

  /** For another process, which goes on with it. */
  get continuation(): TransferContinuation {
    const { rounds, manner, context } = this.#options;
    const { joined } = this.#state;
    const { clock } = context.deps;
    const index = joined ?? 0;
    const round = Math.min(Math.max(0, this.#state.round), rounds.length - 1);
    const phase = this.#phase;
    const of = { rounds, round: this.#state.round, index, accepted: this.#accepted, waitedMs: this.#waitedMs };
    const hunt = manner.continuationOf(phase, of);
    return {
      target: this.#destination(round, index)?.target ?? '',
      state: { phase },
      referLeftMs: this.#referTimer && Math.max(0, this.#referTimer.dueAtMs - clock.monotonicMs()),
      isReferralCounted: this.#isReferralCounted,
      person: manner.keepsLine(phase) ? (this.#lines[index]?.line.continuation ?? null) : null,
      ...(hunt === null ? {} : { hunt }),
    };
  }

  get #phase(): TransferPhase {
    return this.#options.manner.phaseOf(this.#state);
  }

  get #waitedMs(): number {
    return Math.round(this.#options.context.deps.clock.monotonicMs() - this.#startedAtMs);
  }

  onReferProgress(status: number): void {
    this.#step({ type: 'refer-progress', status });
  }

  /** The call is over, or it took too long: nobody is left on a line. */
  close(): void {
    this.#isClosed = true;
    this.#step({ type: 'abandoned' });
  }

  /** Another process has the call. */
  leave(): void {
    this.#isLeft = true;
    this.#referTimer?.cancel();
    // A hunt that goes on has only the line of the person who has the caller.
    for (const each of this.#lines) each?.line.leave();
  }

  #step(event: HuntEvent): void {
    this.#waiting.push(event);
    if (!this.#isStepping) this.#drain();
  }

  #drain(): void {
    this.#isStepping = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const event = next;
      if (!this.#isLeft) this.#options.guard(() => this.#go(stepHunt(this.#state, event)));
    }
    this.#isStepping = false;
  }

  #go([state, effects]: readonly [HuntState, HuntEffect[]]): void {
    const before = { ...this.#state, described: this.#phase };
    this.#state = state;
    const hasMoved = state.phase !== before.phase || state.round !== before.round || this.#phase !== before.described;
    for (const effect of effects) this.#perform(effect);
    // Another process that goes on in an earlier phase would call the person again, or wait for one who has answered.
    if (hasMoved) this.#options.onChanged(true);
  }

  #perform(effect: HuntEffect): void {
    const { onPersonGone } = this.#options;
    switch (effect.type) {
      case 'refer':
        void this.#refer();
        return;
      case 'arm-refer':
        return this.#armRefer(effect.delayMs);
      case 'cancel-refer':
        this.#referTimer?.cancel();
        this.#referTimer = null;
        return;
      case 'hold-music':
        return this.#holdMusic(effect.isOn);
      case 'person':
        return this.#lineOf(effect.round, effect.index)?.line.perform(effect.effect);
      case 'tried':
        return this.#tried(effect);
      case 'bridge':
        return this.#bridge(effect);
      case 'unbridge':
        return this.#lines[this.#state.joined ?? 0]?.line.unbridge();
      case 'report':
        return this.#report(effect.outcome);
      case 'report-person-gone':
        return onPersonGone(this.stays);
      default:
        unreachable(effect);
    }
  }

  #armRefer(delayMs: number): void {
    const { clock } = this.#options.context.deps;
    const cancel = clock.after(delayMs, () => this.#step({ type: 'refer-timeout' }));
    this.#referTimer = { cancel, dueAtMs: clock.monotonicMs() + delayMs };
  }

  /** Ours, if the business's own cannot be read. */
  #holdMusic(isOn: boolean): void {
    const { context, shards, log } = this.#options;
    const { holdMusic } = this.#options.manner;
    const { id: callId } = context.options.call;
    if (holdMusic === null) return;
    if (!isOn) {
      shards.send({ type: 'hold-music', callId, isOn });
      return;
    }
    const play = (own: Int16Array | null) => {
      if (this.#state.phase !== 'calling' || this.#isLeft) return;
      shards.send({ type: 'hold-music', callId, isOn, ...(own === null ? {} : { own }) });
    };
    this.#music ??= holdMusic().catch((error: unknown) => {
      log.warn({ error: messageOf(error) }, 'the hold music of the business could not be read');
      return null;
    });
    void this.#music.then((own) => this.#options.guard(() => play(own)));
  }

  async #refer(): Promise<void> {
    const { leg, context, manner } = this.#options;
    this.#referredAtMs = context.deps.clock.monotonicMs();
    const { round } = this.#state;
    const target = this.#destination(round, 0)?.target ?? '';
    if (manner.isPermittedFirst) return leg?.refer(target);
    const isAllowed = await this.#isAllowed();
    if (this.#state.phase !== 'referring' || this.#state.round !== round || this.#isLeft) return;
    if (isAllowed) return leg?.refer(target);
    // Our own call of them is refused for the same reason.
    this.#step({ type: 'refer-progress', status: 403 });
  }

  /** Whether the first of the round may be called, by the caller's side or by us. */
  async #isAllowed(): Promise<boolean> {
    const { context, log } = this.#options;
    const { accountId } = context.options.call;
    const target = this.#destination(Math.max(0, this.#state.round), 0)?.target ?? '';
    try {
      const trunkIds = await trunksToPerson(context);
      const reason = await context.deps.permits.obstacle({ accountId, trunkIds, target });
      if (reason !== null) log.warn({ reason }, 'the transfer was refused');
      return reason === null;
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'could not check whether the person may be called');
      return false;
    }
  }

  #lineOf(round: number, index: number): Line | null {
    const known = this.#lines[index];
    if (known?.round === round) return known;
    const destination = this.#destination(round, index);
    if (destination === undefined) return null;
    const { context, shards, log, positionOf, onChanged } = this.#options;
    const of = this.#options.line(destination, index, round);
    const line = new PersonLine({
      ...{ context, shards, destination, ...of },
      step: (event) => this.#onPerson(round, index, event),
      onHandOn: (target) => this.#handOn(index, destination.target, target),
      onChanged: () => onChanged(),
      log: log.child({ destination: index }),
    });
    const made = { line, round, startedAtMs: positionOf(context.deps.clock.monotonicMs()), answeredAtMs: null };
    this.#lines[index] = made;
    return made;
  }

  /** An agent who listens has the caller back when the person hangs up, and passes them on itself. */
  #handOn(index: number, from: string, to: string): (() => void) | null {
    const { phase, joined } = this.#state;
    if (phase !== 'bridged' || joined !== index || this.stays || this.#isClosed || this.#isLeft) return null;
    return () => this.#options.guard(() => this.#options.onHandedOn(this, from, to));
  }

  #onPerson(round: number, index: number, event: PersonEvent): void {
    const { context, positionOf } = this.#options;
    const { clock } = context.deps;
    const of = this.#lines[index];
    // Of a round that is over: its line has hung up by itself.
    if (of?.round !== round || round !== this.#state.round) return;
    if (event.type === 'answered') of.answeredAtMs = positionOf(clock.monotonicMs());
    this.#step({ type: 'person', index, event });
  }

  #tried({ round, index, result }: Extract<HuntEffect, { type: 'tried' }>): void {
    const { context, positionOf, log } = this.#options;
    const { onTried } = this.#options.manner;
    if (onTried === null) return;
    const { clock } = context.deps;
    const destination = this.#destination(round, index);
    if (destination === undefined) return;
    const line = this.#lines[index]?.round === round ? this.#lines[index] : null;
    const startedAtMs = line?.startedAtMs ?? positionOf(this.#referredAtMs);
    const { name, mode } = destination;
    const tookMs = positionOf(clock.monotonicMs()) - startedAtMs;
    onTried({ destination: name, mode, startedAtMs, tookMs, answeredAtMs: line?.answeredAtMs ?? null, result });
    log.info({ destination: index, result, tookMs }, 'a person was tried');
  }

  #bridge({ index, accepted }: Extract<HuntEffect, { type: 'bridge' }>): void {
    this.#accepted = accepted;
    const line = this.#lines[index]?.line;
    line?.bridge(this.stays);
    const dialog = line?.continuation?.leg?.dialog;
    if (dialog !== undefined) this.#options.storeJoined(dialog);
  }

  #report(outcome: TransferOutcome): void {
    const { context, onOutcome } = this.#options;
    const { deps, options, writes } = context;
    const hasCaller = outcome === 'bridged' || outcome === 'referred';
    onOutcome(outcome, hasCaller ? this.told : null, this.#state.tried, outcome === 'bridged' && this.stays);
    // Many peers accept, hang up, and report nothing.
    if (this.#isReferralCounted || (outcome !== 'accepted' && outcome !== 'referred')) return;
    this.#isReferralCounted = true;
    countReferral(options.call, deps.clock, writes);
  }

  /** For `call.transferred`, of the person who has the caller; null: nothing is told. */
  get told(): TransferTold | null {
    const { round, joined } = this.#state;
    const person = this.#destination(round, joined ?? 0);
    if (person === undefined) return null;
    const { name: destination, mode } = person;
    return this.#options.manner.told({ destination, mode, accepted: this.#accepted, waitedMs: this.#waitedMs });
  }

  /** The agent goes on listening to the one who has the caller. */
  get stays(): boolean {
    const { round, joined } = this.#state;
    return joined !== null && this.#destination(round, joined)?.after === 'stay';
  }

  #destination(round: number, index: number): TransferDestination | undefined {
    return this.#options.rounds[round]?.[index];
  }
}
