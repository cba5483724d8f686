// A test stage for the turn machine: a virtual clock, a scripted caller, and fakes that behave towards it like VAD,
// recogniser, dialogue and playout. Prints what happens as a timeline, one line per event or effect.

import { VirtualClock } from '../../../bench/rig/clock.ts';
import {
  initialTurn,
  type TurnConfig,
  type TurnEffect,
  type TurnEvent,
  type TurnState,
  type TurnTimer,
} from '../../../engine/turn/machine.ts';
import type { SttResult } from '../../../models/stt/stt.ts';
import { Referee } from './referee.ts';

export const plainConfig: TurnConfig = {
  language: 'en-US',
  endpointing: 'fixed',
  patience: 1,
  openingDelayMs: 0,
  backchannels: [],
  guessing: true,
  hearsWords: false,
  silenceThresholdMs: 600,
  interruptionSensitivity: 0.5,
  idleMs: 8_000,
  idlePrompts: 2,
  groupAcknowledgement: 'none',
  sttDeadlineMs: 1_500,
  replyDeadlineMs: 4_000,
  speechDeadlineMs: 4_000,
  maxUtteranceMs: 30_000,
};

export interface StageOptions {
  config?: Partial<TurnConfig>;
  /** From the request for a result to the result. */
  sttMs?: number;
  /** From a request for the words so far to them; null: the server is too slow to be asked. */
  interimMs?: number | null;
  /** From the request for a reply to its first audio; null: no reply ever comes. */
  thinkMs?: number | null;
  /** How long each reply takes to say. */
  speakMs?: number;
  /** VAD delay in reporting an onset, and an end. */
  onsetMs?: number;
  hangoverMs?: number;
  /** The recogniser emits partials during speech. */
  partials?: boolean;
  greeting?: { interruptible: boolean } | null;
}

interface Said {
  /** How far the voice is, where it is not near. */
  distance?: 'far' | 'likely' | 'unknown' | 'other';
  /** It sounds as if it wanted the floor. */
  presses?: true;
  /** It comes through closed lips. */
  hums?: true;
  text: string;
  confidence?: number;
  understood?: boolean;
}

interface Playing {
  epoch: number;
  leftMs: number;
  startedAtMs: number;
  cancel: () => void;
}

export class Stage {
  readonly clock = new VirtualClock();
  readonly referee = new Referee();
  readonly config: TurnConfig;
  readonly effects: Array<{ atMs: number; effect: TurnEffect }> = [];
  readonly lines: string[] = [];
  state: TurnState;
  /** The recogniser's results per utterance: the texts of the bursts within it. */
  readonly heardBy = new Map<number, Said[]>();
  /** Share of the newest burst that was said so far. */
  #saidShare = 0;
  openUtterance: number | null = null;
  autoReply = true;

  readonly #options: Required<Omit<StageOptions, 'config'>>;
  readonly #timers = new Map<TurnTimer, () => void>();
  #playing: Playing | null = null;
  #paused = false;
  readonly #ready = new Set<number>();

  constructor(options: StageOptions = {}) {
    const { config, ...rest } = options;
    this.config = { ...plainConfig, ...config };
    this.#options = {
      sttMs: 100,
      interimMs: 150,
      thinkMs: 200,
      speakMs: 2_000,
      onsetMs: 40,
      hangoverMs: 100,
      partials: false,
      greeting: { interruptible: true },
      ...rest,
    };
    this.state = initialTurn(this.config);
  }

  get phase(): string {
    return this.state.phase;
  }

  of<Type extends TurnEffect['type']>(type: Type): Array<Extract<TurnEffect, { type: Type }>> {
    return this.effects
      .map(({ effect }) => effect)
      .filter((effect): effect is Extract<TurnEffect, { type: Type }> => effect.type === type);
  }

  /** When the first effect of this type (after `fromMs`) occurred. */
  when(type: TurnEffect['type'], fromMs = 0): number | undefined {
    return this.effects.find(({ atMs, effect }) => effect.type === type && atMs >= fromMs)?.atMs;
  }

  timeline(): string {
    return `${this.lines.join('\n')}\n`;
  }

  // Script

  answered(atMs = 0): this {
    this.clock.at(atMs, () => this.send({ type: 'answered', nowMs: this.clock.nowMs() }));
    return this;
  }

  /** One burst of speech: voice from `atMs` for `forMs`, understood as `said`. */
  says(atMs: number, forMs: number, said: string | Said): this {
    const words: Said = typeof said === 'string' ? { text: said } : said;
    const { distance, presses, hums } = words;
    const { onsetMs, hangoverMs, partials } = this.#options;
    this.clock.at(atMs, () => this.#print('caller', `speaks: "${words.text}"`));
    this.clock.at(atMs + onsetMs, () => {
      this.send({ type: 'speech-started', nowMs: this.clock.nowMs(), speechAtMs: atMs });
      if (this.openUtterance !== null) this.heardBy.get(this.openUtterance)?.push(words);
    });
    for (let voicedMs = onsetMs + 32; voicedMs < forMs; voicedMs += 32) {
      this.clock.at(atMs + voicedMs, () => {
        const more = { ...(distance && { distance }), ...(presses && { pressMs: voicedMs }), ...(hums && { hums }) };
        this.send({ type: 'speech-continued', nowMs: this.clock.nowMs(), voicedMs, ...more });
        this.#saidShare = voicedMs / forMs;
        if (partials) this.#partial(voicedMs / forMs);
      });
    }
    this.clock.at(atMs + forMs, () => this.#print('caller', 'falls silent'));
    if (this.config.asksWords) {
      this.clock.at(atMs + forMs + 32, () => {
        this.#saidShare = 1;
        // The VAD reports a pause after the last voiced window.
        this.send({ type: 'speech-continued', nowMs: this.clock.nowMs(), voicedMs: forMs });
        this.send({ type: 'speech-paused', nowMs: this.clock.nowMs() });
      });
    }
    this.clock.at(atMs + forMs + hangoverMs, () => {
      if (partials) this.#partial(1);
      this.send({ type: 'speech-stopped', nowMs: this.clock.nowMs(), lastSpeechAtMs: atMs + forMs, voicedMs: forMs });
    });
    return this;
  }

  at(
    atMs: number,
    event: TurnEvent extends infer E ? (E extends { nowMs: number } ? Omit<E, 'nowMs'> : never) : never,
  ): this {
    this.clock.at(atMs, () => this.send({ ...event, nowMs: this.clock.nowMs() } as TurnEvent));
    return this;
  }

  run(untilMs: number): this {
    this.clock.advanceTo(untilMs);
    return this;
  }

  // The edge

  send(event: TurnEvent): void {
    this.#print('event', describeEvent(event));
    const [state, effects] = this.referee.step(this.state, event, this.config);
    this.state = state;
    for (const effect of effects) {
      this.effects.push({ atMs: this.clock.nowMs(), effect });
      this.#print('effect', describeEffect(effect));
    }
    for (const effect of effects) this.#perform(effect);
  }

  #partial(part: number): void {
    const utterance = this.openUtterance;
    if (utterance === null) return;
    const text = this.#textSoFar(utterance, part);
    if (text !== '') this.send({ type: 'stt-partial', nowMs: this.clock.nowMs(), utterance, text });
  }

  #answerAsk(utterance: number, asked: number): void {
    const { interimMs } = this.#options;
    if (interimMs === null) return;
    const text = this.#textSoFar(utterance, this.#saidShare);
    this.clock.after(interimMs, () => {
      this.send({ type: 'stt-partial', nowMs: this.clock.nowMs(), utterance, text, asked });
    });
  }

  /** All that was said since this utterance began. */
  #saidSince(since: number | undefined): Said[] {
    if (since === undefined) return [];
    const later = [...this.heardBy].filter(([utterance]) => utterance >= since);
    return [...new Set(later.flatMap(([, said]) => said))];
  }

  #textSoFar(utterance: number, part: number): string {
    const bursts = this.heardBy.get(utterance) ?? [];
    const words = (bursts.at(-1)?.text ?? '').split(' ');
    const latest = words.slice(0, Math.floor(words.length * part)).join(' ');
    return [...bursts.slice(0, -1).map((each) => each.text), latest].filter((each) => each !== '').join(' ');
  }

  #perform(effect: TurnEffect): void {
    switch (effect.type) {
      case 'arm-timer': {
        this.#timers.get(effect.timer)?.();
        const { timer, serial } = effect;
        const fire = () => this.send({ type: 'timer-fired', nowMs: this.clock.nowMs(), timer, serial });
        this.#timers.set(timer, this.clock.at(effect.atMs, fire));
        break;
      }
      case 'cancel-timer':
        this.#timers.get(effect.timer)?.();
        break;
      case 'begin-utterance':
        this.openUtterance = effect.utterance;
        this.heardBy.set(effect.utterance, this.#saidSince(effect.since));
        break;
      case 'ask-words':
        this.#answerAsk(effect.utterance, effect.number);
        break;
      case 'finish-utterance':
        this.#finish(effect.utterance);
        break;
      case 'want-reply':
        if (this.autoReply) this.#reply(effect.epoch);
        break;
      case 'open-playout':
        this.#paused = false;
        this.#play(effect.epoch, this.#options.speakMs);
        break;
      case 'pause-playout':
        this.#pause();
        break;
      case 'resume-playout':
        this.#paused = false;
        if (this.#playing !== null) this.#play(this.#playing.epoch, this.#playing.leftMs);
        break;
      case 'flush-playout':
        this.#playing?.cancel();
        this.#playing = null;
        break;
      default:
    }
  }

  #finish(utterance: number): void {
    if (this.openUtterance === utterance) this.openUtterance = null;
    const result = resultOf(this.heardBy.get(utterance) ?? []);
    this.clock.after(this.#options.sttMs, () =>
      this.send({ type: 'stt-final', nowMs: this.clock.nowMs(), utterance, result }),
    );
  }

  #reply(epoch: number): void {
    const { thinkMs, greeting } = this.#options;
    if (thinkMs === null) return;
    this.clock.after(thinkMs, () => {
      const interruptible = epoch > 1 || (greeting?.interruptible ?? true);
      const nowMs = this.clock.nowMs();
      if (epoch > 1 || greeting !== null) {
        this.send({ type: 'clause-queued', nowMs, epoch, interruptible });
        this.#ready.add(epoch);
        this.send({ type: 'audio-ready', nowMs, epoch });
      }
      this.send({ type: 'reply-complete', nowMs, epoch });
    });
  }

  #play(epoch: number, leftMs: number): void {
    if (!this.#ready.has(epoch)) return;
    const cancel = this.clock.after(leftMs, () => {
      this.#playing = null;
      this.send({ type: 'playout-drained', nowMs: this.clock.nowMs(), epoch });
    });
    this.#playing = { epoch, leftMs, startedAtMs: this.clock.nowMs(), cancel };
  }

  #pause(): void {
    if (this.#playing === null || this.#paused) return;
    this.#paused = true;
    this.#playing.cancel();
    this.#playing.leftMs -= this.clock.nowMs() - this.#playing.startedAtMs;
  }

  #print(who: 'caller' | 'event' | 'effect', text: string | null): void {
    if (text === null) return;
    const sign = who === 'caller' ? '' : who === 'event' ? '  > ' : '      ';
    this.lines.push(`${String(this.clock.nowMs()).padStart(6)}  ${sign}${text}`);
  }
}

/** A cough among words is not recognised as a word. */
function resultOf(bursts: Said[]): SttResult {
  const words = bursts.filter((each) => each.text !== '');
  const text = words.map((each) => each.text).join(' ');
  const understood = words.length > 0 && words.every((each) => each.understood ?? true);
  const confidence = words.length === 0 ? 0 : Math.min(...words.map((each) => each.confidence ?? 0.95));
  return { text, understood, confidence };
}

const hidden = new Set(['type', 'nowMs', 'serial']);

function fields(value: object): string {
  return Object.entries(value)
    .filter(([name]) => !hidden.has(name))
    .map(([name, each]) => `${name}=${typeof each === 'object' ? JSON.stringify(each) : each}`)
    .join(' ');
}

function describeEvent(event: TurnEvent): string | null {
  // One line every 32 ms would drown the rest.
  if (event.type === 'speech-continued' || (event.type === 'stt-partial' && event.asked === undefined)) return null;
  return `${event.type} ${fields(event)}`.trim();
}

function describeEffect(effect: TurnEffect): string | null {
  if (effect.type === 'phase-changed') return `= ${effect.phase}`;
  return `${effect.type} ${fields(effect)}`.trim();
}
