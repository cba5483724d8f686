// The meaning of the words of a person who is asked to take a caller, in the languages of turn-taking.
import { consistsOf, normalizeSpeech, speechWords, startsWith } from '../../turn/spoken.ts';
import type { TurnWords } from '../../turn/words/turn-words.ts';

export interface PersonMeaning {
  kind: 'yes' | 'no' | 'question' | 'other';
  text: string;
  /** Of a no: what came after it, for the caller; else empty. */
  rest: string;
}

/** Fewer words after a no are no message. */
const MESSAGE_WORDS_MIN = 3;
/** A shorter sentence asks nothing that could be answered. */
const QUESTION_WORDS_MIN = 3;

/** `understood` false: the recogniser got nothing of it. */
export function meaningOf(text: string, understood: boolean, words: TurnWords): PersonMeaning {
  const said = speechWords(text);
  const meaning = (kind: PersonMeaning['kind'], rest = ''): PersonMeaning => ({ kind, text: text.trim(), rest });
  if (!understood || said.length === 0) return { kind: 'other', text: '', rest: '' };
  const answers = [words.affirmations, words.answerTails, words.fillers];
  if (startsWith(said, words.negations)) return meaning('no', restAfter(text, words));
  const isYes = startsWith(said, words.affirmations) && consistsOf(said, ...answers);
  // "Sí?" is how people pick up, where it is asked.
  if (isYes && !text.trim().endsWith('?')) return meaning('yes');
  if (consistsOf(said, words.salutations, words.fillers, words.affirmations)) return meaning('other');
  const asks = text.trim().endsWith('?') || startsWith(said, words.questionStarts);
  if (asks && said.length >= QUESTION_WORDS_MIN) return meaning('question');
  // "Yes, put them through": whoever begins with it and asks nothing takes the call.
  return startsWith(said, words.affirmations) ? meaning('yes') : meaning('other');
}

/** "No, tell them that I am in a meeting": what follows the words of refusal. */
function restAfter(text: string, { negations, answerTails }: TurnWords): string {
  const tokens = text.trim().split(/\s+/);
  let from = 0;
  while (from < tokens.length) {
    const next = lengthAt(tokens, from, [...negations, ...answerTails]);
    if (next === 0) break;
    from += next;
  }
  const rest = tokens.slice(from);
  return rest.length < MESSAGE_WORDS_MIN ? '' : rest.join(' ');
}

function lengthAt(tokens: readonly string[], from: number, phrases: readonly string[]): number {
  for (let length = Math.min(4, tokens.length - from); length > 0; length--) {
    if (phrases.includes(normalizeSpeech(tokens.slice(from, from + length).join(' ')))) return length;
  }
  return 0;
}

/** Phrases that persons say to the agent, for a recogniser that hears only the words of its vocabulary. */
export const PERSON_PHRASES: readonly string[] = [
  'yes put them through',
  'yes please',
  "yes I'll take it",
  'no thank you',
  'not now',
  'no not now',
  'what is it about',
  "what's it about",
  'what do they want',
  'who is calling',
  "who's calling please",
  'is it urgent',
  'tell them I will call back',
  'tell them I will call back later',
  'I will call back in ten minutes',
  'please call back later',
  'please call again tomorrow',
  'please call again tomorrow morning',
  'please call again this afternoon',
  'I am in a meeting',
  "I'm busy right now",
  'ask them to send an email',
  'please send an email',
  'please take a message',
];
