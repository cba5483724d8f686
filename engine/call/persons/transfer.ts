// Performs transfer-machine.ts's effects on the person's leg and on their audio in the shard.
import type { Logger } from 'pino';
import { messageOf, unreachable } from '../../../db/domain/unexpected.ts';
import type { Shards } from '../../shard/shards.ts';
import type { Leg } from '../../sip/telephony.ts';
import { personIdOf, type TakenTransfer, type TransferContinuation } from '../going-on/transfer-continuation.ts';
import { PersonAudio, type PersonAudioOptions } from './person-audio.ts';
import { countReferral, PersonCall, type PersonCallContext, trunksToPerson } from './person-call.ts';
import {
  startTransfer,
  stepTransfer,
  type TransferEffect,
  type TransferEvent,
  type TransferOutcome,
  type TransferState,
} from './transfer-machine.ts';

export interface TransferOptions extends Pick<PersonAudioOptions, 'open' | 'announcement'> {
  context: PersonCallContext;
  shards: Shards;
  /** E.164, or `sip:USERNAME` for a softphone. */
  target: string;
  /** The caller's leg, if its peer can be asked to call the person (REFER); null if only we can. */
  leg: Leg | null;
  /** An exception in it ends the call, and no other. */
  guard(action: () => void): void;
  /** Something that another process would need to know. `isUrgent`: what it would read now is wrong. */
  onChanged(isUrgent?: boolean): void;
  onOutcome(outcome: TransferOutcome): void;
  /** The person hung up after both were joined. */
  onPersonGone(): void;
  log: Logger;
}

export class Transfer {
  readonly #options: TransferOptions;
  readonly #audio: PersonAudio;
  #state: TransferState = { phase: 'done' };
  readonly #call: PersonCall;
  #timer: { cancel: () => void; dueAtMs: number } | null = null;
  #isClosed = false;
  #isLeft = false;
  #isReferralCounted = false;

  constructor(options: TransferOptions) {
    this.#options = options;
    const { context, shards, open, announcement, target, log, onChanged } = options;
    const { telephony } = context.deps;
    const callId = context.options.call.id;
    const nothing = (): void => undefined;
    this.#audio = new PersonAudio({
      ...{ callId, audioId: personIdOf(callId), telephony, shards, open, announcement },
      onOpened: (audio) => this.#step({ type: 'audio-opened', audio }),
      onFailed: () => this.#step({ type: 'audio-failed' }),
      onHeard: () => this.#step({ type: 'announcement-heard' }),
      ...{ onVerdict: nothing, onSaid: nothing, onKey: nothing, onDigitsRefused: nothing },
      onSilent: () => this.#call.refresh(),
    });
    this.#call = new PersonCall({
      ...{ ...context, target, log, onChanged },
      onAnswered: (audio) => this.#step({ type: 'person-answered', audio }),
      onAudioChanged: (audio) => this.#step({ type: 'person-audio-changed', audio }),
      onEnded: () => this.#step({ type: 'person-ended' }),
    });
  }

  /** If the target may not be called, the transfer has failed; the caller hears silence until that is known. */
  async start(): Promise<void> {
    const { leg, log, context, target, onOutcome } = this.#options;
    const { accountId } = context.options.call;
    try {
      const reason = await context.deps.permits.obstacle({
        accountId,
        trunkIds: await trunksToPerson(context),
        target,
      });
      if (this.#isClosed || this.#isLeft) return;
      if (reason !== null) {
        log.warn({ reason }, 'the transfer was refused');
        return onOutcome('failed');
      }
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'could not check whether the person may be called');
      if (!this.#isClosed) onOutcome('failed');
      return;
    }
    log.info({ by: leg === null ? 'call' : 'REFER' }, 'transfer');
    this.#go(startTransfer(leg !== null));
  }

  /** Goes on with the transfer of another process. */
  goOn({ from, elapsedMs, pulse, leg: moved }: TakenTransfer): void {
    const { phase } = from.state;
    this.#state = from.state;
    this.#isReferralCounted = from.isReferralCounted;
    if (from.referLeftMs !== null) this.#armTimer(Math.max(0, from.referLeftMs - elapsedMs));
    if (from.person === null) return;
    try {
      this.#call.adopt(from.person, elapsedMs, moved ?? null);
      this.#audio.goOn(from.person, pulse, { isBridged: phase === 'bridged', hears: false });
      this.#call.follow();
    } catch (error) {
      this.#options.log.warn({ error: messageOf(error) }, 'could not go on with the leg of the person');
      this.#call.giveUp();
    }
  }

  get personAudioId(): string | null {
    return this.#state.phase === 'bridged' ? personIdOf(this.#options.context.options.call.id) : null;
  }

  /** What another process needs to go on with it. */
  get continuation(): TransferContinuation {
    const { target, context } = this.#options;
    const { clock } = context.deps;
    const { continuation } = this.#call;
    return {
      target,
      state: this.#state,
      referLeftMs: this.#timer && Math.max(0, this.#timer.dueAtMs - clock.monotonicMs()),
      isReferralCounted: this.#isReferralCounted,
      person: continuation && { ...continuation, ...this.#audio.state },
    };
  }

  onReferProgress(status: number): void {
    this.#step({ type: 'refer-progress', status });
  }

  /** The call is over or the transfer timed out: drops the person's leg too. */
  close(): void {
    this.#isClosed = true;
    this.#step({ type: 'abandoned' });
  }

  /** Another process goes on with it: nothing that still happens here concerns it. */
  leave(): void {
    this.#isLeft = true;
    this.#timer?.cancel();
    this.#call.leave();
  }

  #step(event: TransferEvent): void {
    if (!this.#isLeft) this.#options.guard(() => this.#go(stepTransfer(this.#state, event)));
  }

  #go([state, effects]: readonly [TransferState, TransferEffect[]]): void {
    const hasMoved = state.phase !== this.#state.phase;
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
    // Who goes on in an earlier phase would call the person again, or wait for one who has answered.
    if (hasMoved) this.#options.onChanged(true);
  }

  #perform(effect: TransferEffect): void {
    const { leg, target, onOutcome, onPersonGone } = this.#options;
    switch (effect.type) {
      case 'refer':
        leg?.refer(target);
        return;
      case 'arm-timer':
        return this.#armTimer(effect.delayMs);
      case 'cancel-timer':
        this.#timer?.cancel();
        this.#timer = null;
        return;
      case 'open-audio':
        return this.#audio.open();
      case 'close-audio':
        return this.#audio.close();
      case 'dial-person':
        void this.#call.dial(effect.audio);
        return;
      case 'connect-person':
        return this.#audio.connect(effect.audio);
      case 'announce':
        return this.#audio.begin();
      case 'hang-up-person':
        return this.#call.hangUp();
      case 'bridge':
        return this.#audio.bridge(false);
      case 'unbridge':
        return this.#audio.unbridge();
      case 'report':
        onOutcome(effect.outcome);
        this.#countReferral(effect.outcome);
        return;
      case 'report-person-gone':
        onPersonGone();
        return;
      default:
        unreachable(effect);
    }
  }

  #armTimer(delayMs: number): void {
    const { clock } = this.#options.context.deps;
    const cancel = clock.after(delayMs, () => this.#step({ type: 'refer-timeout' }));
    this.#timer = { cancel, dueAtMs: clock.monotonicMs() + delayMs };
  }

  #countReferral(outcome: TransferOutcome): void {
    // Many peers accept, hang up, and report nothing.
    if (this.#isReferralCounted || (outcome !== 'accepted' && outcome !== 'referred')) return;
    this.#isReferralCounted = true;
    const { deps, options, writes } = this.#options.context;
    countReferral(options.call, deps.clock, writes);
  }
}
