// The state that a browser shows for each phase of the turn, as its socket tells it.
import type { TurnPhase } from '../turn/machine.ts';

const STATES: Record<TurnPhase, 'listening' | 'thinking' | 'speaking' | 'ended'> = {
  waiting: 'listening',
  listening: 'listening',
  hearing: 'listening',
  pausing: 'listening',
  thinking: 'thinking',
  speaking: 'speaking',
  doubting: 'speaking',
  ended: 'ended',
};

export const stateText = (phase: TurnPhase): string => JSON.stringify({ type: 'state', state: STATES[phase] });
