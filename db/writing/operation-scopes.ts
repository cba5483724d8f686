// The scope of each of the writer's operations, so that PostgreSQL runs the others beside it, and the order in which
// some of them must be done.

import { appointmentsWord, CONVERSATIONS, type Scope, TEST_RUNS, trunkWord } from '../scope.ts';
import type { OperationArgs, OperationName } from './operations.ts';

type Scopes = { readonly [N in OperationName]?: (args: OperationArgs<N>) => Scope };

const ofCall = ({ callId }: { callId: string }): Scope => ({ calls: [callId] });
/** Each statement of it holds what it needs in its condition. */
const ofNothing = (): Scope => ({});

const ofAppointments = ({ businessId }: { businessId: string }): Scope => ({ words: [appointmentsWord(businessId)] });
const ofTests = (): Scope => TEST_RUNS;
const ofConversations = (): Scope => CONVERSATIONS;

/** An operation without an entry is alone. */
const scopes: Scopes = {
  createInboundCall: ({ id }) => ({ calls: [id] }),
  markStarted: ofCall,
  markAnswered: ofCall,
  markTransferred: ofCall,
  markLanguage: ofCall,
  changeCall: ofCall,
  takeOverCall: ofCall,
  takeOrphan: ofCall,
  takeOrphans: ({ calls }) => ({ calls: calls.map(({ callId }) => callId) }),
  openTransferLeg: ofCall,
  answerTransferLeg: ofCall,
  closeTransferLeg: ofCall,
  closeTransferLegs: ofCall,
  countReferral: ofNothing,
  storeDialog: ofCall,
  writeContinuation: ofCall,
  deleteContinuation: ofCall,
  appendFeed: ofCall,
  auditControl: ofCall,
  countTurn: ofNothing,
  endCall: ofCall,
  endUndialledCall: ofCall,
  addUses: ofNothing,
  replaceSummary: ofCall,
  replaceRecording: ofCall,
  storeRecording: ofCall,
  loseRecording: ofCall,
  replaceTimeline: ofCall,
  storeAnalysis: ofCall,
  storeRerun: ofCall,
  endRerun: ofNothing,
  claimTest: ofTests,
  holdTest: ofNothing,
  releaseTest: ofNothing,
  finishTest: ofTests,
  claimConversation: ofConversations,
  holdConversation: ofConversations,
  releaseConversation: ofConversations,
  answerConversation: ({ optOut }) => (optOut ? { ...CONVERSATIONS, accounts: [optOut.accountId] } : CONVERSATIONS),
  giveRequest: ofCall,
  writeWords: ofCall,
  deleteFile: ofNothing,
  claimRequests: ofNothing,
  finishRequest: ofNothing,
  pruneFeed: ofNothing,
  pruneViews: ofNothing,
  writeEngine: ofNothing,
  beatEngine: ofNothing,
  forgetOperations: ofNothing,
  writeEngineVoices: ofNothing,
  writeTrunkState: ofNothing,
  writeSipBinding: ofNothing,
  deleteSipBinding: ofNothing,
  deferContacts: ofNothing,
  forgetDeferrals: ofNothing,
  excludeContacts: ofNothing,
  addReadInvites: ofNothing,
  addRefusedCalls: ofNothing,
  addEvent: ofNothing,
  claimAttempts: ({ attempts }) => ({
    accounts: attempts.map(({ accountId }) => accountId),
    words: attempts.map(({ trunkId }) => trunkWord(trunkId)),
  }),
  bookAppointment: ofAppointments,
  addBookingTry: ofNothing,
  changeAppointment: ofAppointments,
  confirmAppointment: ofAppointments,
  scheduleCallback: ({ accountId }) => ({ accounts: [accountId] }),
  optOut: ({ accountId }) => ({ accounts: [accountId] }),
};

/**
 * Writes that nobody misses if the database's machine fails in the second after them: rows of live views, beats, and
 * rows that are deleted again. A call's words are in its engine until its end.
 */
const LOSABLE: ReadonlySet<string> = new Set<OperationName>([
  'appendFeed',
  'writeContinuation',
  'deleteContinuation',
  'writeWords',
  'countTurn',
  'beatEngine',
  'pruneFeed',
  'pruneViews',
  'forgetOperations',
]);
export const isLosable = (name: string): boolean => LOSABLE.has(name);

/** Null: the operation is alone. */
export function scopeOf(name: string, args: unknown): Scope | null {
  const scope = (scopes as Record<string, ((args: unknown) => Scope) | undefined>)[name];
  return scope?.(args) ?? null;
}

/** The scope of several operations in one transaction; null: they must not share one. */
export function scopeOfAll(operations: ReadonlyArray<{ name: string; args: unknown }>): Scope | null {
  const calls = new Set<string>();
  for (const { name, args } of operations) {
    const scope = scopeOf(name, args);
    // A transaction that locks more rows holds them all while it waits.
    if (scope === null || scope.accounts !== undefined || scope.words !== undefined) return null;
    for (const call of scope.calls ?? []) calls.add(call);
  }
  return { calls: [...calls] };
}

/** Operations with the same lane are done in the order in which they came; a call's have one. */
export function laneOf(name: string, args: unknown): string {
  const { callId, id } = (args ?? {}) as { callId?: unknown; id?: unknown };
  if (typeof callId === 'string') return callId;
  return name === 'createInboundCall' ? String(id) : name;
}
