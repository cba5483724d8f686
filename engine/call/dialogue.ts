// The conversation of one call: the caller's words go to the model, the model's stream goes clause by clause to the
// shard, tools run, and only what was heard enters the history. A reply is identified by its epoch; a dropped one
// leaves no trace except the results of tools that ran.
import type { Logger } from 'pino';
import type { CallUsage } from '../../db/resources.ts';
import { CALL_BACK_WANTED } from '../../models/llm/key-menu.ts';
import type { DialogueBusiness, DialogueChunk, DialogueModel } from '../../models/llm/llm.ts';
import { LlmError } from '../../models/llm/llm.ts';
import { phrasesFor } from '../../models/llm/phrases/languages.ts';
import type { Phrases } from '../../models/llm/phrases/phrases.ts';
import type { Clock } from '../clock.ts';
import type { ShardCommand } from '../shard/protocol.ts';
import type { ReplyCause } from '../turn/machine.ts';
import { ClauseSplitter, clausesOf } from './clause-splitter.ts';
import {
  addAgent,
  addCaller,
  addNote,
  addToolCall,
  addToolResult,
  cutToHeard,
  emptyHistory,
  messagesOf,
  replaceToolResult,
  type ToolCall,
  withdrawTurn,
} from './history.ts';
import { addUsage, NOTHING_USED, type ReplyUsage, UsageAccount, usageOf } from './model-usage.ts';
import { causeMessage, newReply, noteOf, type Reply } from './reply.ts';
import { runTool, toolDefinitions } from './tools/catalogue.ts';
import type { ToolAction, ToolContext, ToolResult } from './tools/tool.ts';

/** Tool rounds per reply. */
const TOOL_ROUNDS_MAX = 5;
export const TOOL_DEADLINE_MS = 8_000;
const TOO_LATE: ToolResult = {
  result: { ok: false, error: 'timeout', message: 'The tool did not answer in time.' },
};
/** Failed replies in a row before the caller is handed over or the agent says goodbye. */
const FAILURES_BEFORE_GIVING_UP = 2;

export interface DialogueOptions {
  callId: string;
  model: DialogueModel;
  business: DialogueBusiness;
  agentName: string;
  /** BCP 47. */
  language: string;
  additionalLanguages: readonly string[];
  /** What the campaign asks, and what fills the placeholders: see `DialogueRequest`. */
  instructions: string | null;
  variables: Readonly<Record<string, string>>;
  /** Said first, verbatim. */
  greeting: string;
  direction: 'inbound' | 'outbound';
  callerNumber: string | null;
  callerName: string | null;
  tools: Omit<ToolContext, 'nowMs'>;
  clock: Clock;
  send(command: ShardCommand): void;
  /** An action that a tool requests. Called once the reply that goes with it has been heard. */
  onAction(action: ToolAction): void;
  onToolRan(name: string, ok: boolean): void;
  /** Requests and tokens of the model's server, once it is known whether their reply was of use. */
  onModelUsed(used: ReplyUsage, isDiscarded: boolean): void;
  log: Logger;
}

export class Dialogue {
  readonly #options: DialogueOptions;
  readonly #words: Phrases['call'];
  readonly #account: UsageAccount;
  #history = emptyHistory;
  #reply: Reply | null = null;
  #memory: unknown = null;
  #failures = 0;
  /** An action waiting for its sentence to be heard. */
  #pendingAction: { epoch: number; action: ToolAction } | null = null;
  #isClosed = false;
  /** Cancel functions of running tools' deadlines. */
  readonly #deadlines = new Set<() => void>();
  #isMuted = false;
  readonly toolsUsed: string[] = [];
  /** The caller was promised a call back. */
  wantsCallBack = false;
  readonly booked: Array<{ service: string | null; startsAtText: string }> = [];

  constructor(options: DialogueOptions) {
    this.#options = options;
    this.#words = phrasesFor(options.language).call;
    this.#account = new UsageAccount((used, isDiscarded) => options.onModelUsed(used, isDiscarded));
  }

  /** What the model's server was asked in this call; null without one. */
  get usage(): CallUsage | null {
    return this.#account.usage;
  }

  /** The shard wants a reply: generated at once, binding only once committed. */
  wantReply(epoch: number, cause: ReplyCause, committed: boolean): void {
    if (this.#isClosed) return;
    this.#dropReply();
    const reply = newReply(epoch, cause);
    this.#reply = reply;
    if (committed) this.#commit(reply, cause);
    if (cause.kind === 'requested' && cause.request.kind === 'say') return this.#say(reply, cause.request.text);
    if (this.#isMuted) return this.#options.send({ type: 'reply-complete', callId: this.#options.callId, epoch });
    if (cause.kind === 'opening') return this.#say(reply, this.#options.greeting);
    if (cause.kind === 'fallback') return this.#fail(reply, cause.reason);
    void this.#stream(reply);
  }

  /** The candidate becomes the current reply. */
  commitReply(epoch: number, cause: ReplyCause): void {
    const reply = this.#reply;
    if (!reply || reply.epoch !== epoch || reply.isCommitted) return;
    this.#commit(reply, cause);
    if (reply.isStreamDone) void this.#afterStream(reply);
  }

  dropReply(epoch: number): void {
    if (this.#reply?.epoch === epoch) this.#dropReply();
    this.#history = withdrawTurn(this.#history, epoch);
  }

  /** The reply was heard, to its end or to where it was cut. */
  replyHeard(epoch: number, text: string, interrupted: boolean): void {
    if (this.#reply?.epoch === epoch) this.#keepSpoken(this.#reply);
    this.#history = cutToHeard(this.#history, epoch, text, interrupted);
    if (this.#reply?.epoch === epoch) this.#dropReply();
    const pending = this.#pendingAction;
    if (!pending || pending.epoch !== epoch) return;
    this.#pendingAction = null;
    // A caller who speaks over the goodbye still wants something: keep the call.
    if (interrupted && pending.action.type === 'end-call') return;
    this.#options.onAction(pending.action);
  }

  /** A machine listens: from now on, say only what the call requests verbatim. */
  mute(): void {
    this.#isMuted = true;
    this.#dropReply();
  }

  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#deadlines) cancel();
    this.#deadlines.clear();
    this.#dropReply();
  }

  #commit(reply: Reply, cause: ReplyCause): void {
    reply.isCommitted = true;
    this.#settleUsage(reply, false);
    reply.cause = cause;
    this.#addCause(reply.epoch, cause);
    if (reply.memory) this.#memory = reply.memory.value;
    if (reply.expects) this.#options.send({ type: 'expects', callId: this.#options.callId, expects: reply.expects });
  }

  #dropReply(): void {
    const reply = this.#reply;
    if (!reply) return;
    reply.abort.abort();
    if (reply.isCommitted) this.#keepSpoken(reply);
    this.#settleUsage(reply, !reply.isCommitted);
    this.#reply = null;
  }

  #settleUsage(reply: Reply, isDiscarded: boolean): void {
    this.#account.spend(reply.used, isDiscarded);
    reply.used = NOTHING_USED;
  }

  #keepSpoken(reply: Reply): void {
    this.#history = addAgent(this.#history, reply.epoch, reply.spoken.splice(0).join(' '));
  }

  async #stream(reply: Reply): Promise<void> {
    try {
      for await (const chunk of this.#options.model.reply(this.#request(reply), reply.abort.signal)) {
        if (this.#reply !== reply) return;
        this.#onChunk(reply, chunk);
      }
      if (this.#reply !== reply) return;
      reply.isStreamDone = true;
      // Also for an uncommitted reply: its speech is synthesised during the end-of-turn silence.
      for (const clause of reply.splitter.end()) this.#speak(reply, clause);
      if (reply.isCommitted) await this.#afterStream(reply);
    } catch (error) {
      if (this.#reply !== reply || reply.abort.signal.aborted) return;
      const { callId, log } = this.#options;
      const { code, details } = error instanceof LlmError ? error : { code: 'LLM_FAILED', details: {} };
      log.warn({ callId, epoch: reply.epoch, code, ...details }, 'dialogue model failed');
      this.#fail(reply, code);
    }
  }

  #request(reply: Reply) {
    const { business, agentName, language, additionalLanguages, instructions, variables } = this.#options;
    const { callerNumber, callerName, direction, clock } = this.#options;
    const messages = messagesOf(this.#history);
    const message = reply.isCommitted ? null : causeMessage(reply.cause, language);
    return {
      business,
      agentName,
      language,
      additionalLanguages,
      instructions,
      variables,
      callerNumber,
      callerName,
      direction,
      messages: message ? [...messages, message] : messages,
      tools: toolDefinitions(business),
      memory: reply.memory ? reply.memory.value : this.#memory,
      nowMs: clock.nowMs(),
    };
  }

  #onChunk(reply: Reply, chunk: DialogueChunk): void {
    switch (chunk.type) {
      case 'text':
        for (const clause of reply.splitter.push(chunk.text)) this.#speak(reply, clause);
        return;
      case 'tool-call':
        reply.pendingTools.push(chunk);
        return;
      case 'expects':
        reply.expects = chunk.expects;
        if (reply.isCommitted)
          this.#options.send({ type: 'expects', callId: this.#options.callId, expects: chunk.expects });
        return;
      case 'memory':
        reply.memory = { value: chunk.memory };
        if (reply.isCommitted) this.#memory = chunk.memory;
        return;
      case 'request':
      case 'usage':
        reply.used = addUsage(reply.used, usageOf(chunk));
        if (reply.isCommitted) this.#settleUsage(reply, false);
        return;
    }
  }

  #addCause(epoch: number, cause: ReplyCause): void {
    if (cause.kind === 'turn') this.#history = addCaller(this.#history, epoch, cause.text, cause.understood);
    const note = noteOf(cause);
    if (note) this.#history = addNote(this.#history, note, this.#options.language);
  }

  #speak(reply: Reply, text: string): void {
    reply.spoken.push(text);
    this.#options.send({
      type: 'speak',
      callId: this.#options.callId,
      epoch: reply.epoch,
      index: reply.nextClause++,
      text,
      interruptible: true,
    });
  }

  /** Speaks fixed text, without the model. */
  #say(reply: Reply, text: string): void {
    for (const clause of clausesOf(text)) this.#speak(reply, clause);
    this.#keepSpoken(reply);
    this.#complete(reply);
  }

  /** The model finished this round: run its tools and ask again, or close the reply. */
  async #afterStream(reply: Reply): Promise<void> {
    this.#keepSpoken(reply);
    const calls = reply.pendingTools.splice(0);
    if (calls.length === 0) return this.#complete(reply);
    for (const call of calls) {
      const result = await this.#runTool(reply, call);
      if (result.action) reply.action = result.action;
    }
    // Dropped meanwhile: the results are in the history, nothing more is said about them.
    if (this.#reply !== reply) return;
    // A reply that ends or hands over the call has already announced it: no further round.
    const isAnnounced = reply.action !== null && reply.nextClause > 0;
    if (isAnnounced || ++reply.rounds >= TOOL_ROUNDS_MAX) return this.#complete(reply);
    reply.isStreamDone = false;
    reply.splitter = new ClauseSplitter();
    await this.#stream(reply);
  }

  async #runTool(reply: Reply, call: Extract<DialogueChunk, { type: 'tool-call' }>) {
    const { tools, clock } = this.#options;
    this.#history = addToolCall(this.#history, reply.epoch, call);
    const deadline = this.#toolDeadline();
    const running = runTool(call.name, call.arguments, { ...tools, nowMs: clock.nowMs() });
    const outcome = await Promise.race([running, deadline.passed]);
    deadline.cancel();
    this.#history = addToolResult(this.#history, reply.epoch, call, outcome.result);
    this.#toolRan(reply.epoch, call, outcome);
    if (outcome === TOO_LATE) void running.then((late) => this.#tookTooLong(reply.epoch, call, late));
    return outcome;
  }

  /** A result after the deadline still counts as what happened: the model sees it at its next turn. */
  #tookTooLong(epoch: number, call: ToolCall, late: ToolResult): void {
    this.#history = replaceToolResult(this.#history, call, late.result);
    this.#toolRan(epoch, call, late);
  }

  #toolRan(epoch: number, call: ToolCall, { result }: ToolResult): void {
    const { log, callId, onToolRan } = this.#options;
    const ok = (result as { ok?: unknown } | null)?.ok === true;
    if (ok) this.#keepOutcome(call, result);
    onToolRan(call.name, ok);
    log.info({ callId, epoch, tool: call.name, ok }, 'tool ran');
  }

  #toolDeadline(): { passed: Promise<ToolResult>; cancel: () => void } {
    let cancel = (): void => {};
    const passed = new Promise<ToolResult>((resolve) => {
      cancel = this.#options.clock.after(TOOL_DEADLINE_MS, () => resolve(TOO_LATE));
    });
    this.#deadlines.add(cancel);
    return {
      passed,
      cancel: () => {
        this.#deadlines.delete(cancel);
        cancel();
      },
    };
  }

  #keepOutcome({ name, arguments: args }: ToolCall, result: unknown): void {
    this.toolsUsed.push(name);
    if (name === 'end_call' && args.reason === CALL_BACK_WANTED) this.wantsCallBack = true;
    if (name !== 'schedule_appointment') return;
    const { service, startsAt } = result as { service?: string | null; startsAt?: string };
    this.booked.push({ service: service ?? null, startsAtText: startsAt ?? '' });
  }

  #complete(reply: Reply): void {
    // The last silence prompt is a goodbye, whether or not the model asked to end the call.
    if (reply.cause.kind === 'idle' && reply.cause.last) reply.action = { type: 'end-call', reason: 'idle' };
    if (reply.action) this.#pendingAction = { epoch: reply.epoch, action: reply.action };
    if (reply.nextClause === 0) {
      // The model said nothing: an action needs no sentence, anything else is a failure.
      const action = reply.action;
      if (!action) return this.#fail(reply, 'LLM_EMPTY');
      this.#pendingAction = null;
      this.#options.onAction(action);
    }
    this.#failures = 0;
    this.#options.send({ type: 'reply-complete', callId: this.#options.callId, epoch: reply.epoch });
  }

  /** Says the business's fallback when a model fails; after repeated failures, transfers or says goodbye. */
  #fail(reply: Reply, reason: string): void {
    const { business, callId, send, log } = this.#options;
    this.#failures++;
    log.warn({ callId, epoch: reply.epoch, reason, failures: this.#failures }, 'fallback spoken');
    reply.abort.abort();
    if (!reply.isCommitted) this.#commit(reply, reply.cause);
    this.#speak(reply, business.fallbackMessage?.trim() || this.#words.fallback);
    if (this.#failures >= FAILURES_BEFORE_GIVING_UP) {
      const target = business.transferNumber;
      if (target !== null) {
        this.#speak(reply, this.#words.handingOver);
        this.#pendingAction = { epoch: reply.epoch, action: { type: 'transfer', target, reason: 'model_failure' } };
      } else {
        this.#speak(reply, this.#words.callAgainLater);
        this.#pendingAction = { epoch: reply.epoch, action: { type: 'end-call', reason: 'model_failure' } };
      }
    }
    send({ type: 'reply-complete', callId, epoch: reply.epoch });
  }
}
