// Builds the model's request for one reply: the conversation as heard, and the facts of the call.
import type { DialogueRequest } from '../../models/llm/llm.ts';
import { type History, messagesOf } from './history.ts';
import type { DialogueOptions } from './options.ts';
import { causeMessages, type Reply } from './reply.ts';
import type { AccountTools } from './tools/account-tools.ts';
import { toolDefinitions } from './tools/catalogue.ts';

/** @param memory from the last committed reply @param account the tenant's tools @param told what clients want */
export function modelRequest(
  options: DialogueOptions,
  reply: Reply,
  {
    history,
    memory,
    account,
    told,
  }: { history: History; memory: unknown; account: AccountTools; told: readonly string[] },
): DialogueRequest {
  const { business, agentName, language, additionalLanguages, instructions, isWritten = false } = options;
  const languages = options.languages.offered;
  const { callerNumber, callerName, direction, clock, conversation, firstWordWithinMs } = options;
  // The history holds the cause of a committed reply.
  const uncommitted = reply.isCommitted ? [] : causeMessages(reply, language);
  return {
    epoch: reply.epoch,
    business,
    agentName,
    language,
    additionalLanguages,
    ...(languages.length === 0 ? {} : { languages }),
    ...(isWritten ? { isWritten } : {}),
    instructions: told.length === 0 ? instructions : [instructions, ...told].filter(Boolean).join('\n'),
    variables: account.variables,
    callerNumber,
    callerName,
    direction,
    messages: [...messagesOf(history), ...uncommitted],
    tools: [
      ...toolDefinitions({
        business,
        languages,
        isReminder: options.tools.remindsOf !== null,
        isWritten,
        nowMs: clock.nowMs(),
      }),
      ...account.definitions,
    ],
    model: conversation.model ?? null,
    temperature: conversation.temperature ?? null,
    ...(reply.passages.length === 0 ? {} : { passages: reply.passages }),
    memory: reply.memory ? reply.memory.value : memory,
    firstWordWithinMs,
    nowMs: clock.nowMs(),
  };
}
