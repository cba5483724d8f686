// A TTS worker: takes clauses on any number of ports and renders a few at a time in turn, piece by piece, so that a
// long text does not delay the first words of another call. Text that was rendered before comes from the cache. The
// built-in engine speaks the text if the chosen one cannot.
import type { MessagePort } from 'node:worker_threads';
import { messageOf, unreachable } from '../../db/domain/unexpected.ts';
import { sharedClockMs } from '../../db/shared/process/shared-clock.ts';
import { loadTts } from '../engines.ts';
import { Breaker } from '../workers/breaker.ts';
import { nameThread } from '../workers/thread-name.ts';
import { serveUntilStopped, type WorkerTask } from '../workers/worker-task.ts';
import { fail, type Listener, reply, sendAudio, sendWhole } from './answers.ts';
import { AudioCache } from './audio/audio-cache.ts';
import { VoiceLevels } from './audio/loudness.ts';
import { ttsFactor } from './cost-measurement.ts';
import { EngineWatch } from './engine-watch.ts';
import { hasWords, offsetsIn, withoutMarkup } from './text/markup.ts';
import { type SpeechRequest, type SpokenWord, type TtsEngine, TtsError, type TtsRequest, type Voice } from './tts.ts';

/** Most texts in the queue. A worker this far behind can meet no deadline, so it refuses further ones at once. */
const MAX_WAITING = 128;
/** Longest text in one request; a longer one is the requester's fault. */
const MAX_TEXT_CHARS = 4_000;
/** Texts that were made ahead and not heard; past it they count as heard. */
const UNHEARD_MAX = 1_000;
/**
 * Longest wait for a place: the call gives the first words of a reply up 4 s after it has asked. Further words: the
 * caller hears those before them meanwhile, and a change of voice within a reply is worse than a pause.
 */
const WAIT_MS = { first: 1_500, further: 6_000 };

/** One engine with its concurrency. */
interface Lane {
  engine: TtsEngine;
  places: number;
  running: number;
  breaker: Breaker;
}

/** One waiting or running rendering of a text, for all requests of that text. */
interface Rendering {
  key: string;
  request: SpeechRequest;
  lane: Lane;
  listeners: Set<Listener>;
  /** Audio so far, for listeners that join late. */
  pieces: Int16Array[];
  words: SpokenWord[];
  /** When the first caller who waits has asked, ms of the shared clock; null: nobody waits. */
  askedAtMs: number | null;
  /** Requested by `prepare`: rendered even without a listener. */
  isPrepared: boolean;
  /** Aborted when nobody waits or the engine is too slow. No listener may join any more. */
  abort: AbortController;
  /** No engine has the requested voice: the chosen engine's default replaces it. */
  isVoiceUnknown: boolean;
  isFallback: boolean;
}

export class TtsHost {
  readonly #lanes: readonly Lane[];
  readonly #cache: AudioCache;
  readonly #levels = new VoiceLevels();
  #waiting: Rendering[] = [];
  readonly #renderings = new Map<string, Rendering>();
  readonly #ports = new Set<MessagePort>();
  readonly #running = new Set<Promise<void>>();
  /** Texts in the cache that no call has heard yet. */
  readonly #unheard = new Set<string>();
  readonly #nowMs: () => number;
  /** Requests so far: a trial during which one arrives is disturbed. */
  #requests = 0;

  /** `engines`: the chosen one first, the built-in one last. `workers` share the concurrency of a remote engine. */
  constructor(engines: readonly TtsEngine[], cache = new AudioCache(), workers = 1, nowMs = sharedClockMs) {
    this.#lanes = engines.map((engine) => ({
      engine,
      places: engine.patienceMs === null ? engine.concurrency : Math.max(1, Math.ceil(engine.concurrency / workers)),
      running: 0,
      breaker: new Breaker(),
    }));
    this.#cache = cache;
    this.#nowMs = nowMs;
  }

  connect(port: MessagePort): void {
    this.#ports.add(port);
    port.on('message', (message: TtsRequest) => this.#receive(port, message));
    port.on('close', () => this.#disconnect(port));
    reply(port, { type: 'ready' });
  }

  /** Measures the chosen engine's cost as `ttsFactor`; null while it speaks. */
  async measure(): Promise<number | null> {
    const before = this.#requests;
    const [chosen] = this.#lanes;
    if (!chosen || this.#renderings.size > 0) return null;
    return ttsFactor(chosen.engine, () => this.#requests !== before);
  }

  /** Cancels everything, waits for the pieces in progress and closes the engines. */
  async close(): Promise<void> {
    // Ends a trial.
    this.#requests++;
    for (const rendering of this.#renderings.values()) rendering.isPrepared = false;
    for (const port of [...this.#ports]) this.#disconnect(port);
    for (const rendering of this.#renderings.values()) rendering.abort.abort();
    await Promise.allSettled(this.#running);
    await Promise.all(this.#lanes.map(({ engine }) => engine.close()));
  }

  #receive(port: MessagePort, message: TtsRequest): void {
    this.#requests++;
    switch (message.type) {
      case 'speak':
        this.#speak(message, { port, id: message.id }, message.askedAtMs ?? null);
        return;
      case 'prepare':
        this.#prepare(message);
        return;
      case 'cancel':
        this.#cancel((listener) => listener.port === port && listener.id === message.id);
        return;
      case 'stop':
        this.#disconnect(port);
        return;
      default:
        unreachable(message);
        return;
    }
  }

  #speak(request: SpeechRequest, listener: Listener, askedAtMs: number | null): void {
    if (request.text.length > MAX_TEXT_CHARS) {
      fail(listener, 'TTS_FAILED', `more than ${MAX_TEXT_CHARS} characters`);
      return;
    }
    const cached = this.#cache.get(keyOf(request));
    if (cached) {
      // The first who hears what was made ahead has had it made.
      sendWhole(listener, cached, request.sampleRateHz, !this.#unheard.delete(keyOf(request)));
      return;
    }
    const rendering = this.#rendering(request);
    if (!rendering) {
      fail(listener, 'TTS_UNAVAILABLE', 'too many texts are waiting');
      return;
    }
    const { port, id } = listener;
    if (rendering.words.length > 0) reply(port, { type: 'words', id, words: rendering.words });
    for (const piece of rendering.pieces) sendAudio(listener, piece.slice(), false);
    rendering.listeners.add(listener);
    rendering.askedAtMs ??= askedAtMs;
    this.#startNext();
  }

  #prepare(request: SpeechRequest): void {
    if (request.text.length > MAX_TEXT_CHARS || this.#cache.get(keyOf(request))) return;
    const rendering = this.#rendering(request);
    if (rendering) rendering.isPrepared = true;
    this.#startNext();
  }

  /** A rendering of this text that can be joined, else a new one; null when too many wait. */
  #rendering(request: SpeechRequest): Rendering | null {
    const key = keyOf(request);
    const open = this.#renderings.get(key);
    if (open && !open.abort.signal.aborted) return open;
    if (this.#waiting.length >= MAX_WAITING) return null;
    const lane = this.#laneOf(request.voiceId);
    const [chosen] = this.#lanes;
    if (!chosen) return null;
    const [ownVoice] = chosen.engine.voices;
    const fresh: Rendering = {
      key,
      request: lane || !ownVoice ? request : { ...request, voiceId: ownVoice.id },
      lane: lane ?? chosen,
      isVoiceUnknown: lane === null,
      listeners: new Set(),
      pieces: [],
      words: [],
      askedAtMs: null,
      isPrepared: false,
      abort: new AbortController(),
      isFallback: false,
    };
    this.#renderings.set(key, fresh);
    this.#waiting.push(fresh);
    return fresh;
  }

  /** The engine that has or may have this voice; null if none has it. */
  #laneOf(voiceId: string): Lane | null {
    const has = ({ engine }: Lane): boolean =>
      engine.speaksAnyVoice === true || engine.voices.some((voice) => voice.id === voiceId);
    return (
      this.#lanes.find(has) ??
      this.#lanes.find(({ engine }) => engine.hasUnlistedVoices && voiceId.startsWith(`${engine.name}:`)) ??
      null
    );
  }

  #startNext(): void {
    for (;;) {
      const index = this.#waiting.findIndex(({ lane }) => lane.running < lane.places);
      const [rendering] = index < 0 ? [] : this.#waiting.splice(index, 1);
      if (!rendering) return;
      const { lane } = rendering;
      lane.running++;
      const run = this.#render(rendering).finally(() => {
        lane.running--;
        this.#running.delete(run);
        const isOver = !this.#waiting.includes(rendering);
        if (isOver && this.#renderings.get(rendering.key) === rendering) this.#renderings.delete(rendering.key);
        this.#startNext();
      });
      this.#running.add(run);
    }
  }

  async #render(rendering: Rendering): Promise<void> {
    const { lane, request, pieces } = rendering;
    // A cancelled request gets no answer.
    if (rendering.listeners.size === 0 && !rendering.isPrepared) rendering.abort.abort();
    if (rendering.abort.signal.aborted) return;
    if (lane.breaker.isOpen && this.#takeBuiltIn(rendering, 'it has failed several times')) return;
    // The time in a port counts too: an engine of this machine lets nobody in while it renders.
    const waitedMs = rendering.askedAtMs === null ? 0 : this.#nowMs() - rendering.askedAtMs;
    const limitMs = request.previousText === undefined ? WAIT_MS.first : WAIT_MS.further;
    if (waitedMs > limitMs && this.#takeBuiltIn(rendering, 'too many sentences wait for it')) return;
    if (rendering.isVoiceUnknown)
      this.#tellFallback(rendering, lane.engine.name, 'no engine has the voice of the agent');
    const watch = new EngineWatch(lane.engine, rendering.abort.signal);
    const text = withoutMarkup(request.text, request.language).trim();
    try {
      const speaking = hasWords(text) ? this.#speakOn(rendering, text, watch) : null;
      await Promise.race([speaking, watch.failed]);
      if (rendering.abort.signal.aborted) return;
      if (pieces.length === 0 && speaking && lane.engine.patienceMs !== null)
        throw new TtsError('TTS_FAILED', 'it sent no audio');
      lane.breaker.succeeded();
      if (!rendering.isFallback) this.#keep(rendering);
      for (const listener of rendering.listeners) sendAudio(listener, new Int16Array(0), true);
    } catch (error) {
      if (rendering.abort.signal.aborted) return;
      lane.breaker.failed();
      if (pieces.length === 0 && this.#takeBuiltIn(rendering, messageOf(error))) return;
      const code = error instanceof TtsError ? error.code : 'TTS_FAILED';
      for (const listener of rendering.listeners) fail(listener, code, messageOf(error));
    } finally {
      watch.stop();
    }
  }

  #speakOn(rendering: Rendering, text: string, watch: EngineWatch): Promise<void> {
    const { lane, request } = rendering;
    const place = offsetsIn(request.text, text);
    return lane.engine.speak(
      { ...request, text },
      {
        signal: watch.signal,
        onAudio: (samples) => {
          if (watch.signal.aborted || samples.length === 0) return;
          watch.audio();
          this.#send(rendering, this.#levels.level(lane.engine, request, samples));
        },
        onWords: (words) => {
          if (watch.signal.aborted) return;
          const heard = words.map(({ endChar, endMs }) => ({ endChar: place(endChar), endMs }));
          rendering.words.push(...heard);
          for (const { port, id } of rendering.listeners) reply(port, { type: 'words', id, words: heard });
        },
      },
    );
  }

  #keep({ key, pieces, listeners }: Rendering): void {
    this.#cache.put(key, pieces);
    if (listeners.size > 0) return;
    if (this.#unheard.size >= UNHEARD_MAX) this.#unheard.clear();
    this.#unheard.add(key);
  }

  #send(rendering: Rendering, samples: Int16Array): void {
    rendering.pieces.push(samples);
    for (const listener of rendering.listeners) sendAudio(listener, samples.slice(), false);
  }

  /** Puts the text in front of the built-in engine's queue. False when the built-in engine itself failed. */
  #takeBuiltIn(rendering: Rendering, message: string): boolean {
    const builtIn = this.#lanes.at(-1);
    if (!builtIn || builtIn === rendering.lane) return false;
    const voice = nearestVoice(this.#voice(rendering.request.voiceId), builtIn.engine.voices);
    if (!voice) return false;
    this.#tellFallback(rendering, builtIn.engine.name, message);
    rendering.lane = builtIn;
    rendering.request = { ...rendering.request, voiceId: voice.id };
    rendering.isFallback = true;
    this.#waiting = [rendering, ...this.#waiting];
    return true;
  }

  #tellFallback({ listeners, lane }: Rendering, to: string, message: string): void {
    for (const { port, id } of listeners) reply(port, { type: 'fallback', id, from: lane.engine.name, to, message });
  }

  #voice(id: string): Voice | undefined {
    return this.#lanes.flatMap(({ engine }) => engine.voices).find((voice) => voice.id === id);
  }

  #cancel(isMeant: (listener: Listener) => boolean): void {
    for (const rendering of this.#renderings.values()) {
      const { key, listeners, isPrepared, abort } = rendering;
      let isLeft = false;
      for (const listener of listeners) if (isMeant(listener)) isLeft = listeners.delete(listener) || isLeft;
      if (!isLeft || listeners.size > 0 || isPrepared) continue;
      abort.abort();
      const place = this.#waiting.indexOf(rendering);
      if (place < 0) continue;
      this.#waiting.splice(place, 1);
      this.#renderings.delete(key);
    }
  }

  #disconnect(port: MessagePort): void {
    this.#cancel((listener) => listener.port === port);
    this.#ports.delete(port);
  }
}

/** Runs as the worker's one task, until `stop`. */
export default async function serveTts(task: WorkerTask): Promise<void> {
  nameThread('tts');
  const engines = await loadTts(task.engine, task.environment);
  const host = new TtsHost(engines, new AudioCache(), task.workers);
  const voices = engines.flatMap((engine) => engine.voices);
  const [chosen] = engines;
  const concurrency = chosen?.patienceMs == null ? null : chosen.concurrency;
  await serveUntilStopped(
    task,
    (port) => host.connect(port),
    { voices, concurrency, realTimeFactor: chosen?.realTimeFactor },
    () => host.measure(),
  );
  await host.close();
}

/** The built-in voice that replaces an unavailable one: of the same gender, else the default. */
function nearestVoice(wanted: Voice | undefined, voices: readonly Voice[]): Voice | undefined {
  return (
    voices.find((voice) => voice.gender === wanted?.gender) ?? voices.find((voice) => voice.isDefault) ?? voices[0]
  );
}

function keyOf({ voiceId, speed, sampleRateHz, language = '', text }: SpeechRequest): string {
  return `${voiceId} ${speed} ${sampleRateHz} ${language} ${text}`;
}
