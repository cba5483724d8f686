// Answers one conversation in writing, as its agent answers calls: with its prompt, tools and documents, and what it
// remembers of the conversation. What the person wrote meanwhile is answered together.

import { DAY_MS } from '../../db/domain/hours/durations.ts';
import { plainText, segmentsOf } from '../../db/domain/texts/segments.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import { earlierMessages, unreadMessages } from '../../db/queries/conversations/messages.ts';
import type { CallSetup } from '../../db/rules/routing.ts';
import { campaignSetup } from '../../db/rules/routing.ts';
import { readTestSetup } from '../../db/rules/test-setup.ts';
import type { TextAnswer } from '../../db/rules/text-answers.ts';
import { keptText, messageContext, textRules } from '../../db/rules/texting.ts';
import type { ConversationTable, MessageTable } from '../../db/schema/conversations.ts';
import type { Db } from '../../db/schema.ts';
import { seal, unseal } from '../../db/shared/secrets/secret-box.ts';
import { writtenConversation } from '../call/setup.ts';
import type { DialogueState } from '../dialogue/dialogue-state.ts';
import { Talk, type TalkDeps, type TalkOptions } from './talk.ts';

export interface TextAgentDeps extends Omit<TalkDeps, 'isWritten' | 'writes'> {
  read: Db;
  secretKey: Buffer;
}

/** Messages that are answered together. */
const UNREAD_MAX = 20;
/** That an agent without a memory reads again. */
const EARLIER_MAX = 20;
/** Words of so long ago are read from the messages, without the results of tools. */
const REMEMBERED_MS = DAY_MS;

/** A tool is waited for so long at most: meanwhile its answer has one of the few places of all accounts. */
const TOOL_WITHIN_MS = 30_000;

const NOTHING = { readIds: [], text: null, sealed: null } as const;

/** The context to which the memory is bound. */
const memoryContext = (id: string): string => `conversation ${id}`;

/** The answer to what is unread; a note where nobody can give one. @throws {NoReply} */
export async function textAnswer(
  deps: TextAgentDeps,
  conversation: ConversationTable,
  signal: AbortSignal,
): Promise<TextAnswer> {
  const { read, secretKey } = deps;
  const unread = await unreadMessages(read, conversation, UNREAD_MAX);
  const setup = await setupOf(read, conversation);
  if (unread.length === 0) return { ...NOTHING, note: null };
  // Its campaign has ended since, or its agent is gone.
  if (setup === null) return { ...NOTHING, note: 'agent_failed' };
  const wishes: Wishes = { optOut: null };
  const talk = openTalk({ ...deps, writes: writesOf(wishes) }, conversation, setup);
  try {
    await remember(deps, conversation, talk);
    const asked = unread.map((message) => wordsOf(message, secretKey)).join('\n');
    // A menu of the receptionist is answered by its keys.
    const isKey = deps.model.name === 'receptionist' && /^[0-9*#]$/.test(asked.trim());
    const { said } = await (isKey ? talk.press(asked.trim(), signal) : talk.say(asked, signal));
    const text = plainText(said.join(' ').trim());
    return {
      readIds: unread.map(({ id }) => id),
      text: text === '' ? null : keptAnswer(setup, conversation, text, secretKey),
      sealed: seal(secretKey, memoryContext(conversation.id), JSON.stringify(talk.state)),
      note: talk.state.wantsCallBack ? 'call_back' : null,
      optOut: wishes.optOut,
      uses: talk.uses,
    };
  } finally {
    talk.close();
  }
}

/** As it is kept, and all of it where that is more and a carrier sends it. */
function keptAnswer(
  { business, agent }: CallSetup,
  { ownNumber, kind, id }: ConversationTable,
  text: string,
  key: Buffer,
) {
  const kept = keptText(text, textRules(business, agent, ownNumber), id, key);
  return { ...kept, segments: segmentsOf(text), ...(kind === 'sms' ? {} : { sealed: null }) };
}

const wordsOf = ({ text, sealed, conversationId }: MessageTable, key: Buffer): string =>
  sealed === null ? text : unseal(key, messageContext(conversationId), sealed);

/** A chat tries the agent as it will be once what waits is published. */
async function setupOf(read: Db, of: ConversationTable): Promise<CallSetup | null> {
  if (of.kind === 'chat') {
    const found = await readTestSetup(read, of);
    return 'setup' in found ? found.setup : null;
  }
  const { accountId, campaignId } = of;
  // A visitor has no number by which a share is drawn.
  return campaignSetup(read, { accountId, campaignId, number: of.personNumber || of.id });
}

interface Wishes {
  optOut: NonNullable<TextAnswer['optOut']> | null;
}

/** It is written together with the answer that confirms it: neither is there without the other. */
const writesOf = (wishes: Wishes): NonNullable<TalkDeps['writes']> => ({
  run: (async (name: string, { accountId, reason }: NonNullable<Wishes['optOut']>) => {
    if (name === 'optOut') wishes.optOut = { accountId, reason };
  }) as never,
  enqueue: () => {},
});

function openTalk(
  deps: TextAgentDeps & Pick<TalkDeps, 'writes'>,
  conversation: ConversationTable,
  setup: CallSetup,
): Talk {
  const { id } = conversation;
  const ofTalk = { ...deps, isWritten: true, writer: bookingFor(deps.writer, id) };
  return new Talk(ofTalk, optionsOf(conversation, setup), {
    onLine: () => {},
    onToolRan: () => {},
    onSecret: () => {},
    settled: async () => {},
    // A stand-in for the model has answered.
    failureOf: (end) => (end.by === 'message' ? end.reason : null),
  });
}

/** An appointment is the conversation's: there is no call. */
function bookingFor(writer: TalkDeps['writer'], conversationId: string): TalkDeps['writer'] {
  const ofConversation = (name: string, args: unknown): unknown =>
    name === 'bookAppointment' ? { ...(args as object), callId: null, conversationId } : args;
  return {
    run: (name, args) => writer.run(name, ofConversation(name, args) as typeof args),
    runWithin: (name, args, withinMs) => writer.runWithin(name, ofConversation(name, args) as typeof args, withinMs),
  };
}

/** Nobody can be put through from a text. */
function optionsOf(conversation: ConversationTable, setup: CallSetup): TalkOptions {
  const { id, accountId, phoneNumberId, ownNumber, personNumber } = conversation;
  return {
    call: {
      ...{ id, accountId, phoneNumberId, contactId: null, trunkId: null, callerName: null, variables: '{}' },
      ...{ fromNumber: personNumber, toNumber: ownNumber },
    },
    setup: {
      ...setup,
      tools: setup.tools.map((tool) => ({ ...tool, timeoutMs: Math.min(tool.timeoutMs, TOOL_WITHIN_MS) })),
      agent: { ...setup.agent, conversation: writtenConversation(setup) },
      business: { ...setup.business, transferNumber: null, destinations: '[]', lookup: null },
      campaign: { ...setup.campaign, destinations: '[]' },
    },
    medium: { kind: 'inbound', leg: null, sipAccountId: null },
  };
}

/** Reads what was said before: by its memory, else by the messages. */
async function remember({ read, secretKey, clock, log }: TextAgentDeps, of: ConversationTable, talk: Talk) {
  const isRecent = clock.nowMs() - of.lastMessageAt < REMEMBERED_MS;
  const state = isRecent ? stateOf(of, secretKey) : null;
  if (state !== null) {
    try {
      return talk.goOn(state);
    } catch (error) {
      // An earlier release wrote it in another form.
      log.warn({ conversationId: of.id, error: messageOf(error) }, 'the memory of a conversation is read no more');
    }
  }
  const earlier = await earlierMessages(read, of.id, EARLIER_MAX);
  talk.begin(earlier.map(({ author, text }) => ({ role: author === 'person' ? 'caller' : 'agent', text })));
}

function stateOf({ id, sealed }: ConversationTable, key: Buffer): DialogueState | null {
  try {
    return sealed === null ? null : (JSON.parse(unseal(key, memoryContext(id), sealed)) as DialogueState);
  } catch {
    return null;
  }
}
