// The language of one call: the agent's own at first, and another of its languages once the caller asks for it, presses
// its key, or is heard to speak it. The recogniser changes first; only when it hears the new language do voice, phrases
// and model follow. Where recogniser or voice cannot be had, the call goes on as it was.
import type { Logger } from 'pino';
import type { LanguageCause } from '../../../db/domain/calls/languages.ts';
import type { LanguageChange } from '../../../db/domain/calls/timeline.ts';
import type { CallSetup } from '../../../db/rules/routing.ts';
import type { SttVocabulary } from '../../../models/stt/stt.ts';
import type { Clock } from '../../clock.ts';
import type { DialogueLanguages } from '../../dialogue/call-languages.ts';
import type { LanguageAnswer } from '../../dialogue/tools/tool.ts';
import type { OwnCommand, ShardEvent } from '../../shard/protocol.ts';
import { callVoice, conversationOf } from '../setup.ts';
import { type HeardLanguage, hearLanguage, NOTHING_HEARD } from './heard-language.ts';
import type { LanguageChoices, LanguagesState } from './language-choices.ts';

/** Longer than the recogniser's worker takes to say that it cannot, and shorter than a tool's deadline. */
const RECOGNISER_WITHIN_MS = 5_000;

interface CallLanguagesOptions {
  choices: LanguageChoices;
  /** The agent's own. */
  language: string;
  send(command: OwnCommand<'listen-in' | 'speak-in'>): void;
  /** Voice and recogniser are those of the new language. */
  onChanged(by: LanguageCause): void;
  /** Each try, also one in vain. */
  onTried(change: Omit<LanguageChange, 'atMs'>): void;
  clock: Clock;
  log: Logger;
}

export class CallLanguages implements DialogueLanguages {
  readonly #options: CallLanguagesOptions;
  readonly #choices: LanguageChoices;
  #state: LanguagesState;
  #heard: HeardLanguage = NOTHING_HEARD;
  #change = 0;
  /** The change whose answer did not come in time. */
  #missed: number | null = null;
  /** One change at a time; a second waits for the first. */
  #changing: Promise<unknown> = Promise.resolve();
  #answered: ((message: string | null) => void) | null = null;
  #isClosed = false;

  constructor(options: CallLanguagesOptions) {
    this.#options = options;
    this.#choices = options.choices;
    const { language } = options;
    this.#state = { spoken: language, isNamed: false, led: [language] };
  }

  get state(): LanguagesState {
    return this.#state;
  }

  /** Another process began the call. */
  goOn(state: LanguagesState | undefined): void {
    if (state !== undefined) this.#state = state;
  }

  /** BCP 47. */
  get spoken(): string {
    return this.#state.spoken;
  }

  /** In which the call was led so far, in order. */
  get led(): readonly string[] {
    return this.#state.led;
  }

  get mayChange(): boolean {
    return this.#choices.mayChange;
  }

  get offered(): readonly string[] {
    return this.#choices.offered;
  }

  byKey(digits: string): string | null {
    return this.mayChange ? this.#choices.byKey(digits) : null;
  }

  /** The call's settings as those of an agent who speaks its language. */
  get setup(): CallSetup {
    return this.#choices.setupIn(this.spoken);
  }

  switchTo(wanted: string, by: LanguageCause): Promise<LanguageAnswer> {
    const changed = this.#changing.then(() => this.#switch(wanted, by));
    this.#changing = changed.catch(() => undefined);
    return changed;
  }

  /** The recogniser tells which language an utterance was in. A language that was asked for by name stays. */
  heard(event: Extract<ShardEvent, { type: 'language-heard' }>): void {
    if (this.#state.isNamed || !this.mayChange) return;
    const [state, wanted] = hearLanguage(this.#heard, event, this.spoken, this.offered);
    this.#heard = state;
    if (wanted !== null) void this.switchTo(wanted, 'detected');
  }

  /** The shard's answer. */
  listens({ change, message }: Extract<ShardEvent, { type: 'listens-in' }>): void {
    if (change !== this.#change) return;
    if (this.#answered !== null) return this.#answered(message);
    // Nobody waits: it answers the way back, or came too late.
    if (change !== this.#missed || message !== null) return;
    // The call has gone on as it was, and so must the recogniser.
    this.#missed = null;
    this.#listen(this.#vocabularyOf(this.spoken, this.#state.isNamed));
  }

  close(): void {
    this.#isClosed = true;
    this.#answered?.('the call is over');
  }

  async #switch(wanted: string, by: LanguageCause): Promise<LanguageAnswer> {
    const choice = this.#choices.find(wanted);
    if (choice === undefined || !this.mayChange) return unknownLanguage(this.offered);
    const { language } = choice;
    const isNamed = by !== 'detected';
    if (language === this.spoken) {
      if (isNamed && !this.#state.isNamed) await this.#hearAlone(language);
      return { ok: true, language };
    }
    const tried = { from: this.spoken, to: language, by };
    if (this.#choices.voiceOf(choice) === null) return this.#kept(tried, 'no_voice', 'no voice speaks it');
    const message = await this.#ask(this.#vocabularyOf(language, isNamed));
    if (this.#isClosed) return { ok: false, error: 'over', message: 'The call is over.' };
    if (message !== null) return this.#kept(tried, 'no_recogniser', message);
    this.#state = { spoken: language, isNamed, led: [...this.#state.led, language] };
    const { send, onChanged, onTried, log } = this.#options;
    const { speechVoice = null } = conversationOf(this.setup);
    send({ type: 'speak-in', language, voice: callVoice(this.setup), speechVoice });
    log.info(tried, 'the language changed');
    onTried({ ...tried, outcome: 'changed' });
    onChanged(by);
    return { ok: true, language };
  }

  /** It is spoken already, and now it was asked for. */
  async #hearAlone(language: string): Promise<void> {
    const message = await this.#ask(this.#vocabularyOf(language, true));
    if (message === null) this.#state = { ...this.#state, isNamed: true };
  }

  #kept(
    tried: Pick<LanguageChange, 'from' | 'to' | 'by'>,
    error: 'no_voice' | 'no_recogniser',
    reason: string,
  ): LanguageAnswer {
    const { onTried, log } = this.#options;
    log.warn({ ...tried, error: reason }, 'the language could not be changed');
    onTried({ ...tried, outcome: error });
    const lacks = error === 'no_voice' ? 'No voice speaks it' : 'The recogniser cannot hear it';
    return { ok: false, error, message: `${lacks} now: go on in ${tried.from}, and say so.` };
  }

  /** @returns why the recogniser does not hear it; null: it does */
  async #ask(wanted: SttVocabulary): Promise<string | null> {
    if (this.#isClosed) return 'the call is over';
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const cancel = this.#options.clock.after(RECOGNISER_WITHIN_MS, () => {
      this.#missed = this.#change;
      resolve('the recogniser did not answer');
    });
    this.#answered = resolve;
    this.#listen(wanted);
    const message = await promise;
    cancel();
    this.#answered = null;
    return message;
  }

  #listen(wanted: SttVocabulary): void {
    this.#options.send({ type: 'listen-in', change: ++this.#change, vocabulary: wanted });
  }

  #vocabularyOf(language: string, isNamed: boolean): SttVocabulary {
    return this.#choices.vocabularyIn(language, isNamed);
  }
}

const unknownLanguage = (offered: readonly string[]): LanguageAnswer => ({
  ok: false,
  error: 'unknown_language',
  message: `There is no such language; there are ${offered.join(', ')}.`,
});
