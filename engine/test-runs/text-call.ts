// A conversation without a line: the agent of a call, made as a call makes it, between words that are written and words
// that are read. What the agent would do to the world is noted and not done.
import type { Logger } from 'pino';
import type { EvalDefinition, TestLine } from '../../db/domain/tests/definitions.ts';
import type { CallSetup } from '../../db/rules/routing.ts';
import type { DialogueModel } from '../../models/llm/llm.ts';
import type { Voice } from '../../models/tts/tts.ts';
import { createAgent } from '../call/agent.ts';
import type { CallInfo, CallMedium, CallStore } from '../call/context.ts';
import { LanguageChoices } from '../call/languages/language-choices.ts';
import { CallLanguages } from '../call/languages/languages.ts';
import type { OwnTools } from '../call/own-tools.ts';
import { openPassageSearch } from '../call/passage-search.ts';
import { SecretKeys } from '../call/secret-keys.ts';
import { conversationOf } from '../call/setup.ts';
import type { Clock } from '../clock.ts';
import type { Dialogue } from '../dialogue/dialogue.ts';
import { ModelBreakers } from '../dialogue/model-breakers.ts';
import type { ToolRun } from '../dialogue/tool-runs.ts';
import type { ToolAction } from '../dialogue/tools/tool.ts';
import type { ShardCommand } from '../shard/protocol.ts';
import type { ReplyCause } from '../turn/events.ts';
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
/** Beyond the model's own time-outs and those of its tools: a reply that never ends is a defect. */
const REPLY_WITHIN_MS = 120_000;
/** Replies to one turn, of tools that answer beside the talk. */
const REPLIES_MAX = 10;

/** The model, or what stands for it, gave no reply. */
export class NoReply extends Error {
  override name = 'NoReply';
}

/** Everything since the turn before. */
interface TextTurn {
  said: string[];
  tools: ToolRun[];
}

export class TextCall {
  readonly #deps: TextCallDeps;
  readonly #dialogue: Dialogue;
  readonly #languages: CallLanguages;
  readonly #tools: MockedTools;
  readonly #secret: SecretKeys;
  readonly lines: TestLine[] = [];
  /** The act of the agent that ended it; null: the conversation goes on. */
  action: ToolAction | null = null;
  #epoch = 0;
  #spoken: string[] = [];
  /** The part of it that is no line yet. */
  #unlined: string[] = [];
  #ran: ToolRun[] = [];
  #turn: number | null = null;
  #failure: string | null = null;
  #completed = Promise.withResolvers<void>();
  readonly #requests: ReplyCause[] = [];

  constructor(deps: TextCallDeps, setup: CallSetup, definition: EvalDefinition, callId: string) {
    this.#deps = deps;
    const { context = {}, tools = [] } = definition;
    const clock = clockAt(deps.clock, context.now);
    this.#tools = new MockedTools(deps.tools, tools, clock);
    const options = optionsOf(setup, definition, callId);
    const unwritten = new Unwritten((context.booked ?? []).map(intervalOf));
    this.#secret = new SecretKeys({ clock, setSecret: (isSecret) => isSecret && setImmediate(() => this.#keyIn()) });
    this.#languages = new CallLanguages({
      ...{ language: options.setup.agent.language, clock, log: deps.log },
      choices: new LanguageChoices(options.setup, deps.voices),
      // There is no recogniser that could not hear it.
      send: (command) => {
        if (command.type === 'listen-in')
          setImmediate(() => this.#languages.listens({ ...command, type: 'listens-in', callId, message: null }));
      },
      onChanged: (by) => {
        if (by !== 'wish') this.#dialogue.languageChanged();
      },
      onTried: () => {},
    });
    this.#dialogue = createAgent(
      {
        ...{ dialogue: deps.model, tools: this.#tools, llmTimeoutMs: deps.llmTimeoutMs, clock },
        ...{ store: unwritten.store, writer: unwritten.writer, breakers: new ModelBreakers(clock) },
        shards: {
          send: (command) => {
            this.#sent(command);
            return true;
          },
        },
        metrics: {
          turnEnded: (end) => {
            if (end.by !== 'model') this.#failure = end.reason;
          },
          modelUsed: () => {},
        },
      },
      options,
      { run: (async () => undefined) as never, enqueue: () => {} },
      deps.log,
      openPassageSearch(deps.store, options, deps.log),
      this.#languages,
      {
        onAction: (action) => {
          this.action = action;
        },
        onToolRan: (run) => this.#toolRan(run),
        onSpoke: () => {},
        onSourced: () => {},
        onAccomplished: () => {},
        sendDigits: async () => true,
        secret: this.#secret,
      },
    );
    if (definition.history !== undefined) this.#begin(definition.history);
  }

  /** Variables of the conversation, those that tools have set among them. */
  get variables(): Readonly<Record<string, string>> {
    return this.#dialogue.tools.account.variables;
  }

  /** BCP 47, in which the agent speaks. */
  get language(): string {
    return this.#languages.spoken;
  }

  /** The agent's first words. @throws {NoReply} */
  greet(signal: AbortSignal): Promise<TextTurn> {
    return this.#exchange({ kind: 'opening' }, signal);
  }

  /** The caller says it, and the agent answers. @throws {NoReply} */
  say(turn: number, text: string, signal: AbortSignal): Promise<TextTurn> {
    this.#turn = turn;
    this.lines.push({ role: 'caller', text, turn });
    return this.#exchange({ kind: 'turn', text, understood: true, confidence: 1, startedAtMs: 0 }, signal);
  }

  note(text: string): void {
    this.lines.push({ role: 'note', text, turn: this.#turn });
  }

  close(): void {
    this.#dialogue.close();
    this.#languages.close();
    this.#secret.close();
  }

  /** The words before the first turn are what was said and heard. */
  #begin(history: NonNullable<EvalDefinition['history']>): void {
    const entries = history.map(({ role, text }) => ({
      epoch: null,
      message:
        role === 'agent' ? ({ role, text, interrupted: false } as const) : ({ role, text, understood: true } as const),
    }));
    this.#dialogue.goOn({ ...this.#dialogue.state, history: { entries } }, { open: [], isNoticed: false });
    for (const { role, text } of history) this.lines.push({ role, text, turn: null });
  }

  async #exchange(cause: ReplyCause, signal: AbortSignal): Promise<TextTurn> {
    this.#spoken = [];
    this.#ran = [];
    await this.#reply(cause, signal);
    for (let replies = 1; replies < REPLIES_MAX && this.action === null; replies++) {
      // Tools beside the talk have answered before the next turn, so that a test is the same each time.
      await this.#tools.settled();
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.#requests.shift();
      if (next === undefined) break;
      await this.#reply(next, signal);
    }
    return { said: [...this.#spoken], tools: [...this.#ran] };
  }

  async #reply(cause: ReplyCause, signal: AbortSignal): Promise<void> {
    const epoch = ++this.#epoch;
    const before = this.#spoken.length;
    this.#completed = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<never>();
    const stop = (): void => stopped.reject(new NoReply('The test was stopped.'));
    const cancel = this.#deps.clock.after(REPLY_WITHIN_MS, () =>
      stopped.reject(new NoReply(`There was no whole reply within ${REPLY_WITHIN_MS / 1_000} s.`)),
    );
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      this.#dialogue.wantReply(epoch, cause, true);
      await Promise.race([this.#completed.promise, stopped.promise]);
    } finally {
      cancel();
      signal.removeEventListener('abort', stop);
    }
    this.#line();
    this.#dialogue.replyHeard(epoch, this.#spoken.slice(before).join(' '), false);
    if (this.#failure?.startsWith('LLM_')) throw new NoReply(`The language model failed (${this.#failure}).`);
  }

  #sent(command: ShardCommand): void {
    // Words that bridge a wait are no part of the reply.
    if (command.type === 'speak' && command.epoch === this.#epoch && command.isFiller !== true) {
      this.#spoken.push(command.text);
      this.#unlined.push(command.text);
    } else if (command.type === 'reply-complete' && command.epoch === this.#epoch) this.#completed.resolve();
    else if (command.type === 'request-reply') this.#requests.push({ kind: 'requested', request: command.request });
  }

  /** The words since the last line are one of the agent's. */
  #line(): void {
    const text = this.#unlined.splice(0).join(' ').trim();
    if (text !== '') this.lines.push({ role: 'agent', text, turn: this.#turn });
  }

  #toolRan(run: ToolRun): void {
    if (run.state === 'running') return;
    this.#line();
    this.#ran.push(run);
    const { name, arguments: args } = run.call;
    this.lines.push({ role: 'tool', name, arguments: args, result: run.result, ok: run.ok, turn: this.#turn });
  }

  /** The caller keys in what the case says, or nothing. */
  #keyIn(): void {
    const { result } = this.#tools.find('collect_digits', {}) ?? {};
    for (const key of `${typeof result === 'string' ? result : ''}#`) {
      if (this.#secret.isCollecting) this.#secret.press(key);
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
  const conversation = JSON.stringify({ ...conversationOf(setup), speechToSpeech: false });
  const agent = { ...setup.agent, conversation, ...(language === undefined ? {} : { language }) };
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
