// The conversation of a case in writing: what the agent would do to the world is noted and not done.
import type { Logger } from 'pino';
import type { EvalDefinition, TestLine } from '../../db/domain/tests/definitions.ts';
import type { CallSetup } from '../../db/rules/routing.ts';
import type { DialogueModel } from '../../models/llm/llm.ts';
import type { Voice } from '../../models/tts/tts.ts';
import type { CallInfo, CallMedium, CallStore } from '../call/context.ts';
import type { OwnTools } from '../call/own-tools.ts';
import { writtenConversation } from '../call/setup.ts';
import type { Clock } from '../clock.ts';
import { ModelBreakers } from '../dialogue/model-breakers.ts';
import type { ToolAction } from '../dialogue/tools/tool.ts';
import { Talk, type WrittenTurn } from '../written/talk.ts';
import { MockedTools } from './mocked-tools.ts';
import { Unwritten } from './unwritten.ts';

export interface TextCallDeps {
  /** As it is for work after a call: its failures say nothing to callers. */
  model: DialogueModel;
  tools: Pick<OwnTools, 'open'>;
  store: CallStore;
  voices(): readonly Voice[];
  llmTimeoutMs: number;
  clock: Clock;
  log: Logger;
}

/** A number that nobody has. */
const CALLER = '+12025550143';

export class TextCall {
  readonly #talk: Talk;
  readonly #tools: MockedTools;
  readonly lines: TestLine[] = [];
  #turn: number | null = null;

  constructor(deps: TextCallDeps, setup: CallSetup, definition: EvalDefinition, callId: string) {
    const { context = {}, tools = [] } = definition;
    const clock = clockAt(deps.clock, context.now);
    this.#tools = new MockedTools(deps.tools, tools, clock);
    const { store, writer } = new Unwritten((context.booked ?? []).map(intervalOf));
    const { model, llmTimeoutMs, voices, log, store: documents } = deps;
    const parts = { model, llmTimeoutMs, voices, log, documents, clock, store, writer, tools: this.#tools };
    this.#talk = new Talk({ ...parts, breakers: new ModelBreakers(clock) }, optionsOf(setup, definition, callId), {
      onLine: (text) => this.lines.push({ role: 'agent', text, turn: this.#turn }),
      onToolRan: ({ call: { name, arguments: args }, result, ok }) =>
        this.lines.push({ role: 'tool', name, arguments: args, result, ok, turn: this.#turn }),
      onSecret: () => this.#keyIn(),
      settled: () => this.#tools.settled(),
      // Somebody else in its place would be judged in its place.
      failureOf: (end) =>
        end.by !== 'model' && end.reason.startsWith('LLM_') ? `The language model failed (${end.reason}).` : null,
    });
    if (definition.history === undefined) return;
    this.#talk.begin(definition.history);
    for (const { role, text } of definition.history) this.lines.push({ role, text, turn: null });
  }

  /** The act of the agent that ended it; null: the conversation goes on. */
  get action(): ToolAction | null {
    return this.#talk.action;
  }

  get variables(): Readonly<Record<string, string>> {
    return this.#talk.variables;
  }

  get language(): string {
    return this.#talk.language;
  }

  /** The agent's first words. @throws {NoReply} */
  greet(signal: AbortSignal): Promise<WrittenTurn> {
    return this.#talk.greet(signal);
  }

  /** The caller says it, and the agent answers. @throws {NoReply} */
  say(turn: number, text: string, signal: AbortSignal): Promise<WrittenTurn> {
    this.#turn = turn;
    this.lines.push({ role: 'caller', text, turn });
    return this.#talk.say(text, signal);
  }

  note(text: string): void {
    this.lines.push({ role: 'note', text, turn: this.#turn });
  }

  close(): void {
    this.#talk.close();
  }

  /** The caller keys in what the case says, or nothing. */
  #keyIn(): void {
    const { result } = this.#tools.find('collect_digits', {}) ?? {};
    const { secret } = this.#talk;
    for (const key of `${typeof result === 'string' ? result : ''}#`) {
      if (secret.isCollecting) secret.press(key);
    }
  }
}

export function optionsOf(
  setup: CallSetup,
  { context = {}, language }: Pick<EvalDefinition, 'context' | 'language'>,
  callId: string,
): { call: CallInfo; setup: CallSetup; medium: CallMedium } {
  const { callerNumber = CALLER, callerName = null, direction = 'inbound', variables = {} } = context;
  const isInbound = direction === 'inbound';
  const agent = {
    ...setup.agent,
    conversation: writtenConversation(setup),
    ...(language === undefined ? {} : { language }),
  };
  return {
    call: {
      ...{ id: callId, accountId: setup.business.accountId, phoneNumberId: null, contactId: null, trunkId: null },
      fromNumber: isInbound ? callerNumber : '',
      toNumber: isInbound ? '' : callerNumber,
      callerName,
      variables: JSON.stringify(variables),
    },
    setup: { ...setup, agent },
    medium: isInbound
      ? { kind: 'inbound', leg: null, sipAccountId: null }
      : { kind: 'outbound', trunkIds: [], detectMachines: false },
  };
}

export const intervalOf = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }) => ({
  startMs: Date.parse(startsAt),
  endMs: Date.parse(endsAt),
  resource: null,
});

/** A clock that shows this time now. */
export function clockAt(clock: Clock, now: string | undefined): Clock {
  if (now === undefined) return clock;
  const aheadMs = Date.parse(now) - clock.nowMs();
  return {
    nowMs: () => clock.nowMs() + aheadMs,
    monotonicMs: () => clock.monotonicMs(),
    after: (delayMs, fire) => clock.after(delayMs, fire),
  };
}
