// Answers conversations in writing: claims them from the database, some at a time, and writes what the agent says. A
// conversation is this engine's for a while. No account has more than a third of the places, and the one that has the
// fewest is next, so that slow tools of one keep nobody else's persons waiting.
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { Outage } from '../../db/faults/outage.ts';
import { hasDueConversations } from '../../db/rules/text-answers.ts';
import type { ConversationTable } from '../../db/schema/conversations.ts';
import type { Db } from '../../db/schema.ts';
import type { Writer } from '../../db/writing/writer.ts';
import { type Clock, sleep } from '../clock.ts';
import { CLAIMED_FOR_MS, holdClaim } from '../held-claim.ts';
import { NoReply } from './talk.ts';
import type { textAnswer } from './text-agent.ts';

/** Finds persons who wait; a text may take as long as this, and a call waits for none of it. */
const LOOK_EVERY_MS = 500;
/** A model that failed is asked again after so long. */
const AGAIN_AFTER_MS = 15_000;
/** Most of an answer's time is a wait for a model or a tool: places cost little, and a full house empties soon. */
const AT_ONCE = 12;
const PER_ACCOUNT = AT_ONCE / 3;

interface TextAnswersOptions {
  read: Db;
  writer: Pick<Writer, 'run'>;
  engineId: string;
  clock: Clock;
  log: Pick<Logger, 'warn' | 'error'>;
  outage: Pick<Outage, 'explains'>;
  answer(conversation: ConversationTable, signal: AbortSignal): ReturnType<typeof textAnswer>;
}

export class TextAnswers {
  readonly #options: TextAnswersOptions;
  readonly #stopped = new AbortController();
  /** Ends the wait for the next look: whoever stops refuses calls only afterwards. */
  readonly #woken = Promise.withResolvers<void>();
  /** By the account's id, once for each answer. */
  readonly #underWay = new Map<Promise<void>, string>();
  #looking: Promise<void> | null = null;

  constructor(options: TextAnswersOptions) {
    this.#options = options;
  }

  start(): void {
    this.#looking ??= this.#look();
  }

  /** A conversation that is being answered is another engine's at once. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#woken.resolve();
    await this.#looking;
    await Promise.all(this.#underWay.keys());
  }

  async #look(): Promise<void> {
    const { clock, log, outage } = this.#options;
    while (!this.#stopped.signal.aborted) {
      let isMore = false;
      try {
        isMore = this.#underWay.size < AT_ONCE && (await this.#begin());
      } catch (error) {
        if (!outage.explains(error)) log.warn({ error: messageOf(error) }, 'could not go on with conversations');
      }
      if (!isMore) await Promise.race([this.#woken.promise, sleep(clock, LOOK_EVERY_MS)]);
    }
  }

  /** False: nobody waits. */
  async #begin(): Promise<boolean> {
    const { read, writer, engineId, clock, log } = this.#options;
    const nowMs = clock.nowMs();
    const underWay: Record<string, number> = {};
    for (const accountId of this.#underWay.values()) underWay[accountId] = (underWay[accountId] ?? 0) + 1;
    const full = Object.keys(underWay).filter((accountId) => (underWay[accountId] ?? 0) >= PER_ACCOUNT);
    if (!(await hasDueConversations(read, nowMs, full))) return false;
    const claim = { engineId, nowMs, untilMs: nowMs + CLAIMED_FOR_MS, underWay, perAccount: PER_ACCOUNT };
    const { conversation, isMore } = await writer.run('claimConversation', claim);
    if (conversation === null) return isMore;
    const work = this.#answer(conversation)
      .catch((error: unknown) => log.warn({ error: messageOf(error) }, 'a conversation is left to its claim'))
      .finally(() => this.#underWay.delete(work));
    this.#underWay.set(work, conversation.accountId);
    return isMore;
  }

  async #answer(conversation: ConversationTable): Promise<void> {
    const { writer, engineId, clock, log } = this.#options;
    const claimed = { conversationId: conversation.id, engineId, attempt: conversation.attempts };
    // Lost where a person has taken over, too.
    const claim = holdClaim(this.#options, 'a conversation', (untilMs) =>
      writer.run('holdConversation', { ...claimed, untilMs }),
    );
    const signal = AbortSignal.any([claim.lost, this.#stopped.signal]);
    try {
      const answer = await this.#options.answer(conversation, signal);
      await writer.run('answerConversation', { ...claimed, ...answer, nowMs: clock.nowMs() });
    } catch (error) {
      if (!(error instanceof NoReply))
        log.error({ ...claimed, error: messageOf(error) }, 'a conversation has no answer');
      const counts = !this.#stopped.signal.aborted;
      const againAtMs = clock.nowMs() + (counts ? AGAIN_AFTER_MS : 0);
      await writer.run('releaseConversation', { ...claimed, againAtMs, counts });
    } finally {
      claim.end();
    }
  }
}
