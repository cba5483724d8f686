// One reply in the making, from the moment it is wanted until it was heard or dropped.
import type { CallNote } from '../../models/llm/call-note.ts';
import type { DialogueChunk, Message } from '../../models/llm/llm.ts';
import type { Expectation } from '../../models/stt/stt.ts';
import type { ReplyCause } from '../turn/machine.ts';
import { ClauseSplitter } from './clause-splitter.ts';
import { noteMessage } from './history.ts';
import { NOTHING_USED, type ReplyUsage } from './model-usage.ts';
import type { ToolAction } from './tools/tool.ts';

export interface Reply {
  epoch: number;
  cause: ReplyCause;
  isCommitted: boolean;
  abort: AbortController;
  splitter: ClauseSplitter;
  nextClause: number;
  /** Said since the last tool round, not yet in the history. */
  spoken: string[];
  /** Held back until the reply is committed. */
  pendingTools: Array<Extract<DialogueChunk, { type: 'tool-call' }>>;
  memory: { value: unknown } | null;
  expects: Expectation | null;
  isStreamDone: boolean;
  /** A fixed text, said without the model. */
  isWhole: boolean;
  /** Why the guess failed; null unless the reply was not committed then. */
  failure: string | null;
  /** Everything said so far. */
  text: string;
  /** The reply itself has begun; what is said while the caller waits for it does not count. */
  hasSpoken: boolean;
  /** The model has begun it. */
  hasWords: boolean;
  /** The first clause is late: it may end between two words. */
  isClauseLate: boolean;
  rounds: number;
  action: ToolAction | null;
  /** Of a reply that is not committed yet: nobody knows whether it will be of use. */
  used: ReplyUsage;
}

export function newReply(epoch: number, cause: ReplyCause): Reply {
  return {
    epoch,
    cause,
    isCommitted: false,
    abort: new AbortController(),
    splitter: new ClauseSplitter(),
    nextClause: 0,
    spoken: [],
    pendingTools: [],
    memory: null,
    expects: null,
    isStreamDone: false,
    isWhole: false,
    failure: null,
    text: '',
    hasSpoken: false,
    hasWords: false,
    isClauseLate: false,
    rounds: 0,
    action: null,
    used: NOTHING_USED,
  };
}

/** What a cause adds to the conversation; the opening and verbatim text add nothing. */
export function causeMessage(cause: ReplyCause, language: string): Message | null {
  if (cause.kind === 'turn') return { role: 'caller', text: cause.text, understood: cause.understood };
  const note = noteOf(cause);
  return note && noteMessage(note, language);
}

export function noteOf(cause: ReplyCause): CallNote | null {
  switch (cause.kind) {
    case 'digits':
      return { kind: 'digits', digits: cause.digits };
    case 'idle':
      return { kind: 'silent', last: cause.last };
    case 'requested':
      return cause.request.kind === 'note' ? cause.request.note : null;
    case 'turn':
    case 'opening':
    case 'fallback':
      return null;
  }
}
