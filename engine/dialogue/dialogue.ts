// The conversation of one call: the caller's words go to the model, the model's stream goes clause by clause to the
// shard, tools run, and only what was heard enters the history. A reply is identified by its epoch; a dropped one
// leaves no trace except the results of tools that ran.
import type { Logger } from 'pino';
import type { CallUsage, ConversationSettings } from '../../db/resources.ts';
import type { DialogueBusiness, DialogueChunk, DialogueModel, DialogueRequest } from '../../models/llm/llm.ts';
import { failureDetails } from '../../models/llm/loggable-words.ts';
import { phrasesFor } from '../../models/llm/phrases/languages.ts';
import type { Phrases } from '../../models/llm/phrases/phrases.ts';
import type { Clock } from '../clock.ts';
import type { CallCommand } from '../shard/protocol.ts';
import { ASKED_NOTHING, type Asked, askedFor } from '../turn/expectation.ts';
import type { ReplyCause } from '../turn/machine.ts';
import { endsWith, isRefusal, speechWords } from '../turn/spoken.ts';
import { turnWordsFor } from '../turn/words/languages.ts';
import type { TurnWords } from '../turn/words/turn-words.ts';
import { ClauseSplitter, clausesOf } from './clause-splitter.ts';
import {
  addAgent,
  addCaller,
  addCause,
  addToolCall,
  addToolResult,
  cutToHeard,
  emptyHistory,
  messagesOf,
  replaceToolResult,
  withdrawTurn,
} from './history.ts';
import { addUsage, NOTHING_USED, type ReplyUsage, UsageAccount, usageOf } from './model-usage.ts';
import { type Objection, PendingAction } from './pending-action.ts';
import { causeMessages, newReply, type Reply } from './reply.ts';
import { type ToolRun, ToolRuns } from './tool-runs.ts';
import { toolDefinitions } from './tools/catalogue.ts';
import type { ToolAction, ToolContext } from './tools/tool.ts';
import { WaitingWords } from './waiting-words.ts';

/** Tool rounds per reply. */
const TOOL_ROUNDS_MAX = 5;
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
  /** How the agent leads the conversation. */
  conversation: ConversationSettings;
  isRecorded: boolean;
  direction: 'inbound' | 'outbound';
  callerNumber: string | null;
  callerName: string | null;
  tools: Omit<ToolContext, 'nowMs'>;
  clock: Clock;
  send(command: CallCommand): void;
  /** The model's first word of a reply. */
  onFirstWord?(epoch: number): void;
  /** An action that a tool requests. Called once the reply that goes with it has been heard. */
  onAction(action: ToolAction): void;
  onToolRan(run: ToolRun): void;
  /** Requests and tokens of the model's server, once it is known whether their reply was of use. */
  onModelUsed(used: ReplyUsage, isDiscarded: boolean): void;
  log: Logger;
}

export class Dialogue {
  readonly #options: DialogueOptions;
  readonly #words: Phrases['call'];
  readonly #language: TurnWords;
  readonly #waiting: WaitingWords;
  readonly tools: ToolRuns;
  readonly #account: UsageAccount;
  #history = emptyHistory;
  #reply: Reply | null = null;
  #memory: unknown = null;
  #failures = 0;
  readonly #pending: PendingAction;
  #isClosed = false;
  /** What the shard was last told of the agent's question. */
  #asked: Asked = ASKED_NOTHING;
  #isMuted = false;
  #wantsCallBack = false;

  constructor(options: DialogueOptions) {
    this.#options = options;
    this.#words = phrasesFor(options.language).call;
    this.#language = turnWordsFor(options.language);
    this.#waiting = new WaitingWords(options.clock, {
      onSlowModel: () => this.#sayWhileWaiting(this.#words.letMeSee, true),
      onSlowTool: () => this.#sayWhileWaiting(this.#words.oneMoment, false),
      onSlowClause: () => this.#speakFirstWords(),
    });
    const { clock, log, onToolRan } = options;
    this.#pending = new PendingAction(clock, options.onAction);
    this.tools = new ToolRuns({
      context: options.tools,
      clock,
      log,
      onRan: onToolRan,
      onLate: (call, result) => {
        this.#history = replaceToolResult(this.#history, call, result);
      },
    });
    this.#account = new UsageAccount((used, isDiscarded) => options.onModelUsed(used, isDiscarded));
  }

  /** What the model's server was asked in this call; null without one. */
  get usage(): CallUsage | null {
    return this.#account.usage;
  }

  /** The caller was promised a call back. */
  get wantsCallBack(): boolean {
    return this.#wantsCallBack;
  }

  /** The shard wants a reply: generated at once, binding only once committed. */
  wantReply(epoch: number, cause: ReplyCause, committed: boolean): void {
    if (this.#isClosed) return;
    this.#dropReply();
    const reply = newReply(epoch, cause, this.#objectionIn(epoch, cause));
    this.#reply = reply;
    if (committed) this.#commit(reply, cause);
    if (this.#reply !== reply) return;
    if (cause.kind === 'requested' && cause.request.kind === 'say') return this.#say(reply, cause.request.text);
    // A transfer that the caller accepts leaves nothing to reply.
    if (reply.objection === 'accepted') return;
    if (this.#isMuted) return this.#options.send({ type: 'reply-complete', callId: this.#options.callId, epoch });
    if (cause.kind === 'opening') return this.#greet(reply);
    if (cause.kind === 'fallback') return this.#fail(reply, cause.reason);
    if (cause.kind === 'turn' && cause.asksToWait) return this.#say(reply, this.#words.takeYourTime);
    void this.#stream(reply);
  }

  /** The candidate becomes the current reply. */
  commitReply(epoch: number, cause: ReplyCause): void {
    const reply = this.#reply;
    if (!reply || reply.epoch !== epoch || reply.isCommitted) return;
    this.#commit(reply, cause);
    if (this.#reply !== reply) return;
    // A guess that failed cost nobody anything: the reply is asked for again now that it is wanted.
    if (reply.failure !== null) {
      if (reply.hasSpoken) return this.#fail(reply, reply.failure);
      reply.failure = null;
      void this.#stream(reply);
    } else if (reply.isStreamDone) void this.#afterStream(reply);
    else if (reply.isWhole) this.#complete(reply);
  }

  /** Words of the caller that get no reply of their own. */
  hearUnanswered(text: string, understood: boolean): void {
    if (text !== '') this.#history = addCaller(this.#history, 0, text, understood);
  }

  dropReply(epoch: number): void {
    if (this.#reply?.epoch === epoch) this.#dropReply();
    this.#pending.dropped(epoch);
    this.#history = withdrawTurn(this.#history, epoch);
  }

  /** The reply was heard, to its end or to where it was cut. */
  replyHeard(epoch: number, text: string, interrupted: boolean): void {
    if (this.#reply?.epoch === epoch) this.#keepSpoken(this.#reply);
    this.#history = cutToHeard(this.#history, epoch, text, interrupted);
    if (this.#reply?.epoch === epoch) this.#dropReply();
    this.#pending.heard(epoch, interrupted);
  }

  /** What the caller says over the announcement of a transfer decides it: known before the reply is prepared. */
  #objectionIn(epoch: number, cause: ReplyCause): Objection | null {
    return cause.kind === 'turn' ? this.#pending.weigh(epoch, isRefusal(cause.text, this.#language)) : null;
  }

  /** A machine listens: from now on, say only what the call requests verbatim. */
  mute(): void {
    this.#isMuted = true;
    this.#dropReply();
  }

  close(): void {
    this.#isClosed = true;
    this.tools.close();
    this.#pending.close();
    this.#dropReply();
  }

  #commit(reply: Reply, cause: ReplyCause): void {
    reply.isCommitted = true;
    this.#settleUsage(reply, false);
    reply.cause = cause;
    const withdrawable = cause.kind === 'turn' ? reply.epoch : null;
    this.#history = addCause(this.#history, withdrawable, causeMessages(reply, this.#options.language));
    if (reply.memory) this.#memory = reply.memory.value;
    if (reply.expects) this.#expect({ expects: reply.expects, digitCount: null });
    if (reply.nextClause === 0 && isAnswer(cause)) this.#waiting.committed();
    if (reply.objection !== 'accepted') return;
    this.#dropReply();
    this.#pending.accept();
    this.#options.send({ type: 'reply-complete', callId: this.#options.callId, epoch: reply.epoch });
  }

  #expect(asked: Asked): void {
    this.#asked = asked;
    const { expects, digitCount } = asked;
    const count = digitCount === null ? {} : { digitCount };
    this.#options.send({ type: 'expects', callId: this.#options.callId, expects, ...count });
  }

  #dropReply(): void {
    const reply = this.#reply;
    if (!reply) return;
    reply.abort.abort();
    this.#waiting.clear();
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
    const request = this.#request(reply);
    try {
      for await (const chunk of this.#options.model.reply(request, reply.abort.signal)) {
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
      const { log } = this.#options;
      const details = failureDetails(error, request);
      const { code } = details;
      log.warn({ epoch: reply.epoch, ...details }, 'dialogue model failed');
      if (reply.isCommitted) this.#fail(reply, code);
      else reply.failure = code;
    }
  }

  #request(reply: Reply): DialogueRequest {
    const { business, agentName, language, additionalLanguages, instructions, variables } = this.#options;
    const { callerNumber, callerName, direction, clock, conversation } = this.#options;
    const messages = messagesOf(this.#history);
    const uncommitted = reply.isCommitted ? [] : causeMessages(reply, language);
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
      messages: [...messages, ...uncommitted],
      tools: toolDefinitions(business),
      model: conversation.model ?? null,
      temperature: conversation.temperature ?? null,
      memory: reply.memory ? reply.memory.value : this.#memory,
      nowMs: clock.nowMs(),
    };
  }

  #onChunk(reply: Reply, chunk: DialogueChunk): void {
    switch (chunk.type) {
      case 'text':
        if (!reply.hasWords && chunk.text.trim() !== '') this.#noteFirstWord(reply);
        for (const clause of reply.splitter.push(chunk.text)) this.#speak(reply, clause);
        if (!reply.hasSpoken && chunk.text.trim() !== '') this.#waiting.firstWord();
        if (reply.isClauseLate) this.#speakFirstWords();
        return;
      case 'tool-call':
        reply.pendingTools.push(chunk);
        return;
      case 'expects':
        reply.expects = chunk.expects;
        if (reply.isCommitted) this.#expect({ expects: chunk.expects, digitCount: null });
        return;
      case 'memory':
        reply.memory = { value: chunk.memory };
        if (reply.isCommitted) this.#memory = chunk.memory;
        return;
      case 'call-back-promised':
        reply.promisesCallBack = true;
        return;
      case 'request':
      case 'usage':
        reply.used = addUsage(reply.used, usageOf(chunk));
        if (reply.isCommitted) this.#settleUsage(reply, false);
        return;
    }
  }

  #noteFirstWord(reply: Reply): void {
    reply.hasWords = true;
    this.#options.onFirstWord?.(reply.epoch);
  }

  #speak(reply: Reply, text: string, interruptible = true): void {
    reply.hasSpoken = true;
    this.#waiting.spoken();
    this.#utter(reply, text, { interruptible });
  }

  #utter(reply: Reply, text: string, how: { interruptible: boolean; isFiller?: true }): void {
    reply.spoken.push(text);
    reply.text = `${reply.text} ${text}`.trim();
    const { callId, send } = this.#options;
    send({ type: 'speak', callId, epoch: reply.epoch, index: reply.nextClause++, text, ...how });
  }

  /** Speaks fixed text, without the model. */
  #say(reply: Reply, text: string): void {
    for (const clause of clausesOf(text)) this.#speak(reply, clause);
    this.#keepSpokenIfCommitted(reply);
  }

  /** The agent's first words. A protected greeting is spoken to its end, and so is what the law wants said. */
  #greet(reply: Reply): void {
    const { greeting, conversation, isRecorded } = this.#options;
    for (const clause of clausesOf(greeting)) {
      const isDisclosure = isRecorded && this.#language.recording.test(clause.toLowerCase());
      this.#speak(reply, clause, !(conversation.protectGreeting || isDisclosure));
    }
    this.#keepSpokenIfCommitted(reply);
  }

  /** A fixed text may have been prepared for a turn that is not certain to have ended. */
  #keepSpokenIfCommitted(reply: Reply): void {
    reply.isWhole = true;
    if (reply.isCommitted) this.#complete(reply);
  }

  /** Something to hear while the caller waits for the reply. */
  #sayWhileWaiting(text: string, isFiller: boolean): void {
    const reply = this.#reply;
    if (!reply?.isCommitted || reply.isStreamDone !== !isFiller) return;
    this.#utter(reply, text, { interruptible: true, ...(isFiller ? { isFiller: true } : {}) });
  }

  #speakFirstWords(): void {
    const reply = this.#reply;
    if (!reply || reply.hasSpoken) return;
    reply.isClauseLate = true;
    const { openEndings } = this.#language;
    const words = reply.splitter.firstWords((text) => !endsWith(speechWords(text), openEndings));
    if (words !== null) this.#speak(reply, words);
  }

  /** The model finished this round: run its tools and ask again, or close the reply. */
  async #afterStream(reply: Reply): Promise<void> {
    this.#keepSpoken(reply);
    const calls = reply.pendingTools.splice(0);
    if (calls.length === 0) return this.#complete(reply);
    for (const call of calls) {
      this.#history = addToolCall(this.#history, reply.epoch, call);
      if (this.#reply === reply) this.#waiting.toolStarted();
      const { result, action } = await this.tools.run(reply.epoch, call);
      if (this.#reply === reply) this.#waiting.toolEnded();
      this.#history = addToolResult(this.#history, reply.epoch, call, result);
      if (action) reply.action = action;
    }
    // Dropped meanwhile: the results are in the history, nothing more is said about them.
    if (this.#reply !== reply) return;
    // A reply that ends or hands over the call has already announced it: no further round.
    const isAnnounced = reply.action !== null && reply.hasSpoken;
    if (isAnnounced || ++reply.rounds >= TOOL_ROUNDS_MAX) return this.#complete(reply);
    reply.isStreamDone = false;
    reply.splitter = new ClauseSplitter();
    this.#keepSpoken(reply);
    await this.#stream(reply);
  }

  #complete(reply: Reply): void {
    // The last silence prompt is a goodbye, whether or not the model asked to end the call.
    if (reply.cause.kind === 'idle' && reply.cause.last)
      reply.action = { type: 'end-call', by: 'engine', cause: 'idle' };
    if (reply.action) this.#pending.announce(reply.epoch, reply.action);
    if (!reply.hasSpoken) {
      // The model said nothing: an action needs no sentence, anything else is a failure.
      const action = reply.action;
      if (!action) return this.#fail(reply, 'LLM_EMPTY');
      this.#pending.actNow(action);
    }
    this.#failures = 0;
    this.#wantsCallBack ||= reply.promisesCallBack;
    this.#waiting.clear();
    this.#keepSpoken(reply);
    if (reply.expects === null) this.#inferExpectation(reply);
    this.#options.send({ type: 'reply-complete', callId: this.#options.callId, epoch: reply.epoch });
  }

  /** A model in free text does not say what it expects; its question does. */
  #inferExpectation(reply: Reply): void {
    const asked = askedFor(reply.text, this.#options.language);
    const isKnown = asked.expects === this.#asked.expects && asked.digitCount === this.#asked.digitCount;
    if (!isKnown) this.#expect(asked);
  }

  /** Says the business's fallback when a model fails; after repeated failures, transfers or says goodbye. */
  #fail(reply: Reply, reason: string): void {
    const { business, callId, send, log } = this.#options;
    this.#failures++;
    log.warn({ epoch: reply.epoch, reason, failures: this.#failures }, 'fallback spoken');
    reply.abort.abort();
    this.#waiting.clear();
    if (!reply.isCommitted) this.#commit(reply, reply.cause);
    this.#speak(reply, business.fallbackMessage?.trim() || this.#words.fallback);
    if (this.#failures >= FAILURES_BEFORE_GIVING_UP) {
      const target = business.transferNumber;
      if (target !== null) {
        this.#speak(reply, this.#words.handingOver);
        this.#pending.announce(reply.epoch, { type: 'transfer', target });
      } else {
        this.#speak(reply, this.#words.callAgainLater);
        this.#pending.announce(reply.epoch, { type: 'end-call', by: 'engine', cause: 'model_failure' });
      }
    }
    send({ type: 'reply-complete', callId, epoch: reply.epoch });
  }
}

/** The caller waits for it. */
function isAnswer({ kind }: ReplyCause): boolean {
  return kind === 'turn' || kind === 'digits';
}
