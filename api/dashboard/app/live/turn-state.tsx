// The state of turn-taking in a running call, in the words of the dashboard.
const STATES: Record<string, string> = {
  listening: 'Listening',
  thinking: 'Thinking',
  speaking: 'Speaking',
  person: 'A person talks',
  ended: 'Ended',
};

/** The agent's view of the current turn; `waiting` before the first state is known. */
export function TurnState({ state, waiting }: { state: string | null; waiting: string }) {
  return (
    <span class={`turn-state ${state ?? ''}`} role="status">
      {STATES[state ?? ''] ?? waiting}
    </span>
  );
}
