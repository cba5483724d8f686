// Performs the effects of person-machine.ts on one person's leg and audio, with the places and books that a leg of its
// own takes, and reports what happens there.
import type { Logger } from 'pino';
import type { TransferDestination } from '../../../db/domain/numbers/transfer-destinations.ts';
import { messageOf, unreachable } from '../../../db/domain/unexpected.ts';
import { sharedClockMs } from '../../../db/shared/process/shared-clock.ts';
import type { Shards } from '../../shard/shards.ts';
import type { TurnWords } from '../../turn/words/turn-words.ts';
import type { PersonContinuation, TakenTransfer } from '../going-on/transfer-continuation.ts';
import { PersonAudio, type PersonAudioOptions } from './person-audio.ts';
import { PersonCall, type PersonCallContext } from './person-call.ts';
import type { PersonEffect, PersonEvent } from './person-machine.ts';
import { meaningOf } from './person-words.ts';

export interface PersonLineOptions extends Pick<PersonAudioOptions, 'audioId' | 'open' | 'announcement'> {
  context: PersonCallContext;
  shards: Shards;
  destination: Pick<TransferDestination, 'target' | 'ringSeconds' | 'extensionDigits'>;
  /** Of those who ring at once. */
  slot: number;
  /** Under which its dialog is stored. */
  storedAs: string;
  /** Of the person's language. */
  words: TurnWords;
  /** The text of what the machine wants said. */
  textOf(say: Extract<PersonEffect, { type: 'say' | 'say-answer' }>): Promise<string>;
  answerTo(question: string): Promise<string | null>;
  step(event: PersonEvent): void;
  /** Something was said on the line. `startedAtMs`: by the monotonic clock. */
  onSaid(speaker: 'agent' | 'person', text: string, startedAtMs: number): void;
  /** The same of the person, once joined with the caller, while the agent listens. */
  onSaidToCaller(text: string, startedAtMs: number): void;
  /** As in person-call.ts. */
  onHandOn(target: string): (() => void) | null;
  /** The state that another process would need has changed. */
  onChanged(): void;
  log: Logger;
}

export class PersonLine {
  readonly #options: PersonLineOptions;
  readonly #audio: PersonAudio;
  readonly #call: PersonCall;
  #cancelTimer: (() => void) | null = null;
  /** Zero of the line's clock, by the monotonic one. */
  #beganAtMs: number | null = null;
  /** Sentences asked for so far. */
  #says = 0;
  #isClosed = false;
  /** With the caller. */
  #isJoined = false;

  constructor(options: PersonLineOptions) {
    this.#options = options;
    const { context, audioId, shards, open, announcement, destination, step, words, slot, storedAs } = options;
    const { telephony } = context.deps;
    this.#audio = new PersonAudio({
      ...{ callId: context.options.call.id, audioId, telephony, shards, open, announcement },
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
      onDigitsRefused: () => this.#call.sendInfoDigits(destination.extensionDigits ?? ''),
      onSilent: () => this.#call.refresh(),
    });
    this.#call = new PersonCall({
      ...{ ...context, target: destination.target, ringMs: destination.ringSeconds * 1_000, slot, storedAs },
      onAnswered: (audio) => step({ type: 'answered', audio }),
      onAudioChanged: (audio) => step({ type: 'audio-changed', audio }),
      // Of one who is asked nothing no key counts.
      ...(announcement === null ? { onDigit: (digit: string) => this.#audio.digit(digit) } : {}),
      onHandOn: options.onHandOn,
      onEnded: (result) => step({ type: 'ended', result }),
      onChanged: options.onChanged,
      log: options.log,
    });
  }

  /** In the shard, the line's audio is a call of its own. */
  get audioId(): string {
    return this.#options.audioId;
  }

  /** Null before they are dialled. */
  get continuation(): PersonContinuation | null {
    const { continuation } = this.#call;
    return continuation && { ...continuation, ...this.#audio.state };
  }

  /** Goes on with the line of another process. `hears`: of one who has the caller, as in `bridge`. */
  goOn(
    { person, pulse, elapsedMs, leg }: Omit<TakenTransfer, 'from'> & { person: PersonContinuation },
    { isJoined, hears }: { isJoined: boolean; hears: boolean },
  ): void {
    const { context, log } = this.#options;
    this.#isJoined = isJoined;
    try {
      this.#call.adopt(person, elapsedMs, leg ?? null);
      this.#audio.goOn(person, pulse, { isBridged: isJoined, hears });
      const { beganAtMs } = this.#audio.state;
      if (beganAtMs !== null) this.#beganAtMs = context.deps.clock.monotonicMs() - (sharedClockMs() - beganAtMs);
      this.#call.follow();
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'could not go on with the leg of the person');
      this.#call.giveUp();
    }
  }

  perform(effect: Exclude<PersonEffect, { type: 'result' | 'gone' }>): void {
    const { context, step, destination, answerTo } = this.#options;
    const { clock } = context.deps;
    switch (effect.type) {
      case 'open-audio':
        return this.#audio.open();
      case 'close-audio':
        this.#isClosed = true;
        this.#cancelTimer?.();
        return this.#audio.close();
      case 'dial':
        void this.#call.dial(effect.audio);
        return;
      case 'connect':
        return this.#audio.connect(effect.audio);
      case 'begin':
        this.#beganAtMs = clock.monotonicMs();
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
        this.#cancelTimer?.();
        return this.#call.hangUp();
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
    this.#call.leave();
  }

  async #say(effect: Extract<PersonEffect, { type: 'say' | 'say-answer' }>): Promise<void> {
    const nth = ++this.#says;
    const text = await this.#options.textOf(effect);
    // They have decided while the words were made, or something else is to be said.
    if (nth !== this.#says) return;
    if (!this.#isClosed) this.#audio.say(text);
  }

  #told(speaker: 'agent' | 'person', text: string, startedAtMs: number): void {
    if (this.#beganAtMs === null) return;
    const { onSaid, onSaidToCaller } = this.#options;
    const atMs = this.#beganAtMs + startedAtMs;
    if (!this.#isJoined) return onSaid(speaker, text, atMs);
    if (speaker === 'person') onSaidToCaller(text, atMs);
  }
}
