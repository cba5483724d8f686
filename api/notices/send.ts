// Sends what is due: mails by their outbox; chats and systems by the attempts of webhooks, over connections that reach
// no address of the operator's network. A slow receiver keeps nobody waiting: attempts run beside the job, a few of
// each account.
import { setTimeout as delay } from 'node:timers/promises';
import { HOUR_MS, MINUTE_MS } from '../../db/domain/hours/durations.ts';
import type { NoticeRule } from '../../db/domain/notices/rules.ts';
import {
  claimMessage,
  closeMessage,
  dueMessage,
  getMessage,
  postponeMessage,
} from '../../db/queries/notices/messages.ts';
import { type DueGroup, dueGroups } from '../../db/queries/notices/notices.ts';
import type { NoticeMessageTable } from '../../db/schema/notices.ts';
import { CONVERSATIONS, NOTICES, type Scope, transact } from '../../db/scope.ts';
import { newId } from '../../db/shared/id.ts';
import type { ApiContext } from '../context.ts';
import { textOwner } from '../conversations/owners.ts';
import type { AttemptOutcome } from '../delivery/attempt.ts';
import { deliverOnce } from '../delivery/direct.ts';
import { messageBody } from '../delivery/message.ts';
import type { JobRun } from '../frame/job.ts';
import { collectNotices } from './collect.ts';
import { composeMessage, slackBody, teamsBody, webhookData } from './compose.ts';
import { makeMessage, messageRow, postMessage } from './make.ts';
import { type ReadMessage, readMessage } from './read.ts';

/** Messages that are made in one run. */
const GROUPS_AT_ONCE = 100;
const IN_FLIGHT_MAX = 64;
const IN_FLIGHT_OF_ACCOUNT_MAX = 4;
const ATTEMPT_TIMEOUT_MS = 10_000;
const STOP_MS = 2_000;
/** Longer than an attempt: afterwards a message whose sender died is sent again. */
const CLAIM_MS = MINUTE_MS;
/** After the 1st, 2nd … failed attempt: eight in about a day. */
const RETRY_DELAYS_MS = [
  ...[10_000, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2 * HOUR_MS, 6 * HOUR_MS, 15 * HOUR_MS],
];
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;

const NOTICES_AND_TEXTS: Scope = { words: [...(NOTICES.words ?? []), ...(CONVERSATIONS.words ?? [])] };

export class NoticeJob implements JobRun {
  readonly #context: ApiContext;
  /** Attempts under way: the account, and their end. */
  readonly #inFlight = new Map<string, { accountId: string; ended: Promise<void> }>();

  #isStopped = false;

  constructor(context: ApiContext) {
    this.#context = context;
  }

  async run(): Promise<void> {
    await collectNotices(this.#context);
    const groups = await dueGroups(this.#context.read, this.#context.now(), GROUPS_AT_ONCE);
    for (const group of groups)
      await transact(this.#context.db, NOTICES, (tx) => makeMessage(this.#context, tx, group));
    if (groups.length > 0) await this.#context.mail.wake();
    await this.#sendDue();
  }

  /** Attempts that go on for longer are made again by the next process. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.race([this.settled(), delay(STOP_MS, undefined, { ref: false })]);
  }

  /** Resolves when no attempt is under way. */
  async settled(): Promise<void> {
    await Promise.all([...this.#inFlight.values()].map(({ ended }) => ended));
  }

  /** Each account has a few attempts at a time, so that its slow receivers keep no other's messages waiting. */
  async #sendDue(): Promise<void> {
    const { db, read, now } = this.#context;
    while (!this.#isStopped && this.#inFlight.size < IN_FLIGHT_MAX) {
      const message = await dueMessage(read, now(), this.#busyAccounts());
      // The rest of them next time where another process was first.
      if (message === undefined || !(await claimMessage(db, message, now() + CLAIM_MS))) return;
      this.#begin({ ...message, attempts: message.attempts + 1 });
    }
  }

  #busyAccounts(): string[] {
    const attempts = new Map<string, number>();
    for (const { accountId } of this.#inFlight.values()) attempts.set(accountId, (attempts.get(accountId) ?? 0) + 1);
    return [...attempts].filter(([, count]) => count >= IN_FLIGHT_OF_ACCOUNT_MAX).map(([accountId]) => accountId);
  }

  #begin(message: NoticeMessageTable): void {
    const { id, accountId } = message;
    const { log, outage } = this.#context;
    const ended = attempt(this.#context, message)
      .catch((error) => {
        if (!this.#isStopped && !outage.explains(error))
          log.error({ err: error, messageId: id }, 'a notice could not be sent');
      })
      .finally(() => this.#inFlight.delete(id));
    this.#inFlight.set(id, { accountId, ended });
  }
}

/** Sends an example by the rule: a mail by the outbox, all others in one attempt. Returns the message's id. */
export async function sendExample(context: ApiContext, group: DueGroup, rule: NoticeRule): Promise<string> {
  const nowMs = context.now();
  const message = { ...messageRow(group, rule, newId('ntm'), nowMs), isTest: 1 as const };
  const isMail = rule.by === 'mail';
  if (!isMail) Object.assign(message, { nextAttemptAt: nowMs + CLAIM_MS, attempts: 1 });
  await transact(context.db, NOTICES, (tx) => postMessage(context, tx, message));
  if (isMail) await context.mail.wake();
  else await attempt(context, message);
  return message.id;
}

async function attempt(context: ApiContext, message: NoticeMessageTable): Promise<void> {
  const { id, attempts } = message;
  const close = (status: 'sent' | 'failed' | 'dropped', error: string | null) =>
    transact(context.db, NOTICES, (tx) => closeMessage(tx, id, { status, error, nowMs: context.now() }));
  const read = await readMessage(context, message);
  if (read?.rule.by === 'sms') return sendText(context, message, read);
  if (read?.address == null) return close('dropped', null);
  const outcome = await deliverOnce(context, {
    ...read.address,
    eventId: id,
    body: bodyOf(message, read),
    timeoutMs: ATTEMPT_TIMEOUT_MS,
  });
  if (outcome.success) return close('sent', null);
  const error = outcome.error ?? 'failed';
  const delayMs = isFinal(message, outcome) ? undefined : RETRY_DELAYS_MS[attempts - 1];
  if (delayMs === undefined) return close('failed', error);
  const askedMs = Math.min(outcome.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
  await postponeMessage(context.db, id, context.now() + Math.max(delayMs, askedMs), error);
}

/** The text and the note that it is sent are one transaction: a process that dies sends and counts it once. */
function sendText({ db, now }: ApiContext, { id, accountId }: NoticeMessageTable, { rule, of }: ReadMessage) {
  const { subject, links } = composeMessage(of);
  const text = [subject, links[0]?.url].filter(Boolean).join(' ');
  return transact(db, NOTICES_AND_TEXTS, async (tx) => {
    if ((await getMessage(tx, id))?.status !== 'waiting') return;
    const nowMs = now();
    const error = await textOwner(tx, { accountId, businessId: of.business.id ?? '' }, { to: rule.to, text }, nowMs);
    await closeMessage(tx, id, { status: error === null ? 'sent' : 'failed', error, nowMs });
  });
}

/** An example has one attempt; an address that was taken back does not come again. */
const isFinal = ({ channel, isTest }: NoticeMessageTable, { statusCode }: AttemptOutcome): boolean =>
  isTest === 1 || statusCode === 410 || (statusCode === 404 && channel !== 'webhook');

function bodyOf({ id, channel, createdAt }: NoticeMessageTable, { of }: ReadMessage): string {
  switch (channel) {
    case 'slack':
      return slackBody(composeMessage(of));
    case 'teams':
      return teamsBody(composeMessage(of));
    case 'webhook':
    case 'sms':
    case 'mail':
      return messageBody({ id, type: 'notice', createdAtMs: createdAt, data: webhookData(of) });
  }
}
