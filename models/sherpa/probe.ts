// Tries a local model in a process of its own before a worker loads it: the library ends the process at a broken file,
// and a worker's process is the engine.

import { messageOf } from '../../db/domain/unexpected.ts';
import { localName } from '../install/local-models.ts';
import type { LocalKind } from '../install/weights.ts';
import { TRIAL_DEADLINE_MS, tryInChild } from '../workers/trial.ts';

const BUILT_IN = { stt: 'soundswallower', tts: 'flite' } as const;

export interface Trusted {
  /** The engine to run: the one that was asked for, or the built-in one. */
  engine: string;
  /** Why the built-in one; null when the model works. */
  refusal: string | null;
}

/** Engines that run no local model are trusted as they are. */
export async function trustedEngine(
  kind: LocalKind,
  engine: string,
  environment: Record<string, string | undefined>,
  deadlineMs = TRIAL_DEADLINE_MS,
): Promise<Trusted> {
  const name = localName(engine);
  if (name === null) return { engine, refusal: null };
  try {
    await tryInChild(new URL('./probe-child.ts', import.meta.url), [kind, name], environment, deadlineMs);
    return { engine, refusal: null };
  } catch (error) {
    return { engine: BUILT_IN[kind], refusal: `${engine}: ${messageOf(error)}` };
  }
}
