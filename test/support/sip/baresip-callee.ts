// baresip as an independent callee: answers automatically and records what it hears.
import { type BaresipResult, type BaresipRun, runBaresip } from './baresip-run.ts';

/** Waits `seconds` for calls to `user` on `port`; plays `microphone` after `leadMs`, then stays silent. */
export const answerWithBaresip = (
  callee: Omit<BaresipRun, 'parameters' | 'modules' | 'args'>,
): { done: Promise<BaresipResult>; stop(): void } => runBaresip({ ...callee, parameters: 'answermode=auto;' });
