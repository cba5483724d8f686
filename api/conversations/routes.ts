// /conversations: what persons and agents write to each other, and what people of the account write between.
import { Type } from 'typebox';
import type { Remember } from '../calls/place/place.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { PageQuery } from '../frame/pagination.ts';
import { rememberCreated } from '../plugins/idempotency.ts';
import { registerCarrierTexts } from './carrier-route.ts';
import {
  ConversationCreate,
  ConversationPatch,
  ConversationQuery,
  ConversationRecord,
  MessageCreate,
  MessageRecord,
} from './schema.ts';
import {
  beginConversation,
  conversationRecords,
  eraseConversation,
  eraseWithNumber,
  messageRecords,
  readConversation,
} from './service.ts';
import { changeConversation } from './take-over.ts';
import { writeMessage } from './write.ts';

const tags = ['Conversations'];
const params = Type.Object({ id: Type.String() });
const WithParams = Type.Object({ phoneNumber: Type.String({ description: 'E.164; write + as %2B' }) });
const READ_ONLY = [
  ...['id', 'kind', 'businessId', 'campaignId', 'agentId', 'phoneNumberId', 'ownNumber', 'personNumber', 'takenBy'],
  ...['note', 'isWaiting', 'lastMessage', 'lastMessageAt', 'createdAt'],
];
const Erased = Type.Object(
  { erased: Type.Integer({ description: 'Conversations' }) },
  { title: 'ErasedConversations' },
);

export function registerConversations(app: App, context: ApiContext): void {
  registerCarrierTexts(app, context);
  const one = { 200: ok(ConversationRecord) };
  app.get(
    '/conversations',
    {
      schema: {
        tags,
        summary: 'List conversations in writing, the one written in last first',
        querystring: ConversationQuery,
        response: { 200: okList(ConversationRecord), ...errorResponses(401, 422, 429) },
      },
    },
    (request) => conversationRecords(context, request.auth.accountId, request.query),
  );
  app.post(
    '/conversations',
    {
      config: { idempotent: false, scope: 'work' },
      schema: {
        tags,
        summary: 'Begin a chat with an agent, or open the conversation with a person',
        body: ConversationCreate,
        response: { 201: ok(ConversationRecord), ...errorResponses(400, 401, 409, 422, 429) },
      },
    },
    async (request, reply) =>
      reply.code(201).send({ data: await beginConversation(context, request.auth, request.body) }),
  );
  app.delete(
    '/conversations/with/:phoneNumber',
    {
      schema: {
        tags,
        summary: 'Erase all conversations with a person',
        params: WithParams,
        response: { 200: ok(Erased), ...errorResponses(401, 429) },
      },
    },
    async (request) => {
      const erased = await eraseWithNumber(context, request.auth.accountId, request.params.phoneNumber);
      return { data: { erased } };
    },
  );
  app.get(
    '/conversations/:id',
    { schema: { tags, summary: 'One conversation', params, response: { ...one, ...errorResponses(401, 404, 429) } } },
    async (request) => ({ data: await readConversation(context, request.auth.accountId, request.params.id) }),
  );
  app.patch(
    '/conversations/:id',
    {
      config: { readOnlyFields: READ_ONLY, scope: 'work' },
      schema: {
        tags,
        summary: 'Take it over from the agent, or give it back',
        params,
        body: ConversationPatch,
        response: { ...one, ...errorResponses(400, 401, 404, 422, 429) },
      },
    },
    async (request) => ({ data: await changeConversation(context, request.auth, request.params.id, request.body) }),
  );
  app.delete(
    '/conversations/:id',
    {
      schema: { tags, summary: 'Erase a conversation', params, response: { ...one, ...errorResponses(401, 404, 429) } },
    },
    async (request) => ({ data: await eraseConversation(context, request.auth.accountId, request.params.id) }),
  );
  app.get(
    '/conversations/:id/messages',
    {
      schema: {
        tags,
        summary: 'Its messages, newest first',
        params,
        querystring: PageQuery,
        response: { 200: okList(MessageRecord), ...errorResponses(401, 404, 422, 429) },
      },
    },
    (request) => messageRecords(context, request.auth.accountId, request.params.id, request.query),
  );
  app.post(
    '/conversations/:id/messages',
    {
      config: { idempotent: true, scope: 'work' },
      schema: {
        tags,
        summary: 'Write to the person, by which you take the conversation over; in a chat, to the agent',
        params,
        body: MessageCreate,
        response: { 201: ok(MessageRecord), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    async (request, reply) => {
      const { auth, params, body } = request;
      // Stored with the message: after a crash before the answer is sent, a retry must not write to them again.
      const remember: Remember<unknown> = (tx, answer) => rememberCreated(tx, request, answer);
      return reply.code(201).send({ data: await writeMessage(context, auth, params.id, body, remember) });
    },
  );
}
