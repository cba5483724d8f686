// Events of the call that the agent must react to without a caller's words: keys, silence, a failed transfer, the time
// limit. The built-in receptionist switches over the value; a language model gets the text of `noteText`.
import { phrasesFor } from './phrases/languages.ts';
import { fill } from './phrases/phrases.ts';

export type CallNote =
  /** The keys pressed, in order, with a closing `#` if there was one. */
  | { kind: 'digits'; digits: string }
  /** Neither side has spoken for the idle time. `last`: the caller was prompted before, so the call ends now. */
  | { kind: 'silent'; last: boolean }
  /** Nobody took the transferred call. */
  | { kind: 'transfer-failed' }
  /** The caller said no to being transferred. */
  | { kind: 'transfer-declined' }
  /** The call was cut off by a fault of ours and goes on; it stands in the history, and asks for no reply. */
  | { kind: 'line-lost' }
  /** A tool that ran beside the talk has answered; its result stands with its call. */
  | { kind: 'tool-answered'; tool: string }
  /** A colleague, who talked in the agent's place, said this to the caller; it asks for no reply. */
  | { kind: 'person-said'; text: string }
  /** That colleague has handed the call back. */
  | { kind: 'handed-back' }
  /** `maxCallDurationMinutes` is nearly over. */
  | { kind: 'limit-near'; remainingMs: number };

/** The note as one sentence for a language model. */
export function noteText(note: CallNote, language: string): string {
  const { notes } = phrasesFor(language);
  switch (note.kind) {
    case 'digits':
      return fill(notes.digits, { digits: note.digits });
    case 'silent':
      return note.last ? notes.silentLast : notes.silent;
    case 'transfer-failed':
      return notes.transferFailed;
    case 'transfer-declined':
      return notes.transferDeclined;
    case 'line-lost':
      return notes.lineLost;
    case 'tool-answered':
      return fill(notes.toolAnswered, { tool: note.tool });
    case 'person-said':
      return fill(notes.personSaid, { text: note.text });
    case 'handed-back':
      return notes.handedBack;
    case 'limit-near':
      return fill(notes.limitNear, { seconds: Math.round(note.remainingMs / 1000) });
  }
}
