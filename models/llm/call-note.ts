// Events of the call that the agent must react to without a caller's words: keys, silence, a failed transfer, the time limit.
// The built-in receptionist switches over the value; a language model gets the text of `noteText`.
export type CallNote =
  /** The keys pressed, in order, with a closing `#` if there was one. */
  | { kind: 'digits'; digits: string }
  /** Neither side has spoken for the idle time. `last`: the caller was prompted before, so the call ends now. */
  | { kind: 'silent'; last: boolean }
  /** Nobody took the transferred call. */
  | { kind: 'transfer-failed' }
  /** `maxCallDurationMinutes` is nearly over. */
  | { kind: 'limit-near'; remainingMs: number };

/** The note as one sentence for a language model. */
export function noteText(note: CallNote): string {
  switch (note.kind) {
    case 'digits':
      return `The caller pressed ${note.digits}.`;
    case 'silent':
      return note.last
        ? 'The caller has been silent for a long time and does not react: say goodbye and end the call.'
        : 'The caller has been silent: ask briefly whether they are still there.';
    case 'transfer-failed':
      return 'The transfer did not work: nobody could take the call. Tell the caller, and offer other help or to take a message.';
    case 'limit-near':
      return `The call must end in ${Math.round(note.remainingMs / 1000)} seconds. Tell the caller kindly and come to an end.`;
  }
}
