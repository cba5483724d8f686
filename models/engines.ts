// Loads an engine by its name. `module:/absolute/path.ts` names a module whose default export is the port's factory:
// the bench uses it for instant models, and an operator for their own engine. The built-in engine takes over when
// another one fails. A local engine lowers the priority of the thread that loads it, the built-in recogniser less than
// others; a remote one keeps it, because waiting for a core would make its results late.
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FLITE_VOICES } from './install/catalogue.ts';
import { localName } from './install/local-models.ts';
import type { DialogueModel } from './llm/llm.ts';
import type { SpeechToSpeechEngine, SpeechToSpeechFactory } from './speech-to-speech/speech-to-speech.ts';
import { withFallback } from './stt/fallback.ts';
import { isPolled, streaming } from './stt/polled.ts';
import type { SttEngine, SttEngineFactory } from './stt/stt.ts';
import { isBlockEngine, ofBlockEngine } from './tts/block-engine.ts';
import type { TtsEngine, TtsEngineFactory } from './tts/tts.ts';
import { lowerThreadPriority, sharePriority } from './workers/priority.ts';

type DialogueModelFactory = (environment: Record<string, string | undefined>) => Promise<DialogueModel>;
type Environment = Record<string, string | undefined>;

class EngineNameError extends Error {
  readonly code = 'ENGINE_UNKNOWN';
}

/**
 * @throws {EngineNameError} for an unknown name or a module without a factory; else the error of the engine's factory
 */
export async function loadStt(name: string, environment: Environment): Promise<SttEngine> {
  switch (name) {
    case 'soundswallower':
      // Beside programs that keep all cores busy nice 19 is next to nothing, and turn-taking waits for each word.
      sharePriority();
      return builtInStt(environment);
    case 'openai':
      return guarded((await import('./stt/vendor/openai.ts')).default(environment), environment);
    case 'openai-realtime':
      return guarded((await import('./stt/vendor/openai-realtime.ts')).default(environment), environment);
    case 'deepgram':
      return guarded((await import('./stt/vendor/deepgram.ts')).default(environment), environment);
    default: {
      const local = localName(name);
      if (local !== null) {
        lowerThreadPriority();
        return guarded((await import('./stt/sherpa/sherpa.ts')).default(local, environment), environment);
      }
      const engine = await (await plugIn<SttEngineFactory>('STT', name))(environment);
      yieldIfItComputes(engine);
      return isPolled(engine) ? streaming(engine) : engine;
    }
  }
}

/** The chosen engine first, the built-in one last. @throws as `loadStt` */
export async function loadTts(name: string, environment: Environment): Promise<TtsEngine[]> {
  switch (name) {
    case 'flite':
      lowerThreadPriority();
      return [await builtInTts(environment)];
    case 'openai':
      return [await (await import('./tts/openai.ts')).default(environment), lazyBuiltInTts(environment)];
    case 'elevenlabs':
      return [await (await import('./tts/elevenlabs.ts')).default(environment), lazyBuiltInTts(environment)];
    default: {
      const local = localName(name);
      if (local !== null) {
        lowerThreadPriority();
        return [await (await import('./tts/sherpa.ts')).default(local, environment), lazyBuiltInTts(environment)];
      }
      const engine = await (await plugIn<TtsEngineFactory>('TTS', name))(environment);
      yieldIfItComputes(engine);
      return isBlockEngine(engine) ? [ofBlockEngine(engine)] : [engine, lazyBuiltInTts(environment)];
    }
  }
}

/** @throws as `loadStt` */
export async function loadDialogueModel(name: string, environment: Environment): Promise<DialogueModel> {
  if (name === 'receptionist') return (await import('./llm/receptionist/receptionist.ts')).default(environment);
  if (name === 'openai') return (await import('./llm/chat/openai.ts')).default(environment);
  return (await plugIn<DialogueModelFactory>('LLM', name))(environment);
}

/** @throws as `loadStt` */
export async function loadSpeechToSpeech(name: string, environment: Environment): Promise<SpeechToSpeechEngine> {
  if (name === 'openai-realtime') return (await import('./speech-to-speech/openai-realtime.ts')).default(environment);
  if (name === 'gemini-live') return (await import('./speech-to-speech/gemini-live.ts')).default(environment);
  return (await plugIn<SpeechToSpeechFactory>('DIALOGUE', name))(environment);
}

/** A plug-in that declares no factor counts as remote. */
function yieldIfItComputes({ realTimeFactor = 0 }: { realTimeFactor?: number }): void {
  if (realTimeFactor > 0) lowerThreadPriority();
}

async function builtInStt(environment: Environment): Promise<SttEngine> {
  return streaming(await (await import('./stt/soundswallower/soundswallower.ts')).default(environment));
}

async function builtInTts(environment: Environment): Promise<TtsEngine> {
  return (await import('./tts/flite/flite.ts')).default(environment);
}

/**
 * `engine` with the built-in recogniser as its fallback. Both are loaded at once: a fallback must not wait for loading.
 */
async function guarded(engine: Promise<SttEngine>, environment: Environment): Promise<SttEngine> {
  const builtIn = once(() => builtInStt(environment));
  const first = await engine;
  builtIn.get().catch(() => undefined);
  return withFallback(first, {
    name: 'soundswallower',
    freeText: false,
    givesPartials: true,
    languages: ['en'],
    patienceMs: 1_500,
    blockMs: 60,
    openStream: async (options) => {
      lowerThreadPriority();
      return (await builtIn.get()).openStream(options);
    },
    close: async () => (await builtIn.made())?.close(),
  });
}

/** The built-in voices as a fallback, loaded at their first use. */
function lazyBuiltInTts(environment: Environment): TtsEngine {
  const builtIn = once(() => builtInTts(environment));
  return {
    name: 'flite',
    voices: FLITE_VOICES,
    concurrency: 4,
    patienceMs: null,
    speak: async (request, sink) => {
      lowerThreadPriority();
      return (await builtIn.get()).speak(request, sink);
    },
    close: async () => (await builtIn.made())?.close(),
  };
}

/** Calls `make` at the first use and keeps the value. A failed attempt is repeated at the next use. */
function once<Value>(make: () => Promise<Value>): { get(): Promise<Value>; made(): Promise<Value | null> } {
  let making: Promise<Value> | null = null;
  return {
    get: () => {
      making ??= make().catch((error: unknown) => {
        making = null;
        throw error;
      });
      return making;
    },
    made: async () => making?.catch(() => null) ?? null,
  };
}

async function plugIn<Factory>(variable: string, name: string): Promise<Factory> {
  const path = name.startsWith('module:') ? name.slice('module:'.length) : null;
  if (path === null) throw new EngineNameError(`${variable}: there is no engine named ${name}`);
  if (!isAbsolute(path)) throw new EngineNameError(`${variable}: module: needs an absolute path, got ${path}`);
  const loaded: { default?: unknown } = await import(pathToFileURL(path).href);
  if (typeof loaded.default !== 'function')
    throw new EngineNameError(`${variable}: ${path} has no factory as default export`);
  return loaded.default as Factory;
}
