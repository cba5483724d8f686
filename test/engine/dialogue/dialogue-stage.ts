// A conversation against a scripted model, with everything it sends to the shard and the call.
import { pino } from 'pino';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import type { ConversationSettings } from '../../../db/records/resources.ts';
import { type DialogueLanguages, ONE_LANGUAGE } from '../../../engine/dialogue/call-languages.ts';
import { Dialogue } from '../../../engine/dialogue/dialogue.ts';
import type { TurnEnd } from '../../../engine/dialogue/failed-turns.ts';
import type { AgentOpenings } from '../../../engine/dialogue/openings.ts';
import type { AccountToolsOptions } from '../../../engine/dialogue/tools/account-tools.ts';
import type { ToolAction } from '../../../engine/dialogue/tools/tool.ts';
import type { ShardCommand } from '../../../engine/shard/protocol.ts';
import type { ReplyCause } from '../../../engine/turn/events.ts';
import { Breaker } from '../../../models/llm/breaker.ts';
import type {
  DialogueBusiness,
  DialogueChunk,
  DialogueModel,
  DialogueRequest,
  FoundPassage,
} from '../../../models/llm/llm.ts';
import { NO_TOOLS } from '../../support/no-tools.ts';

export const business: DialogueBusiness = {
  name: 'Willow',
  industry: null,
  description: null,
  timezone: 'UTC',
  address: null,
  phone: null,
  email: null,
  hours: [],
  services: [],
  currency: 'USD',
  faqs: [],
  policies: [],
  systemPrompt: null,
  greetingTemplate: null,
  fallbackMessage: 'One moment please.',
  transferNumber: '+12125550100',
  businessContext: null,
};

export type Script = (request: DialogueRequest, signal: AbortSignal) => AsyncIterable<DialogueChunk>;

export function dialogue(
  script: Script,
  changes: {
    business?: DialogueBusiness;
    optOut?: () => Promise<void>;
    sendDigits?: (digits: string) => Promise<boolean>;
    clock?: VirtualClock;
    language?: string;
    /** `spoken`: in which the call is led now. */
    languages?: DialogueLanguages & { readonly spoken: string };
    conversation?: ConversationSettings;
    isRecorded?: boolean;
    greeting?: string;
    firstWordWithinMs?: number;
    standIn?: DialogueModel;
    accountTools?: AccountToolsOptions;
    search?: (question: string) => Promise<FoundPassage[]>;
    breaker?: Breaker;
    onSent?: (command: ShardCommand) => void;
    openings?: AgentOpenings;
  } = {},
) {
  const clock = changes.clock ?? new VirtualClock();
  const sent: ShardCommand[] = [];
  const turns: TurnEnd[] = [];
  /** Replies whose first word has come. */
  const begun: number[] = [];
  const actions: ToolAction[] = [];
  const spent: Array<{ requests: number; isDiscarded: boolean }> = [];
  const requests: DialogueRequest[] = [];
  const logged: string[] = [];
  /** Tools that answered beside the talk. */
  const answered: string[] = [];
  /** Headings of passages that replies were made from. */
  const sourced: string[] = [];
  const talk = new Dialogue({
    callId: 'call_1',
    model: {
      name: 'script',
      complete: null,
      reply: (request, signal) => {
        requests.push(request);
        return script(request, signal);
      },
    },
    standIn: changes.standIn ?? null,
    breaker: changes.breaker ?? new Breaker(() => clock.monotonicMs()),
    business: changes.business ?? business,
    agentName: 'Sam',
    get language() {
      return changes.languages?.spoken ?? changes.language ?? 'en-US';
    },
    additionalLanguages: [],
    languages: changes.languages ?? ONE_LANGUAGE,
    instructions: null,
    greeting: changes.greeting ?? 'Willow here. How can I help?',
    conversation: changes.conversation ?? {},
    firstWordWithinMs: changes.firstWordWithinMs ?? 8_000,
    isRecorded: changes.isRecorded ?? false,
    direction: 'inbound',
    callerNumber: '+12125550123',
    callerName: null,
    accountTools: changes.accountTools ?? NO_TOOLS,
    onToolAnswered: (tool) => answered.push(tool),
    ...(changes.openings ? { openings: () => changes.openings as AgentOpenings } : {}),
    ...(changes.search ? { search: changes.search } : {}),
    onSourced: (passages) => sourced.push(...passages.map(({ heading }) => heading)),
    tools: {
      business: changes.business ?? business,
      callerNumber: '+12125550123',
      callerName: null,
      country: null,
      listTaken: async () => [],
      book: async () => ({ booked: true, appointmentId: 'apt_1' }),
      ownAppointments: async () => [],
      confirm: async () => false,
      remindsOf: null,
      change: async () => ({ changed: false, reason: 'not_found' }),
      collectDigits: async () => ({ ok: true as const, reference: 'secret:0123456789abcdef', digits: 16 }),
      callBack: async () => ({ scheduled: true as const, callId: 'call_later' }),
      optOut: async () => {
        await changes.optOut?.();
        return true;
      },
      switchLanguage: (language) => (changes.languages ?? ONE_LANGUAGE).switchTo(language, 'wish'),
      sendDigits: changes.sendDigits ?? (async () => true),
    },
    clock,
    send: (command) => {
      sent.push(command);
      changes.onSent?.(command);
    },
    onFirstWord: (epoch) => begun.push(epoch),
    onAction: (action) => actions.push(action),
    onToolRan: () => {},
    onTurnEnded: (end) => turns.push(end),
    onModelUsed: (used, isDiscarded) => spent.push({ requests: used.requests, isDiscarded }),
    log: pino({}, { write: (line: string) => logged.push(line) }),
  });
  const spoken = (epoch: number) =>
    sent.flatMap((command) => (command.type === 'speak' && command.epoch === epoch ? [command.text] : [])).join(' ');
  const completed = (epoch: number) =>
    sent.some((command) => command.type === 'reply-complete' && command.epoch === epoch);
  return { talk, sent, begun, actions, requests, spoken, completed, spent, logged, turns, clock, answered, sourced };
}

export const turn = (text: string): ReplyCause => ({
  kind: 'turn',
  text,
  understood: true,
  confidence: 1,
  startedAtMs: 0,
});
/** Runs everything that is ready; nothing here waits for time. */
export const settle = async (): Promise<void> => {
  for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve));
};
export async function* words(text: string): AsyncIterable<DialogueChunk> {
  for (const word of text.split(/(?<= )/)) yield { type: 'text', text: word };
}
