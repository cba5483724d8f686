// Loads an engine by its name. `module:/absolute/path.ts` names a module whose default export is the port's factory: the bench
// uses it for instant models, and an operator for an engine of their own.
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DialogueModel } from './llm/llm.ts';
import type { SttEngine, SttEngineFactory } from './stt/stt.ts';
import type { TtsEngine, TtsEngineFactory } from './tts/tts.ts';

export type DialogueModelFactory = (environment: Record<string, string | undefined>) => Promise<DialogueModel>;
type Environment = Record<string, string | undefined>;

export class EngineNameError extends Error {
  readonly code = 'ENGINE_UNKNOWN';
}

/** @throws {EngineNameError} for an unknown name or a module without a factory; else what the engine's factory throws */
export async function loadStt(name: string, environment: Environment): Promise<SttEngine> {
  if (name === 'soundswallower') return (await import('./stt/soundswallower.ts')).default(environment);
  return (await plugIn<SttEngineFactory>('STT', name))(environment);
}

/** @throws as `loadStt` */
export async function loadTts(name: string, environment: Environment): Promise<TtsEngine> {
  if (name === 'flite') return (await import('./tts/flite.ts')).default(environment);
  return (await plugIn<TtsEngineFactory>('TTS', name))(environment);
}

/** @throws as `loadStt` */
export async function loadDialogueModel(name: string, environment: Environment): Promise<DialogueModel> {
  if (name === 'receptionist') return (await import('./llm/receptionist.ts')).default(environment);
  if (name === 'openai') return (await import('./llm/openai.ts')).default(environment);
  return (await plugIn<DialogueModelFactory>('LLM', name))(environment);
}

function isPlugIn(name: string): boolean {
  return name.startsWith('module:');
}

async function plugIn<Factory>(variable: string, name: string): Promise<Factory> {
  const path = isPlugIn(name) ? name.slice('module:'.length) : null;
  if (path === null) throw new EngineNameError(`${variable}: there is no engine named ${name}`);
  if (!isAbsolute(path)) throw new EngineNameError(`${variable}: module: needs an absolute path, got ${path}`);
  const loaded: { default?: unknown } = await import(pathToFileURL(path).href);
  if (typeof loaded.default !== 'function')
    throw new EngineNameError(`${variable}: ${path} has no factory as default export`);
  return loaded.default as Factory;
}
