// The state that watchers of a call are shown for each phase of its turn.
import type { TurnPhase } from './machine.ts';

export const PHASE_STATES: Record<TurnPhase, 'listening' | 'thinking' | 'speaking' | 'ended'> = {
  waiting: 'listening',
  listening: 'listening',
  hearing: 'listening',
  pausing: 'listening',
  thinking: 'thinking',
  speaking: 'speaking',
  doubting: 'speaking',
  ended: 'ended',
};
