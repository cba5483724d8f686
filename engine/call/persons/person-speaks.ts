// A person talks to the caller in the agent's place, as one who took the call over or to whom it was transferred while
// the agent stays: the agent says nothing, goes on listening, and knows afterwards what was said.
import type { Dialogue } from '../../dialogue/dialogue.ts';
import type { CallAudio } from '../call-audio.ts';
import type { CallRecord } from '../record.ts';

export interface AgentParts {
  audio: Pick<CallAudio, 'send' | 'request'>;
  dialogue: Dialogue;
  record: CallRecord;
}

export function fallSilent({ audio, dialogue, record }: AgentParts): void {
  audio.send({ type: 'silence' });
  dialogue.silence('person');
  record.personSpeaks(true);
}

export function speakAgain({ audio, dialogue, record }: AgentParts): void {
  // The silence that the agent counts begins now.
  audio.send({ type: 'silence' });
  dialogue.wishes.letSpeak('person');
  record.personSpeaks(false);
  if (dialogue.wishes.isSilencedBy('client')) return;
  audio.request({ kind: 'note', note: { kind: 'handed-back' } });
}

/** The person's words to the caller. `timestamp`: ms since the call's beginning. */
export function personSaid(
  { dialogue, record }: { dialogue: Pick<Dialogue, 'personSaid'>; record: CallRecord },
  text: string,
  timestamp: number,
): void {
  record.add({ speaker: 'person', text, timestamp });
  dialogue.personSaid(text);
}
