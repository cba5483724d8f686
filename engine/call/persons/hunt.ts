// Performs the effects of hunt-machine.ts: looks for a person who takes the caller among the destinations, tells each
// who calls and why, and joins the first who accepts with the caller.
import type { Logger } from 'pino';
import type { TransferTry } from '../../../db/domain/call-timeline.ts';
import type { TransferAccept, TransferDestination } from '../../../db/domain/transfer-destinations.ts';
import { messageOf, unreachable } from '../../../db/domain/unexpected.ts';
import type { TransferTold } from '../../../db/queries/calls/life.ts';
import type { Shards } from '../../shard/shards.ts';
import type { Leg, StoredDialog } from '../../sip/telephony.ts';
import type { TransferContinuation } from '../going-on/transfer-continuation.ts';
import {
  type HuntEffect,
  type HuntEvent,
  type HuntState,
  startHunt,
  stepHunt,
  type Tried,
  type Wanted,
} from './hunt-machine.ts';
import { countReferral, type PersonCallContext, trunksToPerson } from './person-call.ts';
import { PersonLine, type PersonLineOptions } from './person-line.ts';
import type { PersonEvent } from './person-machine.ts';
import type { TransferOutcome } from './transfer-machine.ts';

export interface HuntOptions {
  context: PersonCallContext;
  /** Who is called, in rounds. */
  rounds: readonly (readonly TransferDestination[])[];
  /** The caller's leg, if its peer can be asked to call a number (REFER); null if only we can. */
  leg: Leg | null;
  shards: Shards;
  /** The business's own music; null: it has none. */
  holdMusic(): Promise<Int16Array | null>;
  /** The line to one of them; `slot` counts those of a round. */
  line(
    destination: TransferDestination,
    slot: number,
    round: number,
  ): Omit<PersonLineOptions, 'context' | 'destination' | 'step' | 'onChanged' | 'log' | 'shards'>;
  /** The person's dialog takes the place in which another process looks for it. */
  storeJoined(dialog: StoredDialog): void;
  /** Of the monotonic clock, as in the call's record. */
  positionOf(monotonicMs: number): number;
  guard(action: () => void): void;
  onChanged(isUrgent?: boolean): void;
  onTried(tried: TransferTry): void;
  /**
   * `told`: of a person who has the caller; `stays`: the agent goes on listening. `tried`: of nobody who has, what
   * became of each.
   */
  onOutcome(outcome: TransferOutcome, told: TransferTold | null, tried: readonly Tried[], stays: boolean): void;
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
  readonly #startedAtMs: number;
  #state: HuntState;
  /** Of the round, by its order. */
  #lines: Line[] = [];
  #referTimer: { cancel: () => void; dueAtMs: number } | null = null;
  #referredAtMs = 0;
  #isReferralCounted = false;
  #music: Promise<Int16Array | null> | null = null;
  #accepted: TransferAccept = 'none';
  #isLeft = false;
  /** Events that arise from an effect wait until all effects of this step are done. */
  readonly #waiting: HuntEvent[] = [];
  #isStepping = false;

  constructor(options: HuntOptions) {
    this.#options = options;
    this.#startedAtMs = options.context.deps.clock.monotonicMs();
    this.#state = { phase: 'done', plan: [], round: -1, persons: [], joined: null, tried: [] };
  }

  start(): void {
    const { rounds, leg, log } = this.#options;
    log.info({ rounds: rounds.length, persons: rounds.flat().length }, 'looking for a person');
    const plan = rounds.map((round) => round.map((each) => wantedOf(each, leg !== null)));
    this.#isStepping = true;
    try {
      this.#go(startHunt(plan));
    } finally {
      // Whatever happens, `close` lets go of those who were called.
      this.#isStepping = false;
    }
    this.#drain();
  }

  get personAudioId(): string | null {
    const { phase, joined } = this.#state;
    return phase !== 'bridged' || joined === null ? null : (this.#lines[joined]?.line.audioId ?? null);
  }

  /**
   * What another process needs: a person who has the caller keeps them, and a REFER goes on. In every other phase it
   * finds nobody, and the caller is back with the agent.
   */
  get continuation(): TransferContinuation {
    const { clock } = this.#options.context.deps;
    const { phase, joined, round } = this.#state;
    const target = this.#destination(round, joined ?? 0)?.target ?? '';
    const none = { target, referLeftMs: null, isReferralCounted: this.#isReferralCounted, person: null };
    if (phase === 'bridged' && joined !== null)
      return { ...none, state: { phase: 'bridged' }, person: this.#lines[joined]?.line.continuation ?? null };
    if (phase === 'referring')
      return {
        ...none,
        state: { phase: 'referring' },
        referLeftMs: this.#referTimer && Math.max(0, this.#referTimer.dueAtMs - clock.monotonicMs()),
      };
    return { ...none, state: { phase: 'opening' } };
  }

  onReferProgress(status: number): void {
    this.#step({ type: 'refer-progress', status });
  }

  /** The call is over, or it took too long: nobody is left on a line. */
  close(): void {
    this.#step({ type: 'abandoned' });
  }

  /** Another process has the call. */
  leave(): void {
    this.#isLeft = true;
    this.#referTimer?.cancel();
    for (const { line } of this.#lines) line.leave();
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
    const hasMoved = state.phase !== this.#state.phase || state.round !== this.#state.round;
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
    if (hasMoved) this.#options.onChanged(true);
  }

  #perform(effect: HuntEffect): void {
    const { context, shards, onPersonGone } = this.#options;
    const { clock } = context.deps;
    const { id: callId } = context.options.call;
    switch (effect.type) {
      case 'refer':
        void this.#refer();
        return;
      case 'arm-refer': {
        const cancel = clock.after(effect.delayMs, () => this.#step({ type: 'refer-timeout' }));
        this.#referTimer = { cancel, dueAtMs: clock.monotonicMs() + effect.delayMs };
        return;
      }
      case 'cancel-refer':
        this.#referTimer?.cancel();
        this.#referTimer = null;
        return;
      case 'hold-music':
        if (effect.isOn) this.#playMusic();
        else shards.send({ type: 'hold-music', callId, isOn: false });
        return;
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
        return onPersonGone(this.#stays);
      default:
        unreachable(effect);
    }
  }

  /** Ours, if the business's own cannot be read. */
  #playMusic(): void {
    const { context, shards, holdMusic, log } = this.#options;
    const { id: callId } = context.options.call;
    const play = (own: Int16Array | null) => {
      if (this.#state.phase !== 'calling' || this.#isLeft) return;
      shards.send({ type: 'hold-music', callId, isOn: true, ...(own === null ? {} : { own }) });
    };
    this.#music ??= holdMusic().catch((error: unknown) => {
      log.warn({ error: messageOf(error) }, 'the hold music of the business could not be read');
      return null;
    });
    void this.#music.then((own) => this.#options.guard(() => play(own)));
  }

  /** The number may not be called by the caller's side either. */
  async #refer(): Promise<void> {
    const { leg, context, log } = this.#options;
    const { permits, clock } = context.deps;
    const { accountId } = context.options.call;
    this.#referredAtMs = clock.monotonicMs();
    const { round } = this.#state;
    const target = this.#destination(round, 0)?.target ?? '';
    const isStill = () => this.#state.phase === 'referring' && this.#state.round === round && !this.#isLeft;
    try {
      const reason = await permits.obstacle({ accountId, trunkIds: await trunksToPerson(context), target });
      if (!isStill()) return;
      if (reason === null) return leg?.refer(target);
      log.warn({ reason }, 'the transfer was refused');
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'could not check whether the person may be called');
    }
    // Our own call of them is refused for the same reason.
    if (isStill()) this.#step({ type: 'refer-progress', status: 403 });
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
      onChanged: () => onChanged(),
      log: log.child({ destination: index }),
    });
    const made = { line, round, startedAtMs: positionOf(context.deps.clock.monotonicMs()), answeredAtMs: null };
    this.#lines[index] = made;
    return made;
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
    const { context, positionOf, onTried, log } = this.#options;
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
    line?.bridge(this.#stays);
    const dialog = line?.continuation?.leg?.dialog;
    if (dialog !== undefined) this.#options.storeJoined(dialog);
  }

  #report(outcome: TransferOutcome): void {
    const { context, onOutcome } = this.#options;
    const { deps, options, writes } = context;
    const { round, joined, tried } = this.#state;
    if (!this.#isReferralCounted && (outcome === 'accepted' || outcome === 'referred')) {
      this.#isReferralCounted = true;
      countReferral(options.call, deps.clock, writes);
    }
    const person = this.#destination(round, joined ?? 0);
    const hasCaller = outcome === 'bridged' || outcome === 'referred';
    const waitedMs = Math.round(deps.clock.monotonicMs() - this.#startedAtMs);
    const told =
      hasCaller && person ? { destination: person.name, mode: person.mode, accepted: this.#accepted, waitedMs } : null;
    onOutcome(outcome, told, tried, outcome === 'bridged' && this.#stays);
  }

  /** Whoever has the caller is one to whom the agent goes on listening. */
  get #stays(): boolean {
    const { round, joined } = this.#state;
    return joined !== null && this.#destination(round, joined)?.after === 'stay';
  }

  #destination(round: number, index: number): TransferDestination | undefined {
    return this.#options.rounds[round]?.[index];
  }
}

/** Of a key with its pause, and of a `w`; then the system may still be greeting. */
const KEY_MS = 250;
const WAIT_MS = 500;
const SYSTEM_MS = 2_000;

const extensionMs = (digits: string): number =>
  [...digits].reduce((sum, digit) => sum + (digit === 'w' ? WAIT_MS : KEY_MS), SYSTEM_MS);

function wantedOf({ name, mode, accept, extensionDigits, target }: TransferDestination, canRefer: boolean): Wanted {
  return {
    name,
    mode,
    manner: { accept, extensionMs: extensionDigits === null ? null : extensionMs(extensionDigits) },
    isReferable: canRefer && mode === 'blind' && !target.startsWith('sip:'),
  };
}
