// The words to a person: who calls and why, by a model where it is quick enough, and else by rules.
import type { Logger } from 'pino';
import type { TransferDestination } from '../../../db/domain/numbers/transfer-destinations.ts';
import { messageOf } from '../../../db/domain/unexpected.ts';
import type { DialogueModel } from '../../../models/llm/llm.ts';
import { phrasesFor } from '../../../models/llm/phrases/languages.ts';
import type { Clock } from '../../clock.ts';
import { answerByRules, answerPrompt, type Caller, spokenText, whoText, whyByRules, whyPrompt } from './briefing.ts';
import type { PersonEffect } from './person-machine.ts';

/** A person who has answered waits so long for a model's words; then rules tell them. */
const BRIEFING_MS = 2_500;
const ANSWER_MS = 5_000;

interface Deps {
  dialogue: DialogueModel;
  clock: Clock;
}

export class PersonTexts {
  readonly #deps: Deps;
  readonly #caller: () => Caller;
  readonly #log: Logger;
  /** Why the caller calls: the model writes while it rings. */
  #why: Promise<string | null> | null = null;

  constructor(deps: Deps, caller: () => Caller, log: Logger) {
    this.#deps = deps;
    this.#caller = caller;
    this.#log = log;
  }

  /** Once; it may have been begun by now. */
  begin(): void {
    this.#why ??= this.#ask((caller) => whyPrompt(caller));
  }

  async of(
    { mode, accept }: TransferDestination,
    say: Extract<PersonEffect, { type: 'say' | 'say-answer' }>,
  ): Promise<string> {
    const caller = this.#caller();
    const { handover, call } = phrasesFor(caller.language);
    const question = accept === 'none' ? '' : accept === 'key' ? handover.askKey : handover.askWord;
    const joined = (...parts: Array<string | null>): string => parts.filter((part) => part).join(' ');
    // The known facts are better than nothing: "what is it about" shares no word with any caller.
    if (say.type === 'say-answer') return joined(say.text ?? joined(handover.notSaid, whyByRules(caller)), question);
    switch (say.what) {
      case 'opening': {
        if (mode === 'brief') this.begin();
        const why =
          mode === 'brief' ? ((await within(this.#deps.clock, BRIEFING_MS, this.#why)) ?? whyByRules(caller)) : '';
        return joined(whoText(caller), why, question === '' ? null : question);
      }
      case 'question':
        return question === '' ? call.oneMoment : question;
      case 'ask-message':
        return handover.askMessage;
      case 'say-again':
        return call.sayAgain;
      case 'noted':
        return handover.noted;
    }
  }

  async answer(question: string): Promise<string | null> {
    const byModel = this.#ask((caller) => answerPrompt(caller, question));
    return (await within(this.#deps.clock, ANSWER_MS, byModel)) ?? answerByRules(this.#caller(), question);
  }

  async #ask(
    prompt: (caller: Caller) => Parameters<NonNullable<Deps['dialogue']['complete']>>[0],
  ): Promise<string | null> {
    const { dialogue } = this.#deps;
    if (dialogue.complete === null) return null;
    const late = new AbortController();
    const cancel = this.#deps.clock.after(2 * ANSWER_MS, () => late.abort());
    try {
      return spokenText(await dialogue.complete(prompt(this.#caller()), late.signal));
    } catch (error) {
      this.#log.warn({ error: messageOf(error) }, 'the model has no words for a person');
      return null;
    } finally {
      cancel();
    }
  }
}

/** Null if it takes longer. */
function within<T>(clock: Clock, ms: number, wanted: Promise<T | null> | null): Promise<T | null> {
  if (wanted === null) return Promise.resolve(null);
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(null));
    void wanted.then((value) => {
      cancel();
      resolve(value);
    });
  });
}
