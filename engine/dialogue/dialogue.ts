// The conversation of one call: the caller's words go to the model, the model's stream goes clause by clause to the
// shard, tools run, and only the heard text enters the history. A reply is identified by its epoch; a dropped reply
// leaves no trace except the results of tools that ran.
import type { SecretDigits } from '../../db/domain/secret-digits.ts';
import type { DialogueRequest } from '../../models/llm/llm.ts';
import type { SpeechEvent } from '../../models/speech-to-speech/speech-to-speech.ts';
import type { ReplyCause } from '../turn/machine.ts';
import { isRefusal } from '../turn/spoken.ts';
import { turnWordsFor } from '../turn/words/languages.ts';
import type { DialogueState } from './dialogue-state.ts';
import { ExpectedAnswer } from './expected-answer.ts';
import { FailedTurns, type TurnEnd } from './failed-turns.ts';
import {
  addAgent,
  addAgentBeforeTools,
  addCaller,
  addCause,
  addToolCall,
  addToolResult,
  cutOff,
  cutToHeard,
  emptyHistory,
  newestOf,
  noteMessage,
  replaceCaller,
  replaceToolResult,
  runningAside,
  type ToolCall,
  withdrawTurn,
  withLostTools,
} from './history.ts';
import { isAnswer, ModelAnswers } from './model-answers.ts';
import { modelRequest } from './model-request.ts';
import type { DialogueOptions } from './options.ts';
import { OutsideWishes, type SilencedBy } from './outside-wishes.ts';
import { type Objection, PendingAction } from './pending-action.ts';
import { causeMessages, endOf, isAskedByClient, newReply, type Reply, takeSpoken } from './reply.ts';
import { ReplySpeech } from './reply-speech.ts';
import { ToolRuns } from './tool-runs.ts';
import { handoverAction } from './tools/transfer-call.ts';

/** Tool rounds per reply. */
const TOOL_ROUNDS_MAX = 5;

/** So much of a long conversation goes on in another process, in characters of JSON. */
const CONTINUED_MAX_CHARS = 16_000;

export class Dialogue {
  readonly #options: DialogueOptions;
  readonly #speech: ReplySpeech;
  readonly #expected: ExpectedAnswer;
  readonly #pending: PendingAction;
  readonly tools: ToolRuns;
  readonly failed: FailedTurns;
  readonly wishes = new OutsideWishes();
  readonly answers: ModelAnswers;
  #history = emptyHistory;
  #reply: Reply | null = null;
  /** A person was asked to take a call that the agent could not lead. */
  #isHandedOver = false;
  #isClosed = false;
  /** The reply of which no more words will come. */
  #completed = 0;
  #isMuted = false;
  #wantsCallBack = false;

  constructor(options: DialogueOptions) {
    this.#options = options;
    this.#speech = new ReplySpeech(options, () => this.#reply);
    this.#expected = new ExpectedAnswer(options);
    const { clock, log, onToolRan } = options;
    this.failed = new FailedTurns(options.model.name);
    this.answers = new ModelAnswers(options, {
      speech: this.#speech,
      expected: this.#expected,
      current: () => this.#reply,
      history: () => this.#history,
      told: () => this.wishes.told,
      account: () => this.tools.account,
      isLastFailure: () => this.failed.isLast,
      roundEnded: (reply) => this.#afterStream(reply),
      unanswered: (reply, reason) => this.#fail(reply, reason),
    });
    this.#pending = new PendingAction(clock, options.onAction);
    this.tools = new ToolRuns({
      context: options.tools,
      account: options.accountTools,
      clock,
      log,
      onRan: onToolRan,
      onLate: (call, result, isAwaited) => {
        this.#history = replaceToolResult(this.#history, call, result);
        if (isAwaited && !this.#isClosed) options.onToolAnswered(call.name);
      },
    });
  }

  /** The agent has promised the caller a call back. */
  get wantsCallBack(): boolean {
    return this.#wantsCallBack;
  }

  get state(): DialogueState {
    return {
      history: newestOf(this.#history, CONTINUED_MAX_CHARS),
      memory: this.answers.memory,
      usage: this.answers.usage,
      failed: this.failed.state,
      toolsUsed: [...this.tools.used],
      booked: [...this.tools.booked],
      accountTools: this.tools.account.state,
      pending: this.#pending.open,
      saying: this.#reply?.isCommitted ? { epoch: this.#reply.epoch, text: this.#reply.text } : null,
      isHandedOver: this.#isHandedOver,
      isMuted: this.#isMuted,
      wantsCallBack: this.#wantsCallBack,
      ...this.#expected.state,
      ...this.wishes.state,
    };
  }

  /** Words are still to come from the model or a tool, which another process could not go on with. */
  get isThinking(): boolean {
    return this.#reply !== null && this.#reply.epoch !== this.#completed;
  }

  /**
   * Goes on with the conversation of another process. `open`: the replies whose end it had not heard of, and what was
   * heard of them. `isNoticed`: the caller noticed that the line was gone. `hasSession`: a speech-to-speech model goes
   * on as well, in a new session.
   */
  goOn(
    state: DialogueState,
    {
      open,
      isNoticed,
      hasSession = false,
    }: { open: ReadonlyArray<{ epoch: number; heard: string }>; isNoticed: boolean; hasSession?: boolean },
  ): void {
    const history = open.reduce((all, { epoch, heard }) => cutOff(all, epoch, heard), state.history);
    const notes = isNoticed ? [noteMessage({ kind: 'line-lost' }, this.#options.language)] : [];
    this.#history = addCause(withLostTools(history, ToolRuns.lost), null, notes);
    if (hasSession) this.#options.speech?.goOn(this.#history.entries.map(({ message }) => message));
    else this.#options.speech?.giveUp();
    if (state.accountTools) this.tools.account.goOn(state.accountTools);
    for (const name of runningAside(history)) this.#options.onToolAnswered(name);
    this.answers.goOn(state.memory, state.usage);
    this.failed.goOn(state.failed);
    this.tools.used.push(...state.toolsUsed);
    this.tools.booked.push(...state.booked);
    this.#isHandedOver = state.isHandedOver;
    this.#isMuted = state.isMuted;
    this.#wantsCallBack = state.wantsCallBack;
    this.#expected.goOn(state);
    this.wishes.goOn(state);
    if (state.pending) this.#pending.actNow(state.pending);
  }

  /** The shard wants a reply: it is generated at once, but binding only once committed. */
  wantReply(epoch: number, cause: ReplyCause, committed: boolean): void {
    if (this.#isClosed) return;
    this.#dropReply();
    // Nobody is asked whether they are still there by an agent that says nothing.
    if (this.wishes.isSilenced && cause.kind === 'idle') return this.#tellComplete(epoch);
    const reply = newReply(epoch, cause, this.#objectionIn(epoch, cause));
    this.#reply = reply;
    if (committed) this.#commit(reply, cause);
    if (this.#reply !== reply) return;
    if (this.wishes.isSilenced && !isAskedByClient(cause)) return this.#tellComplete(epoch);
    if (cause.kind === 'requested' && cause.request.kind === 'say') {
      this.#speech.say(reply, cause.request.text);
      return this.#finishFixed(reply);
    }
    // The caller accepted the transfer, so there is nothing to say.
    if (reply.objection === 'accepted') return;
    if (this.#isMuted) return this.#tellComplete(epoch);
    if (cause.kind === 'opening') {
      this.#speech.greet(reply);
      const { putThroughTo } = this.#options;
      // Its question is whether they come.
      if (this.#options.tools.remindsOf !== null) this.#expected.tell({ expects: 'yes-no', digitCount: null });
      if (putThroughTo !== undefined) reply.action = { type: 'transfer', target: putThroughTo };
      return this.#finishFixed(reply);
    }
    if (cause.kind === 'fallback') return this.#fail(reply, cause.reason);
    if (cause.kind === 'digits' && this.#changesLanguage(reply, cause.digits)) return;
    if (cause.kind === 'turn' && cause.asksToWait) {
      this.#speech.grantPatience(reply);
      return this.#finishFixed(reply);
    }
    if (cause.kind === 'turn' && cause.asksToStop) {
      this.#speech.listen(reply);
      return this.#finishFixed(reply);
    }
    void this.answers.ask(reply);
  }

  /** The candidate becomes the current reply. */
  commitReply(epoch: number, cause: ReplyCause): void {
    const reply = this.#reply;
    // It was dropped for silence just now: the caller has said it all the same.
    if (reply?.epoch !== epoch && this.wishes.isSilenced) {
      this.#history = addCause(this.#history, epoch, causeMessages({ cause, objection: null }, this.#options.language));
      return this.#tellComplete(epoch);
    }
    if (!reply || reply.epoch !== epoch || reply.isCommitted) return;
    this.#commit(reply, cause);
    if (this.#reply !== reply) return;
    // A guess that failed had no effect: the reply is requested again, now that it is wanted.
    if (reply.failure !== null) {
      if (reply.hasSpoken) return this.answers.failed(reply, reply.failure);
      reply.failure = null;
      reply.abort = new AbortController();
      void this.answers.ask(reply);
    } else if (reply.isStreamDone) void this.#afterStream(reply);
    else if (reply.isWhole) this.#complete(reply);
  }

  /** The call's speech-to-speech model reports. */
  speechModelSaid(event: SpeechEvent): void {
    if (event.type === 'usage') this.answers.spent(event);
    this.#options.speech?.receive(event);
  }

  /** Another recogniser has understood the caller's words that reply `epoch` answers. */
  callerSaid(epoch: number, text: string): void {
    this.#history = replaceCaller(this.#history, epoch, text);
  }

  /** The call's facts and rules as they are now, without a question. */
  get briefing(): DialogueRequest {
    const parts = { history: this.#history, memory: null, account: this.tools.account, told: this.wishes.told };
    return modelRequest(this.#options, newReply(0, { kind: 'opening' }, null), parts);
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

  /** A machine listens: from now on, say only the text that the call requests verbatim. */
  mute(): void {
    this.#isMuted = true;
    this.#dropReply();
  }

  /**
   * From now on the agent listens, and says only what a client of the API wants said. The shard is to end what it is
   * saying.
   */
  silence(who: SilencedBy): void {
    this.wishes.silence(who);
    const reply = this.#reply;
    this.#dropReply();
    this.#pending.forget();
    if (reply) this.#tellComplete(reply.epoch);
  }

  /** As if the model had asked for it: it is told the reference, or what went wrong. */
  collectDigits(digits: SecretDigits): void {
    const call: ToolCall = {
      id: `control-${Math.round(this.#options.clock.monotonicMs())}`,
      name: 'collect_digits',
      arguments: { ...digits },
    };
    const [run] = this.tools.start(0, [call]);
    this.#history = addToolCall(this.#history, 0, call);
    void run?.().then(({ result }) => {
      this.#history = addToolResult(this.#history, 0, call, result);
    });
  }

  /** The call goes on in another language, and the model did not ask for it. */
  languageChanged(): void {
    const { language } = this.#options;
    this.#history = addCause(this.#history, null, [noteMessage({ kind: 'language-changed', language }, language)]);
  }

  /** Words of a person who talks in the agent's place. */
  personSaid(text: string): void {
    const note = noteMessage({ kind: 'person-said', text }, this.#options.language);
    this.#history = addCause(this.#history, null, [note]);
  }

  close(): void {
    this.#isClosed = true;
    this.tools.close();
    this.#pending.close();
    this.#dropReply();
  }

  /** The caller's words over the announcement of a transfer decide it, before the reply is prepared. */
  #objectionIn(epoch: number, cause: ReplyCause): Objection | null {
    return cause.kind === 'turn'
      ? this.#pending.weigh(epoch, isRefusal(cause.text, turnWordsFor(this.#options.language)))
      : null;
  }

  /** Whether the keys ask for a language. Where the agent has asked for digits, they are the answer. */
  #changesLanguage(reply: Reply, digits: string): boolean {
    const { languages } = this.#options;
    const wanted = this.#expected.isOfDigits ? null : languages.byKey(digits);
    if (wanted === null) return false;
    void languages.switchTo(wanted, 'key').then(({ ok }) => {
      if (this.#reply !== reply) return;
      this.#speech.tellLanguage(reply, ok);
      this.#finishFixed(reply);
    });
    return true;
  }

  #commit(reply: Reply, cause: ReplyCause): void {
    reply.isCommitted = true;
    reply.cause = cause;
    const withdrawable = cause.kind === 'turn' ? reply.epoch : null;
    this.#history = addCause(this.#history, withdrawable, causeMessages(reply, this.#options.language));
    if (reply.expects) this.#expected.tell({ expects: reply.expects, digitCount: null });
    if (reply.nextClause === 0 && isAnswer(cause)) this.#speech.awaited();
    this.answers.committed(reply);
    if (reply.objection !== 'accepted') return;
    this.#dropReply();
    this.#pending.accept();
    this.#tellComplete(reply.epoch);
  }

  #dropReply(): void {
    const reply = this.#reply;
    if (!reply) return;
    this.answers.dropped(reply);
    this.tools.interrupted(reply.epoch);
    this.#speech.over();
    if (reply.isCommitted) this.#keepSpoken(reply);
    this.#reply = null;
  }

  #keepSpoken(reply: Reply): void {
    this.#history = addAgent(this.#history, reply.epoch, takeSpoken(reply), reply.isOwnVoice);
  }

  /** A fixed text may have been prepared for a turn that has perhaps not ended. */
  #finishFixed(reply: Reply): void {
    reply.isWhole = true;
    if (reply.isCommitted) this.#complete(reply);
  }

  /** The model finished this round: run its tools and ask again, or close the reply. */
  async #afterStream(reply: Reply): Promise<void> {
    this.#keepSpoken(reply);
    const calls = reply.pendingTools.splice(0);
    if (calls.length === 0) return this.#complete(reply);
    const words = reply.hasSpoken ? null : this.tools.wordsFor(calls);
    if (words !== null && this.#reply === reply) this.#speech.sayMeanwhile(reply, words);
    if (!(await this.tools.mayRun(reply, calls))) return;
    const runs = this.tools.start(reply.epoch, calls);
    for (const [index, call] of calls.entries()) {
      this.#history = addToolCall(this.#history, reply.epoch, call);
      if (this.#reply === reply) this.#speech.toolStarted();
      const { result, action = null } = (await runs[index]?.()) ?? { result: null };
      if (this.#reply === reply) this.#speech.toolEnded();
      this.#history = addToolResult(this.#history, reply.epoch, call, result);
      if (action) reply.action = action;
    }
    // Dropped meanwhile: the results are in the history, and nothing more is said about them.
    if (this.#reply !== reply) return;
    // A reply that ends or hands over the call has already announced it: no further round.
    const isAnnounced = reply.action !== null && reply.hasSpoken;
    if (isAnnounced || ++reply.rounds >= TOOL_ROUNDS_MAX) return this.#complete(reply);
    reply.isStreamDone = false;
    this.#speech.beginRound(reply);
    this.#history = addAgentBeforeTools(this.#history, reply.epoch, takeSpoken(reply), reply.isOwnVoice);
    await this.answers.ask(reply);
  }

  #complete(reply: Reply): void {
    // The last silence prompt is a goodbye, whether or not the model asked to end the call.
    if (reply.cause.kind === 'idle' && reply.cause.last)
      reply.action = { type: 'end-call', by: 'engine', cause: 'idle' };
    if (reply.action) this.#pending.announce(reply.epoch, reply.action);
    if (!reply.hasSpoken) {
      // The model said nothing: an action needs no sentence, anything else is a failure.
      const action = reply.action;
      if (!action) return this.answers.failed(reply, 'LLM_EMPTY');
      this.#pending.actNow(action);
    }
    if (isAnswer(reply.cause)) this.#turnEnded(endOf(reply));
    this.answers.completed(reply);
    this.#wantsCallBack ||= reply.promisesCallBack;
    this.#speech.over();
    this.#keepSpoken(reply);
    if (reply.expects === null) this.#expected.inferFrom(reply.text);
    this.#tellComplete(reply.epoch);
  }

  /** Nobody answers: says so, and after repeated failures hands the caller over or says goodbye. */
  #fail(reply: Reply, reason: string): void {
    const { log } = this.#options;
    const isLast = this.failed.isLast;
    log.warn({ epoch: reply.epoch, reason, isLast }, 'fallback spoken');
    this.answers.over(reply);
    this.#speech.over();
    if (!reply.isCommitted) this.#commit(reply, reply.cause);
    if (!this.#speech.sayWithoutModel(reply)) {
      this.#turnEnded({ by: 'message', reason, isAnswered: false });
      this.#speech.apologise(reply, isLast);
      if (isLast) this.#giveUp(reply);
    } else if (reply.cause.kind === 'idle' && reply.cause.last) {
      this.#pending.announce(reply.epoch, { type: 'end-call', by: 'engine', cause: 'idle' });
    }
    this.#tellComplete(reply.epoch);
  }

  /** A person who could not be reached is not tried again. */
  #giveUp(reply: Reply): void {
    const { business, clock } = this.#options;
    const whoever = { destination: null, reason: null };
    const transfer = this.#isHandedOver ? null : handoverAction(business, clock.nowMs(), whoever);
    this.#isHandedOver = true;
    this.#speech.giveUp(reply, transfer !== null);
    this.#pending.announce(reply.epoch, transfer ?? { type: 'end-call', by: 'engine', cause: 'model_failure' });
  }

  #turnEnded(end: TurnEnd): void {
    this.failed.ended(end);
    this.#options.onTurnEnded(end);
  }

  #tellComplete(epoch: number): void {
    this.#completed = epoch;
    this.#options.send({ type: 'reply-complete', callId: this.#options.callId, epoch });
  }
}
