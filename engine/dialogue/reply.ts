// One reply, from the request until it was heard or dropped.
import type { CallNote } from '../../models/llm/call-note.ts';
import type { DialogueChunk, FoundPassage, Message } from '../../models/llm/llm.ts';
import type { Expectation } from '../../models/stt/stt.ts';
import type { ReplyCause } from '../turn/machine.ts';
import { ClauseSplitter } from './clause-splitter.ts';
import type { TurnEnd } from './failed-turns.ts';
import { noteMessage } from './history.ts';
import { NOTHING_USED, type ReplyUsage } from './model-usage.ts';
import type { Objection } from './pending-action.ts';
import type { ToolAction } from './tools/tool.ts';

export interface Reply {
  epoch: number;
  cause: ReplyCause;
  isCommitted: boolean;
  /** The caller's decision on an announced transfer; null if none was announced. */
  objection: Objection | null;
  abort: AbortController;
  splitter: ClauseSplitter;
  nextClause: number;
  /** Spoken since the last tool round, not yet in the history. */
  spoken: string[];
  /** The same of what a speech-to-speech model has said itself. */
  voiced: string;
  /** It has said some of it. */
  isOwnVoice: boolean;
  /** Held back until the reply is committed. */
  pendingTools: Array<Extract<DialogueChunk, { type: 'tool-call' }>>;
  memory: { value: unknown } | null;
  /** Passages of the business's documents about it. */
  passages: readonly FoundPassage[];
  isSourced: boolean;
  expects: Expectation | null;
  isStreamDone: boolean;
  /** A fixed text, spoken without the model. */
  isWhole: boolean;
  /** Why the guess failed; null unless it failed before it was committed. */
  failure: string | null;
  /** Why the stand-in answers in place of the model; null while the model does. */
  standInFor: string | null;
  /** It says what the stand-in cannot do. */
  tellsLimit: boolean;
  /** The caller has heard "Let me see" while they waited for it. */
  hasBridged: boolean;
  /** The stand-in does not know the answer. */
  isUnanswered: boolean;
  /** Everything said so far. */
  text: string;
  /** The reply itself has begun; fillers do not count. */
  hasSpoken: boolean;
  /** Only its opening ("Sure,") was spoken so far. */
  hasOnlyOpened: boolean;
  /** The model has been asked, and no word of this round has come. */
  isAsking: boolean;
  /** The model has produced its first word. */
  hasWords: boolean;
  /** The first clause is late: it may end between two words. */
  isClauseLate: boolean;
  rounds: number;
  action: ToolAction | null;
  /** It promises a call back. */
  promisesCallBack: boolean;
  /** Use of an uncommitted reply, which may still be discarded. */
  used: ReplyUsage;
}

export function newReply(epoch: number, cause: ReplyCause, objection: Objection | null): Reply {
  return {
    epoch,
    cause,
    isCommitted: false,
    objection,
    abort: new AbortController(),
    splitter: new ClauseSplitter(),
    nextClause: 0,
    spoken: [],
    voiced: '',
    isOwnVoice: false,
    pendingTools: [],
    memory: null,
    passages: [],
    isSourced: false,
    expects: null,
    isStreamDone: false,
    isWhole: false,
    failure: null,
    standInFor: null,
    tellsLimit: false,
    hasBridged: false,
    isUnanswered: false,
    text: '',
    hasSpoken: false,
    hasOnlyOpened: false,
    isAsking: false,
    hasWords: false,
    isClauseLate: false,
    rounds: 0,
    action: null,
    promisesCallBack: false,
    used: NOTHING_USED,
  };
}

/** The model has failed for this reason: the stand-in begins anew. Words that were said and tools that ran stay. */
export function beginAgain(reply: Reply, reason: string): void {
  reply.abort = new AbortController();
  reply.splitter = new ClauseSplitter();
  reply.standInFor = reason;
  reply.pendingTools = [];
  reply.memory = null;
  reply.expects = null;
  reply.isStreamDone = false;
  reply.isClauseLate = false;
  reply.hasWords = false;
}

/** Takes the words that were said since the last time. */
export function takeSpoken(reply: Reply): string {
  const text = [...reply.spoken.splice(0), reply.voiced.trim()].join(' ');
  reply.voiced = '';
  return text;
}

/** How the turn ended that it answers. */
export function endOf({ standInFor, isUnanswered }: Reply): TurnEnd {
  if (standInFor === null) return { by: 'model' };
  return { by: 'receptionist', reason: standInFor, isAnswered: !isUnanswered };
}

export const isAskedByClient = (cause: ReplyCause): boolean =>
  cause.kind === 'requested' && cause.request.kind === 'say' && cause.request.by === 'client';

/** The caller's turn was perhaps not over. */
export const mayGoOn = ({ cause }: Reply): boolean => cause.kind === 'turn' && cause.unsure === true;

/** The messages that a reply's cause adds to the conversation; the opening and verbatim text add nothing. */
export function causeMessages(reply: Pick<Reply, 'cause' | 'objection'>, language: string): Message[] {
  const { cause } = reply;
  const note = noteOf(reply);
  return [
    ...(cause.kind === 'turn' ? [{ role: 'caller', text: cause.text, understood: cause.understood } as const] : []),
    ...(note ? [noteMessage(note, language)] : []),
  ];
}

function noteOf({ cause, objection }: Pick<Reply, 'cause' | 'objection'>): CallNote | null {
  switch (cause.kind) {
    case 'digits':
      return { kind: 'digits', digits: cause.digits };
    case 'idle':
      return { kind: 'silent', last: cause.last };
    case 'requested':
      return cause.request.kind === 'say' ? null : (cause.request.note ?? null);
    case 'turn':
      return objection === 'declined' ? { kind: 'transfer-declined' } : null;
    case 'opening':
    case 'fallback':
      return null;
  }
}
