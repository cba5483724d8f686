// Builds the JSGF grammar of a caller's possible phrases from the business and the dialogue's expectation. Decoding
// cost grows with the grammar (0.10 of a core at 100 two-part phrases, 0.68 at 1,000), so phrases share slots, and the
// large slots (dates, digits, letters, names) are included only when the dialogue asks for them.
import { speakable } from '../../tts/text/speakable.ts';
import type { Expectation, SttVocabulary } from '../stt.ts';
import { type Automaton, automatonOf } from './automaton.ts';
import { otherSpeechRules } from './other-speech.ts';
import { COMMON_RULES, EXPECTED_RULES, FIRST_NAMES, LAST_NAMES, QUESTION_RULES } from './phrases.ts';

/** A grammar as decoders take it. */
export interface DecodedWords {
  /** Equal keys mean equal grammars: a decoder that holds the grammar need not be set again. */
  key: string;
  /** Made once, at the first call. */
  automaton(): Automaton;
  /** All words of the grammar, lower case. */
  words: readonly string[];
}

export interface Grammar extends DecodedWords {
  jsgf: string;
}

/** Bounds on the phrases of one business. */
const MAX_SERVICES = 40;
const MAX_QUESTIONS = 40;
const MAX_PHRASES = 60;
const MAX_PHRASE_WORDS = 16;
/** Each phone of a word costs states of its own; the longest spoken word of the dictionary has 20 characters. */
const MAX_WORD_CHARS = 20;
/**
 * Different words of all the phrases of a business. A hundred English FAQs have about 250. Without this bound, words
 * made up to be expensive would slow down every tenant's decoders.
 */
const MAX_DISTINCT_WORDS = 400;

/** The spoken words of a written phrase: lower case, numbers in words, no punctuation. */
function spokenWords(text: string): string[] {
  return speakable(text)
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/\b([ap])\.m\./g, '$1 m')
    .replace(/[^a-z' ]+/g, ' ')
    .split(/\s+/)
    .map((word) => word.replace(/^'+|(?<!')'+$/g, ''))
    .filter((word) => word.length > 0);
}

/**
 * The grammar for one dialogue state.
 * @param canSay whether a word can be pronounced. Phrases with other words are left out, as are the phrases beyond the
 * business's share of words: services count first, then questions.
 */
export function buildGrammar(
  vocabulary: SttVocabulary,
  expects: Expectation,
  canSay: (word: string) => boolean,
): Grammar {
  const taken = new Set<string>();
  const phrase = (text: string): string | null => {
    const words = spokenWords(text).slice(0, MAX_PHRASE_WORDS);
    const fresh = new Set(words.filter((word) => !taken.has(word)));
    const fits = taken.size + fresh.size <= MAX_DISTINCT_WORDS && words.every((word) => word.length <= MAX_WORD_CHARS);
    if (words.length === 0 || !fits || !words.every(canSay)) return null;
    for (const word of fresh) taken.add(word);
    return words.join(' ');
  };
  const phrases = (texts: readonly string[], max: number) => [
    ...new Set(texts.slice(0, max).flatMap((text) => phrase(text) ?? [])),
  ];
  const business = phrases([vocabulary.businessName], 1);
  const services = [...new Set(phrases(vocabulary.services, MAX_SERVICES).flatMap(serviceNames))];
  const questions = [...new Set(phrases(vocabulary.questions, MAX_QUESTIONS).flatMap(questionForms))];
  const further = phrases(vocabulary.phrases, MAX_PHRASES);
  const slots: Record<string, string[]> = {
    business,
    service: services,
    aservice: services.map((name) => `${BEGINS_WITH_VOWEL.test(name) ? '(a | an)' : 'a'} ${name}`),
    question: questions,
    further,
    firstname: FIRST_NAMES.filter(canSay),
    lastname: LAST_NAMES.filter(canSay),
  };
  const expected = EXPECTED_RULES[expects];
  const rules = resolve({ ...COMMON_RULES, ...QUESTION_RULES, ...expected.rules, known: expected.top }, slots, 'known');
  const jsgf = [
    '#JSGF V1.0;',
    'grammar caller;',
    ...[...rules].map(([name, body]) => `<${name}> = ${body};`),
    ...otherSpeechRules(expects),
  ].join('\n');
  const words = [...new Set(jsgf.split('\n').slice(2).flatMap(wordsOfRule))];
  let automaton: Automaton | null = null;
  return {
    key: jsgf,
    jsgf,
    words,
    automaton: () => {
      automaton ??= automatonOf(jsgf);
      return automaton;
    },
  };
}

/**
 * The rules that `start` reaches, with their slots filled in. An alternative with an empty slot is dropped, because the
 * decoder accepts no empty rule.
 */
function resolve(
  source: Record<string, readonly string[]>,
  slots: Record<string, string[]>,
  start: string,
): Map<string, string> {
  const done = new Map<string, string>();
  const empty = new Set<string>();
  const visit = (name: string): void => {
    if (done.has(name) || empty.has(name)) return;
    const bodies = slots[name] ?? source[name];
    if (!bodies) throw new Error(`the grammar has no rule <${name}>`);
    const usable = bodies.filter((body) => {
      const names = [...body.matchAll(/<([a-z]\w*)>/g)].map((match) => match[1] ?? '');
      for (const inner of names) visit(inner);
      return names.every((inner) => !empty.has(inner));
    });
    if (usable.length === 0) empty.add(name);
    else done.set(name, usable.join(' | '));
  };
  visit(start);
  if (!done.has(start)) throw new Error('the grammar is empty');
  return done;
}

/** Written or spoken so: the decoder would hear "an teeth whitening". Both articles are said before these. */
const BEGINS_WITH_VOWEL = /^(?:[aeioux]|hour|hono|heir)/;

/** A service's name, and the last two words of a long one. Plurals would only be confused with the name. */
function serviceNames(name: string): string[] {
  const words = name.split(' ');
  return words.length > 2 ? [name, words.slice(-2).join(' ')] : [name];
}

/** A FAQ as written, and its topic alone: "is there parking", "parking". */
function questionForms(question: string): string[] {
  const bare = question.replace(/^(?:can you tell me|could you tell me|please tell me) /, '');
  const topic = bare.match(
    /^(?:do you (?:have|offer|accept|take|provide)|is there|are there|can i (?:get|pay with)) (?:any |a |an )?(.+)$/,
  );
  return topic?.[1] && topic[1].split(' ').length <= 4
    ? [bare, `do you have ${topic[1]}`, `is there ${topic[1]}`]
    : [bare];
}

function wordsOfRule(line: string): string[] {
  return line
    .replace(/^[^=]*=/, '')
    .replace(/<\w+>|\/[\d.]+\//g, ' ')
    .replace(/[()[\]|;*+]/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
}
