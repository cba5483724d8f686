// Events of the call that the agent must react to without a caller's words: keys, silence, a failed transfer, the time
// limit. The built-in receptionist switches over the value; a language model gets the text of `noteText`.
import type { TransferResult } from '../../db/domain/numbers/transfer-destinations.ts';
import { phrasesFor } from './phrases/languages.ts';
import { fill } from './phrases/phrases.ts';
import { asSentence, languageName } from './spoken.ts';

export interface TriedPerson {
  name: string;
  result: TransferResult;
  /** For the caller; null: none. */
  message: string | null;
}

export type CallNote =
  /** The keys pressed, in order, with a closing `#` if there was one. */
  | { kind: 'digits'; digits: string }
  /** Neither side has spoken for the idle time. `last`: the caller was prompted before, so the call ends now. */
  | { kind: 'silent'; last: boolean }
  /** Nobody took the transferred call. `tried`: each of the destinations, and what became of it; absent: a number. */
  | { kind: 'transfer-failed'; tried?: readonly TriedPerson[] }
  /** The caller said no to being transferred. */
  | { kind: 'transfer-declined' }
  /** The call was cut off by a fault of ours and goes on; it stands in the history, and asks for no reply. */
  | { kind: 'line-lost' }
  /** The model that spoke itself was lost in mid sentence; the answer is owed. */
  | { kind: 'voice-lost' }
  /** A tool that ran beside the talk has answered; its result stands with its call. */
  | { kind: 'tool-answered'; tool: string }
  /** A colleague, who talked in the agent's place, said this to the caller; it asks for no reply. */
  | { kind: 'person-said'; text: string }
  /** That colleague has handed the call back. */
  | { kind: 'handed-back' }
  /** The call goes on in another language, BCP 47, by key or because the caller was heard to speak it. */
  | { kind: 'language-changed'; language: string }
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
      return [notes.transferFailed, ...triedSentences(note.tried ?? [], language)].join(' ');
    case 'transfer-declined':
      return notes.transferDeclined;
    case 'line-lost':
      return notes.lineLost;
    case 'voice-lost':
      return notes.voiceLost;
    case 'tool-answered':
      return fill(notes.toolAnswered, { tool: note.tool });
    case 'person-said':
      return fill(notes.personSaid, { text: note.text });
    case 'handed-back':
      return notes.handedBack;
    case 'language-changed':
      return fill(notes.languageChanged, { language: languageName(language, note.language) });
    case 'limit-near':
      return fill(notes.limitNear, { seconds: Math.round(note.remainingMs / 1000) });
  }
}

/** Why nobody took the call, for the caller: whoever was asked last, and what they ask to be told. */
export function triedSentences(tried: readonly TriedPerson[], language: string): string[] {
  const asked = tried.filter(({ result }) => result !== 'withdrawn' && result !== 'accepted');
  const last = asked.at(-1);
  if (last === undefined) return [];
  const { handover } = phrasesFor(language);
  const { name, message } = last;
  const said = [fill(handover[PHRASES[last.result]], { name })];
  if (message !== null) said.push(asSentence(fill(handover.leftMessage, { message })));
  return said;
}

/** A machine, or silence, is nobody to whoever waits. */
const PHRASES = {
  accepted: 'notReached',
  withdrawn: 'notReached',
  declined: 'cannotTakeIt',
  busy: 'isBusy',
  no_answer: 'didNotAnswer',
  machine: 'didNotAnswer',
  hung_up: 'cannotTakeIt',
  silent: 'cannotTakeIt',
  failed: 'notReached',
} as const satisfies Record<TransferResult, string>;
