// Tries the model of turn ends in a process of its own before its worker loads it. Where it does not work, the rules
// judge.

import { messageOf } from '../../db/domain/unexpected.ts';
import type { TurnEnd } from '../install/catalogue.ts';
import { tryInChild } from '../workers/trial.ts';

export interface TrustedTurnEnd {
  turnEnd: TurnEnd;
  /** Why the rules judge alone; null when the model works, and where none is wanted. */
  refusal: string | null;
}

export async function trustedTurnEnd(
  wanted: TurnEnd,
  environment: Record<string, string | undefined>,
): Promise<TrustedTurnEnd> {
  if (wanted === 'rules') return { turnEnd: 'rules', refusal: null };
  try {
    await tryInChild(new URL('./probe-child.ts', import.meta.url), [], environment);
    return { turnEnd: wanted, refusal: null };
  } catch (error) {
    return { turnEnd: 'rules', refusal: `${wanted}: ${messageOf(error)}` };
  }
}
