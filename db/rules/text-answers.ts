// An engine's side of conversations in writing: it claims one whose person waits for an answer, says again and again
// that it answers it, and writes the answer. A conversation whose engine is gone is another's when its time is over.
import type { Use } from '../domain/cost/uses.ts';
import { HOUR_MS } from '../domain/hours/durations.ts';
import { setOptOut, updateConversation } from '../queries/conversations/conversations.ts';
import { unreadMessages } from '../queries/conversations/messages.ts';
import { addUses } from '../queries/costs/uses.ts';
import { optOut } from '../queries/dialling/opt-out.ts';
import type { ConversationNote, ConversationTable } from '../schema/conversations.ts';
import type { Db } from '../schema.ts';
import { type NewText, queueText, textObstacle } from './texting.ts';

/** Engines that may die over one answer. */
const ATTEMPTS_MAX = 3;
const LOOKED_AT = 20;

/** Due, and not being answered; of none of the accounts of `without`. */
const waiting = (db: Db, nowMs: number, without: readonly string[]) =>
  db
    .selectFrom('conversations')
    .where('dueAt', '<=', nowMs)
    .where((eb) => eb.or([eb('claimUntil', 'is', null), eb('claimUntil', '<=', nowMs)]))
    .$if(without.length > 0, (query) => query.where('accountId', 'not in', without));

/** @param full accounts of which nothing more may be claimed now */
export async function hasDueConversations(db: Db, nowMs: number, full: readonly string[]): Promise<boolean> {
  return (await waiting(db, nowMs, full).select('id').limit(1).executeTakeFirst()) !== undefined;
}

interface AnswerClaim {
  engineId: string;
  nowMs: number;
  untilMs: number;
  /** Answers that the engine is writing, by account. */
  underWay: Readonly<Record<string, number>>;
  /** At most, of one account. */
  perAccount: number;
}

/**
 * The one whose person has waited longest, of the account of which the fewest are answered here: however much one
 * account has waiting, and however long its answers take, another is next. `isMore`: ask again at once.
 */
export async function claimConversation(
  db: Db,
  { engineId, nowMs, untilMs, underWay, perAccount }: AnswerClaim,
): Promise<{ conversation: ConversationTable | null; isMore: boolean }> {
  const counts = [...new Set([0, ...Object.values(underWay)])].filter((count) => count < perAccount);
  for (const most of counts.sort((a, b) => a - b)) {
    const without = Object.keys(underWay).filter((accountId) => (underWay[accountId] ?? 0) > most);
    const due = await waiting(db, nowMs, without).selectAll().orderBy('dueAt').orderBy('id').limit(LOOKED_AT).execute();
    for (const conversation of due) {
      const { id, accountId } = conversation;
      const ends = await whyNot(db, conversation, nowMs);
      if (ends !== null) {
        await updateConversation(db, accountId, id, { ...OVER, ...ends });
        continue;
      }
      const attempts = conversation.attempts + 1;
      await updateConversation(db, accountId, id, { claimedBy: engineId, claimUntil: untilMs, attempts });
      return { conversation: { ...conversation, attempts }, isMore: true };
    }
    if (due.length === LOOKED_AT) return { conversation: null, isMore: true };
  }
  return { conversation: null, isMore: false };
}

const OVER = { dueAt: null, claimedBy: null, claimUntil: null, attempts: 0 } as const;

/** The note at one that the agent must not answer now; null: it may. */
async function whyNot(db: Db, conversation: ConversationTable, nowMs: number) {
  if (conversation.answeredBy === 'person') return {};
  if (conversation.attempts >= ATTEMPTS_MAX) return { note: 'agent_failed' as const };
  const note = await textObstacle(db, conversation, 'agent', nowMs);
  if (note === null) return null;
  return note === 'loop' ? { note, silentUntil: nowMs + SILENT_MS } : { note };
}

/** Two machines have nothing to say to each other for so long. */
const SILENT_MS = HOUR_MS;

interface Claimed {
  conversationId: string;
  engineId: string;
  attempt: number;
}

const claimed = (db: Db, { conversationId, engineId, attempt }: Claimed) =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', conversationId)
    .where('claimedBy', '=', engineId)
    .where('attempts', '=', attempt)
    .executeTakeFirst();

/** It is still answered here. False: it is another's by now, a person's, or gone. */
export async function holdConversation(db: Db, { untilMs, ...of }: Claimed & { untilMs: number }): Promise<boolean> {
  const found = await claimed(db, of);
  if (found === undefined || found.answeredBy === 'person') return false;
  await updateConversation(db, found.accountId, found.id, { claimUntil: untilMs });
  return true;
}

/** Nothing came of it: it is tried again at `againAtMs`. `counts`: false where the engine stops. */
export async function releaseConversation(
  db: Db,
  { againAtMs, counts, ...of }: Claimed & { againAtMs: number; counts: boolean },
): Promise<void> {
  const found = await claimed(db, of);
  if (found === undefined) return;
  const attempts = counts ? of.attempt : of.attempt - 1;
  const free = { claimedBy: null, claimUntil: null, attempts, dueAt: againAtMs };
  await updateConversation(db, found.accountId, found.id, free);
}

export interface TextAnswer {
  /** Messages that it answers. */
  readIds: readonly string[];
  text: Pick<NewText, 'text' | 'sealed' | 'segments'> | null;
  /** The agent's memory, sealed; null: as it was. */
  sealed: string | null;
  /** `agent_failed`: nobody answers what is unread. */
  note: Extract<ConversationNote, 'call_back' | 'agent_failed'> | null;
  /** They want no calls and texts any more; absent: they have not said so, or an earlier release wrote it. */
  optOut?: { accountId: string; reason: string | null } | null;
  /** To be priced; absent: an earlier release wrote it. */
  uses?: readonly Use[];
}

/** Writes the answer, once; nothing where a person has taken it over, or the person wants no texts any more. */
export async function answerConversation(db: Db, args: Claimed & TextAnswer & { nowMs: number }): Promise<void> {
  const { readIds, text, sealed, nowMs } = args;
  const found = await claimed(db, args);
  if (found === undefined) return;
  await addUses(db, { accountId: found.accountId, subjectId: found.id, uses: args.uses ?? [], nowMs });
  const isTaken = found.answeredBy === 'person';
  const obstacle = isTaken ? null : await textObstacle(db, found, 'agent', nowMs);
  if (text !== null && !isTaken && obstacle === null) await queueText(db, found, { author: 'agent', ...text }, nowMs);
  if (args.optOut) await endTexts(db, found, { reason: args.optOut.reason, nowMs });
  if (readIds.length > 0)
    await db.updateTable('messages').set({ status: 'read', sealed: null }).where('id', 'in', readIds).execute();
  const isMore = !isTaken && args.note !== 'agent_failed' && (await unreadMessages(db, found, 1)).length > 0;
  const memory = sealed === null ? {} : { sealed };
  const note = args.optOut ? 'opted_out' : (obstacle ?? args.note);
  const changes = { ...OVER, ...memory, note, dueAt: isMore && !args.optOut ? nowMs : null };
  await updateConversation(db, found.accountId, found.id, changes);
}

/** The answer that confirms it is the last text. */
async function endTexts(
  db: Db,
  conversation: ConversationTable,
  { reason, nowMs }: { reason: string | null; nowMs: number },
): Promise<void> {
  const { accountId, personNumber } = conversation;
  await optOut(db, { accountId, phoneNumber: personNumber, source: 'call', reason, nowMs });
  await setOptOut(db, conversation, nowMs);
}
