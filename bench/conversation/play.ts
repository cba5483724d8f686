// Plays one take of a scenario: a simulated caller speaks its cues at their events on the wire, and keeps the heard
// audio. `score.ts` judges it afterwards.
import { setTimeout as pause } from 'node:timers/promises';
import { type CallOptions, FRAME_SAMPLES, type HeardFrame } from '../../engine/test-runs/caller/call.ts';
import { Line } from '../../engine/test-runs/caller/line.ts';
import type { PhoneEvent, SipTarget } from '../../engine/test-runs/caller/phone/phone-call.ts';
import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import type { CallDialog } from '../../engine/test-runs/caller/sip.ts';
import { localAddress } from '../../engine/test-runs/caller/sip.ts';
import { makeSound, speech, withGain } from '../../engine/test-runs/caller/sounds.ts';
import { Caller } from '../rig/conversation/scenario.ts';
import type { Cue, Scenario } from '../rig/conversation/scenario-file.ts';
import type { ScriptFolder } from '../rig/conversation/script.ts';
import { MAX_MARKED_FRAMES, writeMark } from '../rig/conversation/watermark.ts';
import type { OutboundLine } from './outbound.ts';
import { wordsOf } from './timing.ts';

export interface PlayedCue {
  cue: Cue;
  /** First and last packet sent, `performance.now()`. */
  startMs: number;
  endMs: number;
}

/** The results of one take. All times are this process's `performance.now()`. */
export interface Take {
  scenario: Scenario;
  seed: number;
  number: string;
  answeredAtMs: number;
  frames: readonly HeardFrame[];
  /** The samples of each frame. */
  samples: readonly Int16Array[];
  cues: PlayedCue[];
  /** Why the take was not played completely; null if it was. */
  failure: string | null;
  /** The service had no room for the call: nothing was played, and it may be played again. */
  wasRefused: boolean;
  /** The agent hung up. */
  wasLeft: boolean;
  wasTransferred: boolean;
  endedAtMs: number;
}

/** Voices of the callers; the agent has the fourth. */
const VOICES = ['flite-slt', 'flite-awb', 'flite-kal16'];
const AGENT_VOICE = 'flite-rms';
/** Longer than any pause within the agent's speech. */
const AGENT_QUIET_MS = 700;
/** Before the caller hangs up: a slow clause may still follow. */
const END_QUIET_MS = 1_500;
/** The answer of a service that has no room for a call. */
const UNAVAILABLE = 503;
/** A key and the pause after it. */
const KEY_MS = 220;
const LONG_QUIET_MS = 3_000;
const PATIENCE_MS = 14_000;
const BACKGROUND_MS = 20_000;

let nextUtterance = 1;

interface Clip {
  samples: Int16Array;
  utterance: number;
}

export interface Stage {
  target: SipTarget;
  folder: ScriptFolder;
  greeting: string;
  /** Null if the service cannot place calls. */
  outbound: OutboundLine | null;
  /** The signalling of a call by this number, for a peer without SIP. */
  dialog?(number: string, rtpPort: number, onEvent: (event: PhoneEvent) => void): CallDialog;
}

export class TakePlayer {
  readonly #scenario: Scenario;
  readonly #seed: number;
  readonly #stage: Stage;
  readonly #random: () => number;
  readonly #number: string;
  readonly #samples: Int16Array[] = [];
  readonly #played: PlayedCue[] = [];
  readonly #speaking: Promise<unknown>[] = [];
  /** The clip of each cue; null for a cue without sound. */
  readonly #clips: Array<Clip | null> = [];
  #background: Int16Array | null = null;

  /** `serial` makes the caller's number, and the texts of its agent, different from those of other takes. */
  constructor(scenario: Scenario, seed: number, serial: number, stage: Stage) {
    this.#scenario = scenario;
    this.#seed = seed;
    this.#stage = stage;
    this.#random = seededRandom(seed * 7_919 + scenario.name.length);
    this.#number = `+1202${String(5_560_000 + serial)}`;
    const { replies, firstTokenMs, refusals } = scenario;
    stage.folder.writeCall(this.#number, { replies, firstTokenMs, refusals, serial });
  }

  /** Renders all speech. Rendering blocks this thread, so no call may run at the same time. */
  async prepare(): Promise<void> {
    const { cues, background } = this.#scenario;
    for (const cue of cues) {
      this.#clips.push(await this.#clipOf(cue));
      if (cue.afterMs[0] < 0) await this.#phraseMs(cues.indexOf(cue));
    }
    if (background !== null)
      this.#background = withGain(await makeSound(background.sound, BACKGROUND_MS, this.#seed), background.levelDb);
  }

  async play(): Promise<Take> {
    const { cues } = this.#scenario;
    const line = this.#makeLine();
    const { target } = this.#stage;
    const caller = new Caller(`${target.host}:${target.port}`, 0, 'demo', {
      target,
      localAddress: localAddress(target.host),
      line,
      from: this.#number,
      acceptsRefer: true,
      onSamples: (samples) => this.#samples.push(samples),
      ...this.#dialog(),
    });
    let failure: string | null = null;
    try {
      await caller.answered();
      for (const [index, cue] of cues.entries()) await this.#playCue(caller, line, cue, this.#clips[index] ?? null);
      await Promise.all(this.#speaking);
      await this.#finish(caller);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    // The call is over: unfinished speech ends now.
    for (const played of this.#played) if (Number.isNaN(played.endMs)) played.endMs = performance.now();
    const wasLeft = caller.ended;
    const endedAtMs = performance.now();
    await caller.hangUp();
    return {
      scenario: this.#scenario,
      seed: this.#seed,
      number: this.#number,
      answeredAtMs: caller.call.answeredAtMs ?? Number.NaN,
      frames: caller.frames,
      samples: this.#samples,
      cues: this.#played,
      failure,
      wasRefused: caller.events.some((event) => event.type === 'ended' && event.status === UNAVAILABLE),
      wasLeft,
      wasTransferred: caller.events.some((event) => event.type === 'referred'),
      endedAtMs,
    };
  }

  #dialog(): Pick<CallOptions, 'dialog'> {
    const { outbound } = this.#stage;
    if (this.#scenario.direction === 'inbound') {
      const dialog = this.#stage.dialog?.bind(this.#stage, this.#number);
      return dialog ? { dialog } : {};
    }
    if (outbound === null) throw new Error('an outbound scenario needs a service that can be asked for calls');
    return { dialog: (rtpPort, onEvent) => outbound.dialog(this.#number, rtpPort, onEvent) };
  }

  async #playCue(caller: Caller, line: Line, cue: Cue, clip: Clip | null): Promise<void> {
    const [low, high] = cue.afterMs;
    const waitMs = low + this.#random() * (high - low);
    const eventMs = await this.#event(caller, cue, waitMs);
    await pause(Math.max(0, eventMs + waitMs - performance.now()));
    const played: PlayedCue = { cue, startMs: performance.now(), endMs: performance.now() };
    this.#played.push(played);
    const { action } = cue;
    if (action.kind === 'stall') line.stall(action.ms);
    else if (action.kind === 'press') {
      caller.call.press(action.digits);
      played.endMs = played.startMs + action.digits.length * KEY_MS;
    }
    if (clip !== null) this.#speaking.push(this.#speak(caller, line, played, clip).catch(() => undefined));
  }

  async #speak(caller: Caller, line: Line, played: PlayedCue, { samples, utterance }: Clip): Promise<void> {
    played.endMs = Number.NaN;
    if (played.cue.on === 'caller-starts') {
      line.overlay(samples);
      played.endMs = played.startMs + samples.length / 8;
      return;
    }
    const isSent = caller.call.speak(samples, {
      onStart: (atMs) => {
        played.startMs = atMs;
      },
      mark: (codes, frame) => {
        if (frame < MAX_MARKED_FRAMES) writeMark(codes, { utterance, frame });
      },
    });
    void isSent.then((atMs) => {
      played.endMs = atMs;
    });
    await caller.until('the sentence is sent', () => !Number.isNaN(played.endMs), samples.length / 8 + PATIENCE_MS);
  }

  /** Time of the cue's event, past or future. @throws Error if it does not happen */
  async #event(caller: Caller, { on }: Cue, waitMs: number): Promise<number> {
    const previous = this.#played.findLast(({ cue }) => cue.action.kind !== 'stall');
    const sinceMs = previous?.startMs ?? 0;
    switch (on) {
      case 'answered':
        return caller.call.answeredAtMs ?? performance.now();
      case 'caller-starts':
        return sinceMs;
      case 'caller-stops':
        await Promise.all(this.#speaking);
        return previous?.endMs ?? performance.now();
      case 'agent-starts':
        await Promise.all(this.#speaking);
        return phraseAfter(caller, previous?.endMs ?? 0);
      case 'agent-stops':
        await Promise.all(this.#speaking);
        if (waitMs >= 0) return quietAfter(caller, previous?.endMs ?? 0);
        return (await phraseAfter(caller, previous?.endMs ?? 0)) + (await this.#phraseMs(this.#played.length));
    }
  }

  /** Duration of the agent's phrase before this cue. */
  async #phraseMs(cueIndex: number): Promise<number> {
    const before = this.#scenario.cues.slice(0, cueIndex);
    const turns = before.filter(({ role }) => role === 'turn' || role === 'interruption').length;
    const text = turns === 0 ? this.#stage.greeting : (this.#scenario.replies[turns - 1]?.say ?? '');
    return (await speech(text, AGENT_VOICE)).length / 8;
  }

  /** Waits for the answer to the last cue, and its end. */
  async #finish(caller: Caller): Promise<void> {
    const { silenceMs } = this.#scenario;
    if (silenceMs > 0) {
      await Promise.race([pause(silenceMs), caller.until('the end', () => caller.ended, silenceMs + 1_000)]);
      return;
    }
    const last = this.#played.findLast(({ cue }) => cue.role !== 'aside');
    const wantsAnswer = last?.cue.role === 'turn' || last?.cue.role === 'interruption';
    // After a turn that began over the agent, the heard audio may be the rest of the agent's speech.
    const isOver = last?.cue.on === 'agent-stops' && last.cue.afterMs[0] < 0;
    await quietAfter(caller, wantsAnswer ? last.endMs : 0, isOver ? LONG_QUIET_MS : END_QUIET_MS);
  }

  async #clipOf({ action }: Cue): Promise<Clip | null> {
    if (action.kind !== 'say' && action.kind !== 'sound') return null;
    const utterance = nextUtterance++;
    const plain =
      action.kind === 'say'
        ? await speech(action.text, action.voice ?? this.#voice)
        : await makeSound(action.sound, action.ms, this.#seed);
    const samples = action.levelDb === 0 ? plain : withGain(plain, action.levelDb);
    const text = action.kind === 'say' ? action.text : action.recognised;
    this.#stage.folder.writeWords(utterance, wordsOf(text, Math.ceil(samples.length / FRAME_SAMPLES)));
    return { samples, utterance };
  }

  get #voice(): string {
    return this.#scenario.voice ?? VOICES[Math.floor(this.#seed / 2) % VOICES.length] ?? AGENT_VOICE;
  }

  #makeLine(): Line {
    const { echo, lossPercent, jitterMs } = this.#scenario;
    return new Line({
      background: this.#background,
      echo: echo && { gainDb: echo.levelDb, delayMs: echo.delayMs },
      lossPercent,
      jitterMs,
      random: this.#random,
    });
  }
}

/** First sound of the agent after `fromMs` that follows a silence. */
async function phraseAfter(caller: Caller, fromMs: number): Promise<number> {
  const find = (): number | undefined =>
    caller.events.find(
      (event): event is Extract<typeof event, { type: 'agent-started' }> =>
        event.type === 'agent-started' && event.atMs > fromMs,
    )?.atMs;
  await caller.until('the agent begins to speak', () => find() !== undefined, PATIENCE_MS);
  return find() ?? Number.NaN;
}

/** Time at which the agent, after speaking after `fromMs`, became silent. */
async function quietAfter(caller: Caller, fromMs: number, quietMs = AGENT_QUIET_MS): Promise<number> {
  const lastSound = (): HeardFrame | undefined => caller.frames.findLast((frame) => frame.isSound);
  await caller.until('the agent speaks', () => (lastSound()?.atMs ?? 0) > fromMs, PATIENCE_MS);
  const isQuiet = (): boolean => (caller.frames.at(-1)?.atMs ?? 0) - (lastSound()?.atMs ?? 0) >= quietMs;
  await caller.until('the agent is quiet', isQuiet, 60_000).catch((error) => {
    // The call may end with a goodbye.
    if (!caller.ended) throw error;
  });
  return lastSound()?.atMs ?? Number.NaN;
}
