// The languages that a call may be led in, and its settings as those of an agent who speaks one of them.
import { baseLanguage, isOfOneLanguage, type LanguageSettings } from '../../../db/domain/calls/languages.ts';
import type { CallSetup } from '../../../db/rules/routing.ts';
import { hasPhrases } from '../../../models/llm/phrases/languages.ts';
import { languageWishes } from '../../../models/llm/receptionist/language-wish.ts';
import type { SttVocabulary } from '../../../models/stt/stt.ts';
import type { Voice } from '../../../models/tts/tts.ts';
import { conversationOf, vocabulary } from '../setup.ts';

/** The state from which another process goes on in the same language. */
export interface LanguagesState {
  /** BCP 47. */
  spoken: string;
  /** It was asked for by name, so the recogniser hears it alone. */
  isNamed: boolean;
  /** In which the call was led, in order. */
  led: string[];
}

interface LanguageChoice {
  language: string;
  settings: LanguageSettings | null;
}

export class LanguageChoices {
  readonly #setup: CallSetup;
  readonly #voices: () => readonly Voice[];
  /** The agent's own language first. */
  readonly #all: readonly LanguageChoice[];

  /** `voices`: as they can be had now; empty: not known. */
  constructor(setup: CallSetup, voices: () => readonly Voice[]) {
    this.#setup = setup;
    this.#voices = voices;
    this.#all = choicesOf(setup);
  }

  get mayChange(): boolean {
    return this.#all.length > 1;
  }

  /** BCP 47; empty where there is one only. */
  get offered(): readonly string[] {
    return this.mayChange ? this.#all.map(({ language }) => language) : [];
  }

  find(language: string): LanguageChoice | undefined {
    return this.#all.find((each) => baseLanguage(each.language) === baseLanguage(language));
  }

  byKey(digits: string): string | null {
    const key = digits.replace(/#$/, '');
    return this.#all.find(({ settings }) => settings?.digit === key)?.language ?? null;
  }

  /** Null where no voice that can be had speaks the language. */
  voiceOf({ language, settings }: LanguageChoice): string | null {
    const { voiceId, language: own } = this.#setup.agent;
    if (language === own) return voiceId;
    const voices = this.#voices();
    const wanted = settings?.voiceId;
    if (wanted !== undefined && (voices.length === 0 || voices.some(({ id }) => id === wanted))) return wanted;
    const agents = voices.find(({ id }) => id === voiceId);
    const speaks = (voice: Voice): boolean => baseLanguage(voice.language) === baseLanguage(language);
    if (wanted === undefined && (agents === undefined || !isOfOneLanguage(agents) || speaks(agents))) return voiceId;
    const likeness = ({ gender }: Voice): number => (gender === agents?.gender ? 1 : 0);
    const nearest = voices.filter(speaks).sort((a, b) => likeness(b) - likeness(a))[0];
    return nearest?.id ?? null;
  }

  setupIn(language: string): CallSetup {
    const setup = this.#setup;
    const choice = this.find(language);
    if (choice === undefined) return setup;
    const { keywords = [], ...conversation } = conversationOf(setup);
    const { keywords: own = [], speechVoice } = choice.settings ?? {};
    const isMain = choice.language === setup.agent.language;
    if (isMain && own.length === 0 && speechVoice === undefined) return setup;
    const others = [setup.agent.language, ...additionalOf(setup)].filter((each) => each !== choice.language);
    const agent = {
      ...setup.agent,
      language: choice.language,
      primaryLanguage: baseLanguage(choice.language),
      additionalLanguages: JSON.stringify(others),
      voiceId: this.voiceOf(choice) ?? setup.agent.voiceId,
      conversation: JSON.stringify({
        ...conversation,
        keywords: [...keywords, ...own],
        ...(speechVoice && { speechVoice }),
      }),
    };
    return { ...setup, agent };
  }

  /** The languages and words that the recogniser is to hear. A language that was asked for by name it hears alone. */
  vocabularyIn(language: string, isNamed: boolean, hearsMachines = false): SttVocabulary {
    const setup = this.setupIn(language);
    const heard = vocabulary(setup, hearsMachines);
    if (!this.mayChange) return heard;
    return {
      ...heard,
      phrases: [...heard.phrases, ...languageWishes(this.offered, language)],
      additionalLanguages: isNamed ? [] : additionalOf(setup),
    };
  }
}

const additionalOf = ({ agent }: Pick<CallSetup, 'agent'>): string[] =>
  JSON.parse(agent.additionalLanguages) as string[];

/** The agent's own language, then each that has phrases; of two regions of a language the first. */
function choicesOf(setup: CallSetup): LanguageChoice[] {
  const settings = JSON.parse(setup.agent.languages) as LanguageSettings[];
  const choices: LanguageChoice[] = [];
  for (const language of [setup.agent.language, ...additionalOf(setup)]) {
    const isKnown = choices.some((each) => baseLanguage(each.language) === baseLanguage(language));
    if (isKnown || (choices.length > 0 && !hasPhrases(language))) continue;
    choices.push({ language, settings: settings.find((each) => each.language === language) ?? null });
  }
  return choices;
}
