// Chooses the answerer of the caller: the model, its stand-in when the model fails, is late or is known to be down, and
// in the end nobody. Asks for one round of a reply at a time and takes in its result.
import type { CallUsage } from '../../db/records/resources.ts';
import { type DialogueChunk, LlmError } from '../../models/llm/llm.ts';
import { failureDetails } from '../../models/llm/loggable-words.ts';
import type { ReplyCause } from '../turn/machine.ts';
import type { ExpectedAnswer } from './expected-answer.ts';
import { freshToolId, type History, lastCallerWords } from './history.ts';
import { modelRequest } from './model-request.ts';
import { ModelSpending } from './model-spending.ts';
import { addUsage, NOTHING_USED, UsageAccount, usageOf } from './model-usage.ts';
import { ModelWatch } from './model-watch.ts';
import type { DialogueOptions } from './options.ts';
import { beginAgain, type Reply } from './reply.ts';
import type { ReplySpeech } from './reply-speech.ts';
import type { AccountTools } from './tools/account-tools.ts';

interface ModelAnswersEdge {
  speech: ReplySpeech;
  expected: ExpectedAnswer;
  /** The reply that the caller is to hear. */
  current(): Reply | null;
  history(): History;
  /** Instructions from clients of the API. */
  told(): readonly string[];
  account(): AccountTools;
  /** Whether one more failed turn is one too many. */
  isLastFailure(): boolean;
  /** The round of a committed reply is whole. */
  roundEnded(reply: Reply): Promise<void>;
  /** Neither the model nor a stand-in answers. */
  unanswered(reply: Reply, reason: string): void;
}

export interface ModelMemory {
  model: unknown;
  standIn: unknown;
}

export class ModelAnswers {
  readonly #options: DialogueOptions;
  readonly #edge: ModelAnswersEdge;
  readonly #account: UsageAccount;
  readonly #watch: ModelWatch;
  /** Its tokens by model. */
  readonly spending = new ModelSpending();
  /** Of the model and of its stand-in. */
  #memory: ModelMemory = { model: null, standIn: null };
  /** The caller knows that they talk to the stand-in. */
  #isLimitTold = false;

  constructor(options: DialogueOptions, edge: ModelAnswersEdge) {
    this.#options = options;
    this.#edge = edge;
    const { clock, breaker, firstWordWithinMs } = options;
    this.#watch = new ModelWatch({ clock, breaker, firstWordWithinMs, onLate: (reply) => this.#onLate(reply) });
    this.#account = new UsageAccount((used, isDiscarded) => options.onModelUsed(used, isDiscarded));
  }

  /** The memories of the model and its stand-in, as JSON. */
  get memory(): ModelMemory {
    return this.#memory;
  }

  /** Another process has begun the call. */
  goOn(memory: ModelMemory, usage: CallUsage | null): void {
    this.#memory = memory;
    this.#account.goOn(usage);
  }

  /** This call's use of the model's server; null without one. */
  get usage(): CallUsage | null {
    return this.#account.usage;
  }

  /** A speech-to-speech model tells the use of an answer when it is over; it makes none that is not wanted. */
  spent({ inputTokens, outputTokens, cachedTokens }: Omit<Extract<DialogueChunk, { type: 'usage' }>, 'type'>): void {
    const told = { type: 'usage', inputTokens, outputTokens, ...(cachedTokens ? { cachedTokens } : {}) } as const;
    const used = usageOf(told);
    this.spending.add(told);
    this.#account.spend(used, false);
  }

  /** The usage and memory of a guess now count. */
  committed(reply: Reply): void {
    this.#settleUsage(reply, false);
    this.#remember(reply);
    this.#sourced(reply);
    this.#watch.committed(reply);
  }

  /** Nothing more is wanted of it. */
  over(reply: Reply): void {
    reply.abort.abort();
    this.#watch.over(reply);
  }

  dropped(reply: Reply): void {
    this.over(reply);
    this.#settleUsage(reply, !reply.isCommitted);
  }

  completed(reply: Reply): void {
    if (isAnswer(reply.cause) && reply.standInFor === null) this.#isLimitTold = false;
    this.#isLimitTold ||= reply.tellsLimit;
  }

  async ask(reply: Reply): Promise<void> {
    const { model, standIn, search } = this.#options;
    if (standIn !== null && reply.standInFor === null && !this.#watch.mayAsk()) reply.standInFor = 'LLM_DOWN';
    const isStandIn = reply.standInFor !== null;
    const asked = isStandIn && standIn !== null ? standIn : model;
    // At its first round: the words do not change with what tools answer.
    const question = questionOf(reply.cause, this.#edge.history());
    if (reply.rounds === 0 && question !== '' && search !== undefined) {
      reply.passages = await search(question);
      if (this.#edge.current() !== reply || reply.abort.signal.aborted) return;
      this.#sourced(reply);
    }
    const memory = isStandIn ? this.#memory.standIn : this.#memory.model;
    const request = modelRequest(this.#options, reply, {
      history: this.#edge.history(),
      memory,
      account: this.#edge.account(),
      told: this.#edge.told(),
    });
    this.#watch.asked(reply);
    const { signal } = reply.abort;
    // A model may go on after it was told to stop.
    const isOver = (): boolean => this.#edge.current() !== reply || signal.aborted;
    try {
      for await (const chunk of asked.reply(request, signal)) {
        if (isOver()) return;
        this.#onChunk(reply, chunk);
      }
      if (isOver()) return;
      this.#watch.over(reply);
      reply.isStreamDone = true;
      // Also for an uncommitted reply: its speech is synthesised during the end-of-turn silence.
      this.#edge.speech.end(reply);
      if (reply.isCommitted) await this.#edge.roundEnded(reply);
    } catch (error) {
      if (isOver()) return;
      this.#watch.over(reply);
      const details = failureDetails(error, request);
      this.#options.log.warn({ epoch: reply.epoch, ...details }, 'dialogue model failed');
      this.failed(reply, details.code);
    }
  }

  #onLate(reply: Reply): void {
    const { firstWordWithinMs, log } = this.#options;
    const error = new LlmError('LLM_TIMEOUT', `no word within ${firstWordWithinMs} ms`);
    log.warn({ epoch: reply.epoch, code: error.code, firstWordWithinMs }, 'dialogue model failed');
    reply.abort.abort(error);
    this.failed(reply, error.code);
  }

  /** The stand-in answers, or says that it cannot; without one the turn has failed. */
  failed(reply: Reply, code: string): void {
    const { standIn } = this.#options;
    if (!reply.isCommitted) {
      reply.failure = code;
      return;
    }
    if (reply.standInFor !== null) return this.#edge.unanswered(reply, reply.standInFor);
    this.#watch.failed(code);
    if (standIn === null) return this.#edge.unanswered(reply, code);
    reply.abort.abort();
    this.#edge.speech.over();
    beginAgain(reply, code);
    void this.ask(reply);
  }

  /** The first word of this round. */
  #begins(reply: Reply): void {
    if (!this.#watch.over(reply)) return;
    if (reply.standInFor === null) return this.#watch.worked();
    if (this.#isLimitTold || reply.tellsLimit || reply.isUnanswered || !isAnswer(reply.cause)) return;
    // "Let me see. One moment, please. I can only help with simple questions" in a row is no way to an answer.
    if (reply.hasBridged) return;
    reply.tellsLimit = true;
    this.#edge.speech.tellLimit(reply);
  }

  /** Keeps the model's memory of a committed reply. */
  #remember({ isCommitted, memory, standInFor }: Reply): void {
    if (!isCommitted || memory === null) return;
    this.#memory[standInFor === null ? 'model' : 'standIn'] = memory.value;
  }

  /** Told once, of a reply that counts. */
  #sourced(reply: Reply): void {
    if (!reply.isCommitted || reply.isSourced || reply.passages.length === 0) return;
    reply.isSourced = true;
    this.#options.onSourced(reply.passages);
  }

  #onChunk(reply: Reply, chunk: DialogueChunk): void {
    switch (chunk.type) {
      case 'text':
        if (chunk.text.trim() !== '') this.#begins(reply);
        return this.#edge.speech.push(reply, chunk.text);
      case 'voiced':
        this.#begins(reply);
        return this.#edge.speech.voiced(reply, chunk.text);
      case 'tool-call':
        this.#begins(reply);
        reply.pendingTools.push({ ...chunk, id: freshToolId(this.#edge.history(), reply.pendingTools, chunk.id) });
        return;
      case 'began':
        return this.#begins(reply);
      case 'unanswered':
        return this.#onUnanswered(reply);
      case 'expects':
        reply.expects = chunk.expects;
        if (reply.isCommitted) this.#edge.expected.tell({ expects: chunk.expects, digitCount: null });
        return;
      case 'memory':
        reply.memory = { value: chunk.memory };
        return this.#remember(reply);
      case 'call-back-promised':
        reply.promisesCallBack = true;
        return;
      case 'request':
      case 'usage':
        this.spending.add(chunk);
        reply.used = addUsage(reply.used, usageOf(chunk));
        if (reply.isCommitted) this.#settleUsage(reply, false);
        return;
    }
  }

  /** The stand-in is at its end, too. Before it says so again, somebody else must take over. */
  #onUnanswered(reply: Reply): void {
    const { standInFor } = reply;
    if (standInFor === null || !isAnswer(reply.cause)) return;
    reply.isUnanswered = true;
    if (!this.#edge.isLastFailure()) return;
    this.#watch.over(reply);
    if (reply.isCommitted) return this.#edge.unanswered(reply, standInFor);
    reply.abort.abort();
    reply.failure = standInFor;
  }

  #settleUsage(reply: Reply, isDiscarded: boolean): void {
    this.#account.spend(reply.used, isDiscarded);
    reply.used = NOTHING_USED;
  }
}

/** True if the caller waits for it. */
export function isAnswer(cause: ReplyCause): boolean {
  return cause.kind === 'turn' || cause.kind === 'digits' || isOwed(cause);
}

/** Another process had taken the turn. */
const isOwed = (cause: ReplyCause): boolean => cause.kind === 'requested' && cause.request.kind === 'answer';

/** The words that are searched for. */
function questionOf(cause: ReplyCause, history: History): string {
  if (cause.kind === 'turn') return cause.text;
  return isOwed(cause) ? lastCallerWords(history) : '';
}
