// Plays a conversation scenario through the turn machine in virtual time: in steps of 20 ms, with a caller whose words
// take as long as their letters, a detector of voice, a recogniser, a model and a playout that are as fast as the
// bench's typical ones.

import { VirtualClock } from '../../../bench/rig/clock.ts';
import type { Cue, Scenario } from '../../../bench/rig/conversation/scenario-file.ts';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import {
  initialTurn,
  stepTurn,
  type TurnEffect,
  type TurnEvent,
  type TurnTimer,
} from '../../../engine/turn/machine.ts';
import { plainConfig } from './stage.ts';

/** The bench's recogniser gives each word when it has been spoken. */
const config = { ...plainConfig, hearsWords: true };

const TICK_MS = 20;
const MS_PER_CHARACTER = 56;
const STT_MS = 150;
const FIRST_TOKEN_MS = 250;
/** Five words at 30 tokens/s, and 100 ms for their first audio. */
const FIRST_CLAUSE_MS = 270;
const ONSET_MS = 60;
const HANGOVER_MS = 100;
const FAINT_DB = -12;
const OTHER_DB = -8;
const RADIO_PERIOD_MS = 2_200;
const RADIO_ON_MS = 1_500;
const PRE_ROLL_MS = 250;
const GREETING = 'Hair studio, how can I help you?';
const AGENT_QUIET_MS = 600;
const END_MS = 90_000;

/** From `startMs` to `endMs`; what is not over ends at infinity. */
interface Span {
  startMs: number;
  endMs: number;
}

export interface PlayedCue extends Span {
  cue: Cue;
}

interface Word extends Span {
  text: string;
}

interface Playing {
  epoch: number;
  leftMs: number;
  isPaused: boolean;
}

export class ScenarioStage {
  readonly cues: PlayedCue[] = [];
  /** The caller's turns as they stand, by epoch of the reply; below 0 what got none of its own. */
  readonly turns = new Map<number, string>();
  readonly effects: Array<{ atMs: number; effect: TurnEffect }> = [];
  /** When the agent was heard. */
  readonly agent: Span[] = [];
  readonly #scenario: Scenario;
  readonly #clock = new VirtualClock();
  readonly #random: () => number;
  readonly #words: Word[] = [];
  /** Voice of any kind; faint where it is far under the caller's own, somebody else's where it is softer. */
  readonly #voice: Array<Span & { faint: boolean; isOther: boolean }> = [];
  readonly #timers = new Map<TurnTimer, () => void>();
  readonly #texts = new Map<number, string>();
  #state = initialTurn(config);
  #playing: Playing | null = null;
  #burst: { startMs: number; lastMs: number } | null = null;
  #utterance: { number: number; fromMs: number; partial: string } | null = null;
  #heardToMs = 0;

  constructor(scenario: Scenario, seed: number) {
    this.#scenario = scenario;
    this.#random = seededRandom(seed);
  }

  run(): this {
    this.#send({ type: 'answered', nowMs: 0 });
    let dueMs: number | null = null;
    while (this.#nowMs < END_MS) {
      this.#clock.advance(TICK_MS);
      this.#play();
      this.#makeNoise();
      this.#detect();
      this.#recognise();
      const cue = this.#scenario.cues[this.cues.length];
      if (cue !== undefined) {
        dueMs ??= this.#dueMs(cue);
        if (dueMs !== null && this.#nowMs >= dueMs) {
          this.#begin(cue);
          dueMs = null;
        }
      } else if (this.#nowMs > (this.cues.at(-1)?.endMs ?? 0) + Math.max(8_000, this.#scenario.silenceMs)) break;
    }
    return this;
  }

  of<Type extends TurnEffect['type']>(
    type: Type,
  ): Array<{ atMs: number; effect: Extract<TurnEffect, { type: Type }> }> {
    return this.effects.flatMap(({ atMs, effect }) =>
      effect.type === type ? [{ atMs, effect: effect as Extract<TurnEffect, { type: Type }> }] : [],
    );
  }

  get #nowMs(): number {
    return this.#clock.monotonicMs();
  }

  /** When the cue is due; null while its event has not happened. */
  #dueMs({ on, afterMs: [low, high] }: Cue): number | null {
    const waitMs = low + this.#random() * (high - low);
    const previous = this.cues.at(-1);
    const phrase = this.agent.find(({ startMs }) => startMs > (previous?.endMs ?? -1));
    const last = this.agent.at(-1);
    switch (on) {
      case 'answered':
        return waitMs;
      case 'caller-starts':
        return (previous?.startMs ?? 0) + waitMs;
      case 'caller-stops':
        return (previous?.endMs ?? 0) + waitMs;
      case 'agent-starts':
        return phrase === undefined ? null : phrase.startMs + waitMs;
      case 'agent-stops':
        if (waitMs < 0) return this.#playing === null || !phrase ? null : this.#nowMs + this.#playing.leftMs + waitMs;
        if (!phrase || !last || this.#nowMs - last.endMs < AGENT_QUIET_MS) return null;
        return last.endMs + waitMs;
    }
  }

  #begin(cue: Cue): void {
    const { action } = cue;
    const startMs = this.#nowMs;
    const text = action.kind === 'say' ? action.text : action.kind === 'sound' ? action.recognised : '';
    const ms = action.kind === 'sound' ? action.ms : text.length * MS_PER_CHARACTER;
    const endMs = startMs + ms;
    this.cues.push({ cue, startMs, endMs });
    if (action.kind === 'press') {
      for (const [index, digit] of [...action.digits].entries())
        this.#clock.after(index * 200, () => this.#send({ type: 'digit', nowMs: this.#nowMs, digit }));
      return;
    }
    if (action.kind === 'sound' && (action.sound === 'music' || action.sound === 'noise')) return;
    const levelDb = action.kind === 'say' || action.kind === 'sound' ? action.levelDb : 0;
    this.#voice.push({ startMs, endMs, faint: levelDb <= FAINT_DB, isOther: levelDb <= OTHER_DB });
    const words = text.split(' ').filter(Boolean);
    for (const [index, word] of words.entries()) {
      const share = ms / words.length;
      this.#words.push({ text: word, startMs: startMs + index * share, endMs: startMs + (index + 1) * share });
    }
  }

  /** A radio talks in bursts. Babble and hold music are no voices to the detector, and it knows the agent's echo. */
  #makeNoise(): void {
    const { background } = this.#scenario;
    if (background?.sound !== 'radio' || this.#nowMs % RADIO_PERIOD_MS !== 0) return;
    const faint = background.levelDb <= FAINT_DB;
    const isOther = background.levelDb <= OTHER_DB;
    this.#voice.push({ startMs: this.#nowMs, endMs: this.#nowMs + RADIO_ON_MS, faint, isOther });
  }

  #detect(): void {
    const nowMs = this.#nowMs;
    const voices = this.#voice.filter(({ startMs, endMs }) => startMs <= nowMs && nowMs < endMs);
    if (voices.length > 0) {
      const faint = voices.every((voice) => voice.faint);
      const other = voices.every((voice) => voice.isOther) ? ({ distance: 'other' } as const) : {};
      this.#burst ??= { startMs: nowMs, lastMs: nowMs };
      this.#burst.lastMs = nowMs;
      const voicedMs = nowMs - this.#burst.startMs;
      if (voicedMs === ONSET_MS) this.#send({ type: 'speech-started', nowMs, speechAtMs: this.#burst.startMs, faint });
      else if (voicedMs > ONSET_MS) this.#send({ type: 'speech-continued', nowMs, voicedMs, faint, ...other });
      return;
    }
    if (this.#burst === null || nowMs - this.#burst.lastMs < HANGOVER_MS) return;
    const { startMs, lastMs } = this.#burst;
    this.#burst = null;
    if (lastMs - startMs >= ONSET_MS)
      this.#send({ type: 'speech-stopped', nowMs, lastSpeechAtMs: lastMs, voicedMs: lastMs - startMs });
  }

  #recognise(): void {
    const utterance = this.#utterance;
    if (utterance === null) return;
    const text = this.#textOf(utterance.fromMs, this.#nowMs - STT_MS);
    if (text === utterance.partial) return;
    utterance.partial = text;
    this.#send({ type: 'stt-partial', nowMs: this.#nowMs, utterance: utterance.number, text });
  }

  #textOf(fromMs: number, toMs: number): string {
    const words = this.#words.filter(({ startMs, endMs }) => (startMs + endMs) / 2 >= fromMs && endMs <= toMs);
    return words.map(({ text }) => text).join(' ');
  }

  #play(): void {
    const playing = this.#playing;
    if (playing === null || playing.isPaused) return;
    const span = this.agent.at(-1);
    if (span !== undefined && this.#nowMs - span.endMs <= TICK_MS) span.endMs = this.#nowMs;
    else this.agent.push({ startMs: this.#nowMs - TICK_MS, endMs: this.#nowMs });
    playing.leftMs -= TICK_MS;
    if (playing.leftMs > 0) return;
    this.#playing = null;
    this.#send({ type: 'playout-drained', nowMs: this.#nowMs, epoch: playing.epoch });
  }

  #send(event: TurnEvent): void {
    const [state, effects] = stepTurn(this.#state, event, config);
    this.#state = state;
    for (const effect of effects) this.effects.push({ atMs: this.#nowMs, effect });
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: TurnEffect): void {
    switch (effect.type) {
      case 'arm-timer': {
        const { timer, serial } = effect;
        this.#timers.get(timer)?.();
        const fire = (): void => this.#send({ type: 'timer-fired', nowMs: this.#nowMs, timer, serial });
        this.#timers.set(timer, this.#clock.at(effect.atMs, fire));
        return;
      }
      case 'cancel-timer':
        this.#timers.get(effect.timer)?.();
        return;
      case 'begin-utterance':
        this.#utterance = {
          number: effect.utterance,
          fromMs: Math.max(this.#heardToMs, effect.fromMs - PRE_ROLL_MS),
          partial: '',
        };
        return;
      case 'finish-utterance':
        this.#finish(effect.utterance);
        return;
      case 'cancel-utterance':
        if (this.#utterance?.number === effect.utterance) this.#utterance = null;
        return;
      case 'want-reply':
        if (effect.committed) this.#commit(effect);
        this.#think(effect);
        return;
      case 'commit-reply':
        this.#commit(effect);
        return;
      case 'unanswered-turn':
        this.turns.set(-1 - this.turns.size, effect.text);
        return;
      case 'drop-reply':
        this.turns.delete(effect.epoch);
        this.#texts.delete(effect.epoch);
        return;
      case 'open-playout':
        this.#playing = { epoch: effect.epoch, leftMs: this.#lengthMs(effect.epoch), isPaused: false };
        return;
      case 'pause-playout':
        if (this.#playing) this.#playing.isPaused = true;
        return;
      case 'resume-playout':
        if (this.#playing) this.#playing.isPaused = false;
        return;
      case 'flush-playout':
        this.#playing = null;
        return;
      default:
    }
  }

  #commit({ epoch, cause }: Extract<TurnEffect, { type: 'want-reply' | 'commit-reply' }>): void {
    if (cause.kind === 'turn') this.turns.set(epoch, cause.text);
    if (cause.kind === 'digits') this.turns.set(epoch, cause.digits);
  }

  #finish(utterance: number): void {
    if (this.#utterance?.number !== utterance) return;
    const text = this.#textOf(this.#utterance.fromMs, this.#nowMs);
    this.#heardToMs = this.#nowMs;
    this.#utterance = null;
    const result = { text, understood: text !== '', confidence: text === '' ? 0 : 0.98 };
    this.#clock.after(STT_MS, () => this.#send({ type: 'stt-final', nowMs: this.#nowMs, utterance, result }));
  }

  #think({ epoch, cause }: Extract<TurnEffect, { type: 'want-reply' }>): void {
    const { replies, firstTokenMs } = this.#scenario;
    const index = [...this.turns.keys()].filter((each) => each > 0 && each !== epoch).length;
    const answer = replies[Math.min(index, replies.length - 1)]?.say ?? '';
    const isAnswer = cause.kind === 'turn' || cause.kind === 'digits';
    this.#texts.set(epoch, cause.kind === 'opening' ? GREETING : isAnswer ? answer : 'Are you still there?');
    const waitMs = isAnswer ? (firstTokenMs ?? FIRST_TOKEN_MS) + FIRST_CLAUSE_MS : 40;
    this.#clock.after(waitMs, () => {
      if (!this.#texts.has(epoch)) return;
      const nowMs = this.#nowMs;
      this.#send({ type: 'clause-queued', nowMs, epoch, interruptible: true });
      this.#send({ type: 'audio-ready', nowMs, epoch });
      this.#send({ type: 'reply-complete', nowMs, epoch });
    });
  }

  #lengthMs(epoch: number): number {
    return (this.#texts.get(epoch) ?? '').length * MS_PER_CHARACTER;
  }
}
