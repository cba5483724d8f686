// The receptionist's part in a change of the call's language: it hears the wish, and has the first words after it.
import { phrasesFor } from '../phrases/languages.ts';
import { type Context, call, hasTool, type ReceptionistReply, say } from './context.ts';
import { languageWish } from './language-wish.ts';

/** The call of the tool where the words ask for another language of the agent; null: they do not. */
export function askedLanguage(context: Context, text: string): ReceptionistReply | null {
  const { language, languages = [] } = context.request;
  if (!hasTool(context, 'switch_language')) return null;
  const wanted = languageWish(text, languages);
  return wanted === null || wanted === language ? null : call(context, '', 'switch_language', { language: wanted });
}

/** The caller may have been in the middle of something: what is known of it stays. */
export function languageChanged(context: Context): ReceptionistReply {
  return say(context, phrasesFor(context.request.language).call.languageChanged, 'nothing');
}

export function languageKept(context: Context): ReceptionistReply {
  return say(context, phrasesFor(context.request.language).call.languageKept, context.memory.pending);
}
