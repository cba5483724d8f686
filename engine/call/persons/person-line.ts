// Performs the effects of person-machine.ts on one person's leg and audio, with the places and books that a leg of its
// own takes, and reports what happens there.
import type { Logger } from 'pino';
import type { TransferDestination } from '../../../db/domain/transfer-destinations.ts';
import { messageOf, unreachable } from '../../../db/domain/unexpected.ts';
import { sharedClockMs } from '../../../db/shared/shared-clock.ts';
import type { Clock } from '../../clock.ts';
import type { Leg, LegEnd, LegEvent, LocalAudio, StoredDialog, Telephony } from '../../sip/telephony.ts';
import type { TurnWords } from '../../turn/words/turn-words.ts';
import type { PersonContinuation } from '../going-on/transfer-continuation.ts';
import { LineAudio, type LineAudioOptions } from './line-audio.ts';
import type { PersonEffect, PersonEvent } from './person-machine.ts';
import { meaningOf } from './person-words.ts';
import type { LegCosts } from './transfer.ts';
import { type TransferPermits, trunkOfLeg } from './transfer-permits.ts';

export interface PersonLineOptions extends Pick<LineAudioOptions, 'callId' | 'audioId' | 'shards' | 'open'> {
  /** The tenant. */
  accountId: string;
  destination: TransferDestination;
  telephony: Telephony;
  clock: Clock;
  /** Trunks to the person, in the order to try them. */
  trunks(): Promise<string[]>;
  from: string;
  /** Of the person's language. */
  words: TurnWords;
  permits: TransferPermits;
  costs: LegCosts;
  storeDialog(dialog: StoredDialog): Promise<void>;
  /** The text of what the machine wants said. */
  textOf(say: Extract<PersonEffect, { type: 'say' | 'say-answer' }>): Promise<string>;
  answerTo(question: string): Promise<string | null>;
  step(event: PersonEvent): void;
  /** Something was said on the line. `startedAtMs`: by the monotonic clock. */
  onSaid(speaker: 'agent' | 'person', text: string, startedAtMs: number): void;
  /** The same of the person, once joined with the caller, while the agent listens. */
  onSaidToCaller(text: string, startedAtMs: number): void;
  /** What another process would need to know. */
  onChanged(): void;
  log: Logger;
}

const BUSY = new Set([486, 600]);
/** Of ours or theirs: nobody picked up, or nobody is there. */
const NOT_THERE = new Set([408, 480, 487]);

export class PersonLine {
  readonly #options: PersonLineOptions;
  readonly #audio: LineAudio;
  #leg: Leg | null = null;
  #place: { trunkId: string | null; leave: () => void } | null = null;
  #cancelTimer: (() => void) | null = null;
  #answeredAtMs: number | null = null;
  /** Zero of the line's clock, by the monotonic one; the shared clock has the same for another process. */
  #began: { atMs: number; sharedAtMs: number } | null = null;
  /** Sentences asked for so far. */
  #says = 0;
  #isHungUp = false;
  #isClosed = false;
  /** With the caller. */
  #isJoined = false;

  constructor(options: PersonLineOptions) {
    this.#options = options;
    const { callId, audioId, telephony, shards, open, step, words } = options;
    this.#audio = new LineAudio({
      ...{ callId, audioId, telephony, shards, open },
      onOpened: (audio) => step({ type: 'audio-opened', audio }),
      onFailed: () => step({ type: 'audio-failed' }),
      onVerdict: (verdict) => step({ type: 'verdict', verdict }),
      onSaid: (text, understood, startedAtMs) => {
        if (understood && text.trim() !== '') this.#told('person', text.trim(), startedAtMs);
        step({ type: 'said', meaning: meaningOf(text, understood, words) });
      },
      onKey: (digit) => step({ type: 'key', digit }),
      onHeard: (text, startedAtMs, isLast) => {
        if (text !== '') this.#told('agent', text, startedAtMs);
        if (isLast) step({ type: 'heard' });
      },
      onDigitsRefused: () => this.#leg?.sendInfoDigits(options.destination.extensionDigits ?? ''),
    });
  }

  /** In the shard, the line's audio is a call of its own. */
  get audioId(): string {
    return this.#options.audioId;
  }

  /** Wall clock, ms; null before the answer. */
  get answeredAtMs(): number | null {
    return this.#answeredAtMs;
  }

  /** As stored and described once they have the caller; null: nobody could go on with it. */
  get continuation(): PersonContinuation | null {
    return (
      this.#leg && {
        leg: this.#leg.state ?? null,
        ringing: null,
        trunkId: this.#place?.trunkId ?? null,
        answeredAtMs: this.#answeredAtMs,
        beganAtMs: this.#began?.sharedAtMs ?? null,
        audioId: this.#options.audioId,
        ...this.#audio.state,
      }
    );
  }

  perform(effect: Exclude<PersonEffect, { type: 'result' | 'gone' }>): void {
    const { clock, step, destination, answerTo } = this.#options;
    switch (effect.type) {
      case 'open-audio':
        return this.#audio.open();
      case 'close-audio':
        this.#isClosed = true;
        this.#cancelTimer?.();
        return this.#audio.close();
      case 'dial':
        void this.#dial(effect.audio);
        return;
      case 'connect':
        return this.#audio.connect(effect.audio);
      case 'begin':
        this.#began = { atMs: clock.monotonicMs(), sharedAtMs: sharedClockMs() };
        return this.#audio.begin();
      case 'send-extension':
        return this.#audio.sendDigits(destination.extensionDigits ?? '');
      case 'say':
      case 'say-answer':
        void this.#say(effect);
        return;
      case 'find-answer':
        void answerTo(effect.question).then((text) => step({ type: 'answer', text }));
        return;
      case 'hang-up':
        this.#isHungUp = true;
        this.#cancelTimer?.();
        this.#leg?.hangUp();
        return this.#settle();
      case 'arm-timer': {
        this.#cancelTimer?.();
        const { serial } = effect;
        this.#cancelTimer = clock.after(effect.delayMs, () => step({ type: 'timer', serial }));
        return;
      }
      default:
        unreachable(effect);
    }
  }

  /** `hears`: both are listened to. */
  bridge(hears: boolean): void {
    this.#cancelTimer?.();
    this.#says++;
    this.#isJoined = true;
    this.#audio.bridge(hears);
  }

  unbridge(): void {
    this.#audio.unbridge();
  }

  /** Another process goes on with it. */
  leave(): void {
    this.#cancelTimer?.();
  }

  async #say(effect: Extract<PersonEffect, { type: 'say' | 'say-answer' }>): Promise<void> {
    const nth = ++this.#says;
    const text = await this.#options.textOf(effect);
    // They have decided while the words were made, or something else is to be said.
    if (nth !== this.#says) return;
    if (!this.#isClosed) this.#audio.say(text);
  }

  async #dial(audio: LocalAudio): Promise<void> {
    const { telephony, trunks, destination, accountId, from, storeDialog, log, permits, costs } = this.#options;
    const { target, ringSeconds } = destination;
    try {
      const trunkIds = await trunks();
      const place = await permits.place({ accountId, trunkIds, target }, () => costs.dialled());
      if (typeof place === 'string') throw new Error(place);
      this.#place = { trunkId: trunkOfLeg({ trunkIds, target }), leave: place };
      // Another person took the call meanwhile, or the caller hung up.
      if (this.#isHungUp || this.#isClosed) return this.#settle();
      this.#leg = telephony.dial({
        trunkIds,
        to: target,
        accountId,
        from,
        fromName: null,
        audio,
        ringTimeoutMs: ringSeconds * 1_000,
        beforeInvite: storeDialog,
      });
      this.#leg.onEvent((event) => this.#onLegEvent(event));
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'could not call the person');
      this.#ended('failed');
    }
  }

  #ended(result: 'busy' | 'no_answer' | 'failed'): void {
    this.#settle();
    this.#options.step({ type: 'ended', result });
  }

  /** The place and the books are free for the next one before the far end has confirmed the end of this one. */
  #settle(): void {
    if (this.#place === null) return;
    this.#place.leave();
    this.#place = null;
    this.#options.costs.ended();
  }

  #onLegEvent(event: LegEvent): void {
    const { step, costs, clock, storeDialog, log, onChanged } = this.#options;
    switch (event.type) {
      case 'dialog-stored':
        storeDialog(event.dialog).catch((error: unknown) => {
          log.error({ error: messageOf(error) }, 'could not store the dialog of the person');
        });
        break;
      case 'answered':
        this.#answeredAtMs = clock.nowMs();
        // It crossed our CANCEL.
        if (this.#isHungUp) this.#leg?.hangUp();
        else costs.answered(this.#answeredAtMs);
        step({ type: 'answered', audio: event.audio });
        break;
      case 'audio-changed':
        step({ type: 'audio-changed', audio: event.audio });
        break;
      case 'digit':
        this.#audio.digit(event.digit);
        break;
      case 'ended':
        this.#ended(resultOf(event.end));
        break;
      case 'ringing':
      case 'refer-progress':
        break;
      default:
        unreachable(event);
    }
    onChanged();
  }

  #told(speaker: 'agent' | 'person', text: string, startedAtMs: number): void {
    if (this.#began === null) return;
    const { onSaid, onSaidToCaller } = this.#options;
    const atMs = this.#began.atMs + startedAtMs;
    if (!this.#isJoined) return onSaid(speaker, text, atMs);
    if (speaker === 'person') onSaidToCaller(text, atMs);
  }
}

function resultOf({ sipStatus, by, rang }: LegEnd): 'busy' | 'no_answer' | 'failed' {
  if (sipStatus !== null && BUSY.has(sipStatus)) return 'busy';
  if (sipStatus !== null && NOT_THERE.has(sipStatus)) return 'no_answer';
  return by === 'local' || rang ? 'no_answer' : 'failed';
}
