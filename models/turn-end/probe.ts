// Tries the turn-end model in a separate process before its worker loads it. If it fails, the rules judge alone.

import { messageOf } from '../../db/domain/unexpected.ts';
import type { TurnEnd } from '../install/catalogue.ts';
import { probeInChild } from '../workers/child-probe.ts';

interface TrustedTurnEnd {
  turnEnd: TurnEnd;
  /** Why the rules judge alone; null when the model works or none is wanted. */
  refusal: string | null;
}

export async function trustedTurnEnd(
  wanted: TurnEnd,
  environment: Record<string, string | undefined>,
): Promise<TrustedTurnEnd> {
  if (wanted === 'rules') return { turnEnd: 'rules', refusal: null };
  try {
    await probeInChild(new URL('./probe-child.ts', import.meta.url), [], environment);
    return { turnEnd: wanted, refusal: null };
  } catch (error) {
    return { turnEnd: 'rules', refusal: `${wanted}: ${messageOf(error)}` };
  }
}
