// Speaks a reply: the model's stream or a fixed text goes clause by clause to the shard. A waiting caller hears a few
// words meanwhile.
import type { ClauseKind } from '../../media/playout.ts';
import { phrasesFor } from '../../models/llm/phrases/languages.ts';
import type { Phrases } from '../../models/llm/phrases/phrases.ts';
import type { ReplyCause } from '../turn/machine.ts';
import { endsWith, speechWords } from '../turn/spoken.ts';
import { turnWordsFor } from '../turn/words/languages.ts';
import type { TurnWords } from '../turn/words/turn-words.ts';
import { ClauseSplitter, clausesOf } from './clause-splitter.ts';
import type { DialogueOptions } from './options.ts';
import type { Reply } from './reply.ts';
import { WaitingWords } from './waiting-words.ts';

interface Manner {
  interruptible?: boolean;
  /** Absent for an answer. */
  kind?: ClauseKind;
}

export class ReplySpeech {
  readonly #options: DialogueOptions;
  /** The reply being prepared. */
  readonly #current: () => Reply | null;
  readonly #waiting: WaitingWords;

  constructor(options: DialogueOptions, current: () => Reply | null) {
    this.#options = options;
    this.#current = current;
    this.#waiting = new WaitingWords(options.clock, {
      onSlowModel: (count) => this.#sayWhileWaiting(count === 1 ? this.#words.letMeSee : this.#words.oneMoment, true),
      onSlowTool: () => this.#sayWhileWaiting(this.#words.oneMoment, false),
      onSlowClause: () => this.#speakFirstWords(),
    });
  }

  /** The language may change in the call. */
  get #words(): Phrases['call'] {
    return phrasesFor(this.#options.language).call;
  }

  get #language(): TurnWords {
    return turnWordsFor(this.#options.language);
  }

  /** A committed reply of which nothing was spoken: from now on the caller waits for it. */
  awaited(): void {
    this.#waiting.committed();
  }

  toolStarted(): void {
    this.#waiting.toolStarted();
  }

  toolEnded(): void {
    this.#waiting.toolEnded();
  }

  /** The wait is over: the reply is complete or dropped. */
  over(): void {
    this.#waiting.clear();
  }

  /** Text of the model. */
  push(reply: Reply, text: string): void {
    const isBlank = text.trim() === '';
    if (!reply.hasWords && !isBlank) {
      reply.hasWords = true;
      this.#options.onFirstWord?.(reply.epoch);
    }
    const openings = this.#options.openings?.();
    for (const clause of reply.splitter.push(text, openings?.known)) this.#speakNext(reply, clause);
    if (!reply.hasSpoken && !isBlank) this.#waiting.firstWord();
    if (reply.hasOnlyOpened) this.#waiting.opened();
    if (reply.isClauseLate) this.#speakFirstWords();
  }

  /** The model speaks itself, and has said these words; empty: its first sound. */
  voiced(reply: Reply, text: string): void {
    if (!reply.hasWords) this.#options.onFirstWord?.(reply.epoch);
    reply.hasWords = true;
    reply.hasSpoken = true;
    reply.isOwnVoice = true;
    reply.voiced += text;
    reply.text = `${reply.text}${text}`.trimStart();
    this.#waiting.spoken();
  }

  /** The model's text is complete. */
  end(reply: Reply): void {
    for (const clause of reply.splitter.end()) this.#speakNext(reply, clause);
  }

  /** A clause of the model. Its first words are remembered: an opening that many replies have is rendered early. */
  #speakNext(reply: Reply, clause: string): void {
    const isFirst = !reply.hasSpoken;
    this.speak(reply, clause);
    reply.hasOnlyOpened = isFirst && clause === reply.splitter.opening;
    if (!isFirst) return;
    const learned = this.#options.openings?.().note(clause) ?? null;
    const { send, callId } = this.#options;
    if (learned !== null) send({ type: 'prepare-speech', callId, texts: [learned] });
  }

  /** The model's next text, after a tool round, begins a new sentence. */
  beginRound(reply: Reply): void {
    reply.splitter = new ClauseSplitter();
  }

  speak(reply: Reply, text: string, { interruptible = true, kind }: Manner = {}): void {
    reply.hasSpoken = true;
    this.#waiting.spoken();
    const said = reply.isUnanswered ? 'apology' : kind;
    this.#utter(reply, text, { interruptible, ...(said ? { kind: said } : {}) });
  }

  /** Fixed text, without the model. */
  say(reply: Reply, text: string, kind?: ClauseKind): void {
    for (const clause of clausesOf(text)) this.speak(reply, clause, kind ? { kind } : {});
  }

  /** A tenant's words while a tool runs; they are no answer. */
  sayMeanwhile(reply: Reply, text: string): void {
    for (const clause of clausesOf(text)) this.#utter(reply, clause, { interruptible: true, kind: 'filler' });
  }

  /** The agent's opening. A protected greeting is spoken to its end, and so is a legally required text. */
  greet(reply: Reply): void {
    const { greeting, conversation, isRecorded } = this.#options;
    for (const clause of clausesOf(greeting)) {
      const isDisclosure = isRecorded && this.#language.recording.test(clause.toLowerCase());
      this.speak(reply, clause, { interruptible: !(conversation.protectGreeting || isDisclosure) });
    }
  }

  /** The answer to a caller who asked for a moment. */
  grantPatience(reply: Reply): void {
    this.say(reply, this.#words.takeYourTime);
  }

  /** To a caller who said "stop". */
  listen(reply: Reply): void {
    this.say(reply, this.#words.listening);
  }

  /** The model failed and nobody stands in. `isLast`: the caller is not to go on. */
  apologise(reply: Reply, isLast: boolean): void {
    const own = this.#options.business.fallbackMessage?.trim();
    this.speak(reply, own || this.#words.fallback, { kind: 'apology' });
    if (!own && !isLast) this.speak(reply, this.#words.sayAgain, { kind: 'apology' });
  }

  /** The stand-in answers from now on: what it cannot do. */
  tellLimit(reply: Reply): void {
    this.say(reply, this.#words.limited, 'filler');
  }

  /** The first words in a language that was asked for by key, or that it cannot be had. */
  tellLanguage(reply: Reply, isChanged: boolean): void {
    const { model, business, direction, language, clock } = this.#options;
    const invitation = model.invitation?.({ business, direction, language, nowMs: clock.nowMs() });
    this.say(reply, isChanged ? (invitation ?? this.#words.languageChanged) : this.#words.languageKept);
  }

  /** Says what a call event needs, which takes no model. False if it does need one. */
  sayWithoutModel(reply: Reply): boolean {
    const text = wordsWithoutModel(reply.cause, phrasesFor(this.#options.language).menu);
    if (text !== null) this.say(reply, text);
    return text !== null;
  }

  /** Nothing could answer again: says that the call is handed over or ends. */
  giveUp(reply: Reply, isHandedOver: boolean): void {
    this.speak(reply, isHandedOver ? this.#words.handingOver : this.#words.callAgainLater, { kind: 'apology' });
  }

  /** Something to hear while the caller waits for the reply. */
  #sayWhileWaiting(text: string, isFiller: boolean): void {
    const reply = this.#current();
    if (!reply?.isCommitted || reply.isStreamDone !== !isFiller) return;
    reply.hasBridged = true;
    this.#utter(reply, text, { interruptible: true, kind: 'filler', ...(isFiller ? { isFiller: true } : {}) });
  }

  #speakFirstWords(): void {
    const reply = this.#current();
    if (!reply || (reply.hasSpoken && !reply.hasOnlyOpened)) return;
    reply.isClauseLate = true;
    const { openEndings } = this.#language;
    const words = reply.splitter.firstWords((text) => !endsWith(speechWords(text), openEndings));
    if (words !== null) this.#speakNext(reply, words);
  }

  #utter(reply: Reply, text: string, how: { interruptible: boolean; isFiller?: true; kind?: ClauseKind }): void {
    reply.spoken.push(text);
    reply.text = `${reply.text} ${text}`.trim();
    const { callId, send } = this.#options;
    send({ type: 'speak', callId, epoch: reply.epoch, index: reply.nextClause++, text, ...how });
  }
}

/** Null for what only a model can answer. */
function wordsWithoutModel(cause: ReplyCause, menu: Phrases['menu']): string | null {
  if (cause.kind === 'idle') return cause.last ? `${menu.hangingUp} ${menu.goodbye}` : menu.stillThere;
  if (cause.kind !== 'requested' || cause.request.kind !== 'note') return null;
  switch (cause.request.note.kind) {
    case 'transfer-failed':
      return menu.nobodyAnswers;
    case 'limit-near':
      return menu.timeIsShort;
    case 'handed-back':
      return menu.backAgain;
    default:
      return null;
  }
}
