const STATES: Record<string, string> = {
  listening: 'Listening',
  thinking: 'Thinking',
  speaking: 'Speaking',
  ended: 'Ended',
};

/** Whose turn it is, as the agent sees it; `waiting` before the first state is known. */
export function TurnState({ state, waiting }: { state: string | null; waiting: string }) {
  return (
    <span class={`turn-state ${state ?? ''}`} role="status">
      {STATES[state ?? ''] ?? waiting}
    </span>
  );
}
