// Performs transfer-machine.ts's effects on the person's leg and on their audio in the shard.
import type { Logger } from 'pino';
import { messageOf, unreachable } from '../../../db/domain/unexpected.ts';
import type { Clock } from '../../clock.ts';
import type { Leg, LegEvent, LocalAudio, StoredDialog, Telephony } from '../../sip/telephony.ts';
import {
  type PersonContinuation,
  personIdOf,
  type TakenTransfer,
  type TransferContinuation,
} from '../going-on/transfer-continuation.ts';
import { PersonAudio, type PersonAudioOptions } from './person-audio.ts';
import {
  startTransfer,
  stepTransfer,
  type TransferEffect,
  type TransferEvent,
  type TransferOutcome,
  type TransferState,
} from './transfer-machine.ts';
import { type TransferPermits, trunkOfLeg } from './transfer-permits.ts';

const PERSON_RING_MS = 25_000;

export interface TransferOptions extends Pick<PersonAudioOptions, 'callId' | 'shards' | 'open' | 'announcement'> {
  /** The tenant. */
  accountId: string;
  /** E.164, or `sip:USERNAME` for a softphone. */
  target: string;
  /** The caller's leg, if its peer can be asked to call the person (REFER); null if only we can. */
  leg: Leg | null;
  telephony: Telephony;
  clock: Clock;
  /** Trunks to the person, in the order to try them. */
  trunks(): Promise<string[]>;
  from: string;
  storeDialog(dialog: StoredDialog): Promise<void>;
  permits: TransferPermits;
  /** The books of a leg that costs, over a trunk. */
  costs: LegCosts;
  /** An exception in it ends the call, and no other. */
  guard(action: () => void): void;
  /** Something that another process would need to know. `isUrgent`: what it would read now is wrong. */
  onChanged(isUrgent?: boolean): void;
  onOutcome(outcome: TransferOutcome): void;
  /** The person hung up after both were joined. */
  onPersonGone(): void;
  log: Logger;
}

export interface LegCosts {
  /** Resolves when it is booked. */
  dialled(): Promise<void>;
  answered(atMs: number): void;
  ended(): void;
  /** The other side took the transfer over: what it costs is not seen from here. */
  referred(): void;
}

export class Transfer {
  readonly #options: TransferOptions;
  readonly #audio: PersonAudio;
  #state: TransferState = { phase: 'done' };
  #person: Leg | null = null;
  #answeredAtMs: number | null = null;
  #timer: { cancel: () => void; dueAtMs: number } | null = null;
  #isClosed = false;
  #isLeft = false;
  /** The trunk of the person's leg, and how its place is released. */
  #place: { trunkId: string | null; leave: () => void } | null = null;
  #isReferralCounted = false;

  constructor(options: TransferOptions) {
    this.#options = options;
    const { callId, telephony, shards, open, announcement } = options;
    this.#audio = new PersonAudio({
      ...{ callId, telephony, shards, open, announcement },
      onOpened: (audio) => this.#step({ type: 'audio-opened', audio }),
      onFailed: () => this.#step({ type: 'audio-failed' }),
      onAnnounced: () => this.#step({ type: 'announcement-heard' }),
      onSilent: () => this.#person?.refresh?.(),
    });
  }

  /** If the target may not be called, the transfer has failed; the caller hears silence until that is known. */
  async start(): Promise<void> {
    const { leg, log, permits, accountId, target, onOutcome } = this.#options;
    try {
      const reason = await permits.obstacle({ accountId, trunkIds: await this.#options.trunks(), target });
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
      this.#place = { trunkId: from.person.trunkId, leave: this.#options.permits.adoptPlace(from.person.trunkId) };
      const leg = moved ?? this.#resumedLeg(from.person, elapsedMs);
      this.#audio.goOn(from.person, pulse, phase === 'bridged');
      this.#answeredAtMs = from.person.answeredAtMs;
      // The write of it may have been lost with the process; a second time it changes nothing.
      if (this.#answeredAtMs !== null) this.#options.costs.answered(this.#answeredAtMs);
      this.#listen(leg);
    } catch (error) {
      this.#options.log.warn({ error: messageOf(error) }, 'could not go on with the leg of the person');
      this.#personEnded();
    }
  }

  get personAudioId(): string | null {
    return this.#state.phase === 'bridged' ? personIdOf(this.#options.callId) : null;
  }

  /** What another process needs to go on with it. */
  get continuation(): TransferContinuation {
    const { target, clock } = this.#options;
    return {
      target,
      state: this.#state,
      referLeftMs: this.#timer && Math.max(0, this.#timer.dueAtMs - clock.monotonicMs()),
      isReferralCounted: this.#isReferralCounted,
      person: this.#person && {
        leg: this.#person.state ?? null,
        ringing: this.#person.ringing ?? null,
        trunkId: this.#place?.trunkId ?? null,
        answeredAtMs: this.#answeredAtMs,
        ...this.#audio.state,
      },
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
        void this.#dial(effect.audio);
        return;
      case 'connect-person':
        return this.#audio.connect(effect.audio);
      case 'announce':
        return this.#audio.answered();
      case 'hang-up-person':
        this.#person?.hangUp();
        return;
      case 'bridge':
        return this.#audio.bridge();
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
    const { clock } = this.#options;
    const cancel = clock.after(delayMs, () => this.#step({ type: 'refer-timeout' }));
    this.#timer = { cancel, dueAtMs: clock.monotonicMs() + delayMs };
  }

  async #dial(audio: LocalAudio): Promise<void> {
    const { telephony, trunks, target, accountId, from, storeDialog, log, permits, costs, onChanged } = this.#options;
    try {
      const trunkIds = await trunks();
      const place = await permits.place({ accountId, trunkIds, target }, () => costs.dialled());
      if (typeof place === 'string') throw new Error(place);
      this.#place = { trunkId: trunkOfLeg({ trunkIds, target }), leave: place };
      // The caller hung up meanwhile.
      if (this.#state.phase !== 'ringing' || this.#isLeft) return this.#settle();
      const leg = telephony.dial({
        trunkIds,
        to: target,
        accountId,
        from,
        fromName: null,
        audio,
        ringTimeoutMs: PERSON_RING_MS,
        beforeInvite: async (dialog) => {
          await storeDialog(dialog);
          onChanged();
        },
      });
      this.#listen(leg);
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'could not call the person');
      this.#personEnded();
    }
  }

  /** @throws if the adapter of this process has no such leg */
  #resumedLeg({ leg, ringing }: PersonContinuation, elapsedMs: number): Leg {
    const { telephony, storeDialog, onChanged } = this.#options;
    if (leg !== null && telephony.resume !== undefined) return telephony.resume(leg, elapsedMs);
    if (ringing === null || telephony.resumeRinging === undefined) throw new Error('there is no such leg here');
    return telephony.resumeRinging(ringing, elapsedMs, async (dialog) => {
      await storeDialog(dialog);
      onChanged();
    });
  }

  #listen(leg: Leg): void {
    this.#person = leg;
    leg.onEvent((event) => {
      if (this.#isLeft) return;
      this.#onLegEvent(event);
      this.#options.onChanged();
    });
  }

  /** The place and the books are free. */
  #settle(): void {
    this.#place?.leave();
    this.#options.costs.ended();
  }

  #personEnded(): void {
    this.#settle();
    this.#step({ type: 'person-ended' });
  }

  #countReferral(outcome: TransferOutcome): void {
    // Many peers accept, hang up, and report nothing.
    if (this.#isReferralCounted || (outcome !== 'accepted' && outcome !== 'referred')) return;
    this.#isReferralCounted = true;
    this.#options.costs.referred();
  }

  #onLegEvent(event: LegEvent): void {
    switch (event.type) {
      case 'dialog-stored':
        this.#options.storeDialog(event.dialog).catch((error: unknown) => {
          this.#options.log.error({ error: messageOf(error) }, 'could not store the dialog of the person');
        });
        return;
      case 'answered':
        this.#answeredAtMs = this.#options.clock.nowMs();
        this.#options.costs.answered(this.#answeredAtMs);
        return this.#step({ type: 'person-answered', audio: event.audio });
      case 'audio-changed':
        return this.#step({ type: 'person-audio-changed', audio: event.audio });
      case 'ended':
        return this.#personEnded();
      case 'ringing':
      case 'digit':
      case 'refer-progress':
        return;
      default:
        unreachable(event);
    }
  }
}
