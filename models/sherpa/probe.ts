// Tries a local model in a separate process before a worker loads it: a broken file makes the library end its process,
// and a worker shares its process with the whole engine.

import { messageOf } from '../../db/domain/unexpected.ts';
import { localName } from '../install/local-models.ts';
import type { LocalKind } from '../install/weights.ts';
import { PROBE_DEADLINE_MS, probeInChild } from '../workers/child-probe.ts';

const BUILT_IN = { stt: 'soundswallower', tts: 'flite' } as const;

interface Trusted {
  /** The engine to run: the wanted one or the built-in one. */
  engine: string;
  /** Why the built-in one is used; null when the model works. */
  refusal: string | null;
}

/** Only local models are tried; other engines are trusted. */
export async function trustedEngine(
  kind: LocalKind,
  engine: string,
  environment: Record<string, string | undefined>,
  deadlineMs = PROBE_DEADLINE_MS,
): Promise<Trusted> {
  const name = localName(engine);
  if (name === null) return { engine, refusal: null };
  try {
    await probeInChild(new URL('./probe-child.ts', import.meta.url), [kind, name], environment, deadlineMs);
    return { engine, refusal: null };
  } catch (error) {
    return { engine: BUILT_IN[kind], refusal: `${engine}: ${messageOf(error)}` };
  }
}
