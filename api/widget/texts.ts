// The conversation in writing of a visitor of a web site: the first message begins it, and whoever has the token that
// their browser keeps finds it again and reads it; nobody else does.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { addConversation, getConversation } from '../../db/queries/conversations/conversations.ts';
import { messagesAfter } from '../../db/queries/conversations/messages.ts';
import { countWidgetUse } from '../../db/queries/widget/uses.ts';
import { insertVisitor, visitorConversation } from '../../db/queries/widget/visitors.ts';
import { isoTime } from '../../db/records/resources.ts';
import { widgetObstacle } from '../../db/rules/widget-caps.ts';
import type { ConversationTable, MessageTable } from '../../db/schema/conversations.ts';
import type { WidgetKeyTable } from '../../db/schema/widget.ts';
import type { Db } from '../../db/schema.ts';
import { CONVERSATIONS, transact } from '../../db/scope.ts';
import { tokenHash } from '../../db/shared/secrets/token-hash.ts';
import { sourceNetwork } from '../../db/shared/source-network.ts';
import type { ApiContext } from '../context.ts';
import { tellOf } from '../conversations/tell.ts';
import { hearPerson } from '../conversations/write.ts';
import { notFound } from '../frame/errors.ts';
import type { Visit, WidgetDoor } from './door.ts';
import { setupOfKey } from './facts.ts';
import type { WidgetMessage, WidgetMessageRead, WidgetMessageWrite, WidgetThread } from './schema.ts';

const TOKEN_BYTES = 32;
const SHOWN_MAX = 100;
const WAIT_MS = 20_000;
const LOOK_EVERY_MS = 500;
/** Requests that wait for an answer: with more, each is answered at once, and asks again. */
const WAITING_MAX = 256;
const WAITING_OF_KEY_MAX = 64;
const WAITING_OF_SOURCE_MAX = 16;

/** Says it to the agent. Who has no token, or one of a conversation that is gone, begins one. @throws {ApiError} */
export async function writeWidgetMessage(
  context: ApiContext,
  door: WidgetDoor,
  visit: Visit,
  { text, visitor, captcha }: WidgetMessageWrite,
): Promise<{ visitor: string; message: WidgetMessage }> {
  const { key } = visit;
  const known = visitor === undefined ? undefined : await visitorConversation(context.read, key, tokenHash(visitor));
  if (known === undefined) await door.askCaptcha(visit, 'text', captcha);
  const token = known === undefined ? randomBytes(TOKEN_BYTES).toString('base64url') : (visitor ?? '');
  const scope = { ...CONVERSATIONS, accounts: [key.accountId] };
  const network = sourceNetwork(visit.address);
  const message = await transact(context.db, scope, async (tx) => {
    const nowMs = context.now();
    const obstacle =
      (await widgetObstacle(tx, key, 'text', nowMs)) ?? door.networks.obstacleToWrite(key, network, nowMs);
    if (obstacle !== null) throw door.refusal(visit, obstacle);
    const conversation = await conversationOf(tx, key, { known, token, nowMs });
    if (conversation === null) throw door.refusal(visit, 'unavailable');
    const heard = await hearPerson(context, tx, conversation, text, null);
    await countWidgetUse(tx, key, 'messages', nowMs);
    door.networks.wrote(key, network, nowMs);
    await tellOf(tx, 'message.received', heard, conversation, nowMs);
    return heard;
  });
  return { visitor: token, message: record(message) };
}

interface Writing {
  known: ConversationTable | undefined;
  token: string;
  nowMs: number;
}

/** Null: the campaign does not answer. */
async function conversationOf(
  tx: Db,
  key: WidgetKeyTable,
  { known, token, nowMs }: Writing,
): Promise<ConversationTable | null> {
  const { accountId, campaignId } = key;
  const setup = await setupOfKey(tx, key);
  if (setup === null) return null;
  const found = known === undefined ? undefined : await getConversation(tx, accountId, known.id);
  if (found !== undefined) return found;
  const led = { accountId, campaignId, businessId: setup.business.id, agentId: setup.agent.id };
  const nobody = { kind: 'web' as const, phoneNumberId: null, ownNumber: '', personNumber: '' };
  const begun = await addConversation(tx, { ...led, ...nobody }, nowMs);
  await insertVisitor(tx, {
    ...{ tokenHash: tokenHash(token), accountId, keyId: key.id },
    ...{ conversationId: begun.id, createdAt: nowMs },
  });
  return begun;
}

/** Requests that wait, by the key's id and by the visitor's network. */
export class WidgetReaders {
  readonly #context: ApiContext;
  readonly #stopped = new AbortController();
  readonly #waiting = new Map<string, number>();
  #total = 0;

  constructor(context: ApiContext) {
    this.#context = context;
  }

  /** Answers all that wait. */
  stop(): void {
    this.#stopped.abort();
  }

  /** @throws {ApiError} 404 for a token that opens no conversation of this key */
  async read({ key, address }: Visit, { visitor, after, wait = false }: WidgetMessageRead, gone: AbortSignal) {
    const hash = tokenHash(visitor);
    const first = await this.#look(key, hash, after);
    if (!wait || first.messages.length > 0) return first;
    return this.#held(key.id, sourceNetwork(address), first, async () => {
      const isOver = AbortSignal.any([gone, this.#stopped.signal]);
      for (let waitedMs = 0; waitedMs < WAIT_MS && !isOver.aborted; waitedMs += LOOK_EVERY_MS) {
        await delay(LOOK_EVERY_MS, null, { signal: isOver }).catch(() => undefined);
        const now = await this.#look(key, hash, after);
        if (now.messages.length > 0 || now.isAnswering !== first.isAnswering) return now;
      }
      return first;
    });
  }

  async #held(
    keyId: string,
    source: string,
    otherwise: WidgetThread,
    work: () => Promise<WidgetThread>,
  ): Promise<WidgetThread> {
    const waiting = (name: string): number => this.#waiting.get(name) ?? 0;
    if (this.#total >= WAITING_MAX || waiting(keyId) >= WAITING_OF_KEY_MAX || waiting(source) >= WAITING_OF_SOURCE_MAX)
      return otherwise;
    const count = (change: 1 | -1): void => {
      this.#total += change;
      for (const name of [keyId, source]) {
        const left = waiting(name) + change;
        if (left === 0) this.#waiting.delete(name);
        else this.#waiting.set(name, left);
      }
    };
    count(1);
    try {
      return await work();
    } finally {
      count(-1);
    }
  }

  async #look(key: WidgetKeyTable, hash: string, after: string | undefined): Promise<WidgetThread> {
    const { read } = this.#context;
    const conversation = await visitorConversation(read, key, hash);
    if (conversation === undefined) throw notFound('Conversation');
    const messages = await messagesAfter(read, conversation.id, after, SHOWN_MAX);
    const isAnswering = conversation.dueAt !== null && conversation.answeredBy === 'agent';
    return { messages: messages.map(record), isAnswering };
  }
}

const FROM = { person: 'visitor', agent: 'agent', user: 'person', service: 'agent' } as const;

const record = ({ id, author, text, createdAt }: MessageTable): WidgetMessage => ({
  ...{ id, from: FROM[author], text },
  createdAt: isoTime(createdAt),
});
