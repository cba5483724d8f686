// A conversation without a line: the agent of a call, made as a call makes it, between words that are written and words
// that are read. Each reply is committed at once and heard to its end.
import type { Logger } from 'pino';
import type { Use } from '../../db/domain/cost/uses.ts';
import type { CallSetup } from '../../db/rules/routing.ts';
import type { DialogueModel } from '../../models/llm/llm.ts';
import type { Voice } from '../../models/tts/tts.ts';
import { type AgentParts, createAgent } from '../call/agent.ts';
import type { CallInfo, CallMedium, CallStore } from '../call/context.ts';
import { LanguageChoices } from '../call/languages/language-choices.ts';
import { CallLanguages } from '../call/languages/languages.ts';
import { openPassageSearch } from '../call/passage-search.ts';
import { SecretKeys } from '../call/secret-keys.ts';
import type { Clock } from '../clock.ts';
import type { Dialogue } from '../dialogue/dialogue.ts';
import type { DialogueState } from '../dialogue/dialogue-state.ts';
import type { TurnEnd } from '../dialogue/failed-turns.ts';
import type { ToolRun } from '../dialogue/tool-runs.ts';
import type { ToolAction } from '../dialogue/tools/tool.ts';
import type { ShardCommand } from '../shard/protocol.ts';
import type { ReplyCause } from '../turn/events.ts';

type AgentDeps = Parameters<typeof createAgent>[0];
type AgentWrites = AgentParts['writes'];

/** The engine's parts that a call has, or something in their place. */
export interface TalkDeps extends Pick<AgentDeps, 'tools' | 'store' | 'writer' | 'breakers' | 'isWritten'> {
  model: DialogueModel;
  documents: CallStore;
  voices(): readonly Voice[];
  llmTimeoutMs: number;
  clock: Clock;
  log: Logger;
  modelUsed?: AgentDeps['metrics']['modelUsed'];
  writes?: AgentWrites;
}

export interface TalkOptions {
  call: CallInfo;
  setup: CallSetup;
  medium: CallMedium;
}

interface TalkListener {
  /** Words of the agent that are one of its lines. */
  onLine(text: string): void;
  /** A tool has ended. */
  onToolRan(run: ToolRun): void;
  /** The agent wants digits keyed in, which nobody is to read. */
  onSecret(): void;
  /** Resolves when the tools beside the talk have answered. */
  settled(): Promise<void>;
  /** Why the turn that ended so is no reply; null: it is one. */
  failureOf(end: TurnEnd): string | null;
}

/** Beyond the model's own time-outs and those of its tools: a reply that never ends is a defect. */
const REPLY_WITHIN_MS = 120_000;
/** Replies to one turn, of tools that answer beside the talk. */
const REPLIES_MAX = 10;

/** The model, or what stands for it, gave no reply. */
export class NoReply extends Error {
  override name = 'NoReply';
}

/** Everything since the turn before. */
export interface WrittenTurn {
  said: string[];
  tools: ToolRun[];
}

const NO_WRITES: AgentWrites = { run: (async () => undefined) as never, enqueue: () => {} };

export class Talk {
  readonly #deps: TalkDeps;
  readonly #listener: TalkListener;
  readonly #dialogue: Dialogue;
  readonly #languages: CallLanguages;
  readonly secret: SecretKeys;
  /** The act of the agent that ended it; null: the conversation goes on. */
  action: ToolAction | null = null;
  #epoch = 0;
  #spoken: string[] = [];
  /** The part of it that is no line yet. */
  #unlined: string[] = [];
  #ran: ToolRun[] = [];
  #failure: string | null = null;
  #completed = Promise.withResolvers<void>();
  readonly #requests: ReplyCause[] = [];

  constructor(deps: TalkDeps, options: TalkOptions, listener: TalkListener) {
    this.#deps = deps;
    this.#listener = listener;
    const { clock, log } = deps;
    const callId = options.call.id;
    this.secret = new SecretKeys({
      clock,
      setSecret: (isSecret) => isSecret && setImmediate(() => listener.onSecret()),
    });
    this.#languages = new CallLanguages({
      ...{ language: options.setup.agent.language, clock, log },
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
        ...deps,
        dialogue: deps.model,
        shards: {
          send: (command) => {
            this.#sent(command);
            return true;
          },
        },
        metrics: {
          turnEnded: (end) => {
            this.#failure = listener.failureOf(end);
          },
          modelUsed: (...used) => deps.modelUsed?.(...used),
        },
      },
      options,
      {
        writes: deps.writes ?? NO_WRITES,
        log,
        search: openPassageSearch(deps.documents, options, log),
        languages: this.#languages,
      },
      {
        onAction: (action) => {
          this.action = action;
        },
        onToolRan: (run) => this.#toolRan(run),
        onSpoke: () => {},
        onSourced: () => {},
        onAccomplished: () => {},
        sendDigits: async () => true,
        secret: this.secret,
      },
    );
  }

  /** Variables of the conversation, those that tools have set among them. */
  get variables(): Readonly<Record<string, string>> {
    return this.#dialogue.tools.account.variables;
  }

  /** BCP 47, in which the agent speaks. */
  get language(): string {
    return this.#languages.spoken;
  }

  /** Of this object's turns alone. */
  get uses(): Use[] {
    const [engine = '', ...named] = this.#deps.model.name.split(':');
    return this.#dialogue.answers.spending.uses(engine, { kind: 'llm', engine, model: named.join(':') || null });
  }

  get state(): DialogueState {
    return this.#dialogue.state;
  }

  /** Goes on with what was said before. */
  goOn(state: DialogueState): void {
    this.#dialogue.goOn(state, { open: [], isNoticed: false });
  }

  /** The words before the first turn are what was said and heard. */
  begin(history: ReadonlyArray<{ role: 'agent' | 'caller'; text: string }>): void {
    const entries = history.map(({ role, text }) => ({
      epoch: null,
      message:
        role === 'agent' ? ({ role, text, interrupted: false } as const) : ({ role, text, understood: true } as const),
    }));
    this.goOn({ ...this.#dialogue.state, history: { entries } });
  }

  /** Words of a colleague of the agent. */
  personSaid(text: string): void {
    this.#dialogue.personSaid(text);
  }

  /** The agent's first words. @throws {NoReply} */
  greet(signal: AbortSignal): Promise<WrittenTurn> {
    return this.#exchange({ kind: 'opening' }, signal);
  }

  /** The other side writes it, and the agent answers. @throws {NoReply} */
  say(text: string, signal: AbortSignal): Promise<WrittenTurn> {
    return this.#exchange({ kind: 'turn', text, understood: true, confidence: 1, startedAtMs: 0 }, signal);
  }

  /** As keys are pressed. @throws {NoReply} */
  press(digits: string, signal: AbortSignal): Promise<WrittenTurn> {
    return this.#exchange({ kind: 'digits', digits }, signal);
  }

  close(): void {
    this.#dialogue.close();
    this.#languages.close();
    this.secret.close();
  }

  async #exchange(cause: ReplyCause, signal: AbortSignal): Promise<WrittenTurn> {
    this.#spoken = [];
    this.#ran = [];
    await this.#reply(cause, signal);
    for (let replies = 1; replies < REPLIES_MAX && this.action === null; replies++) {
      // Tools beside the talk have answered before the next turn, so that nothing depends on how fast they are.
      await this.#listener.settled();
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
    const stop = (): void => stopped.reject(new NoReply('It was stopped.'));
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
    if (this.#failure !== null) throw new NoReply(this.#failure);
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
    if (text !== '') this.#listener.onLine(text);
  }

  #toolRan(run: ToolRun): void {
    if (run.state === 'running') return;
    this.#line();
    this.#ran.push(run);
    this.#listener.onToolRan(run);
  }
}
