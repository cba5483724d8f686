// The state of turn-taking in a running call, in the words of the dashboard.
import { t, words } from '../words/words.ts';

const STATES: Record<string, string> = {
  listening: words('Listening'),
  thinking: words('Thinking'),
  speaking: words('Speaking'),
  person: words('A person talks'),
  ended: words('Ended'),
};

/** The agent's view of the current turn; `waiting` before the first state is known. */
export function TurnState({ state, waiting }: { state: string | null; waiting: string }) {
  return (
    <span class={`turn-state ${state ?? ''}`} role="status">
      {t(STATES[state ?? ''] ?? waiting)}
    </span>
  );
}
