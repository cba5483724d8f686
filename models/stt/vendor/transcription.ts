// One request to `POST {base}/audio/transcriptions`, and what of its answer is believed.
import { messageOf, recordOf } from '../../../db/domain/unexpected.ts';
import { ask, httpUrl, lateOrAborted, type Vendor, VendorError } from '../../vendors/vendor.ts';
import type { SttResult, SttVocabulary } from '../stt.ts';
import { beforeEcho, believable, type Evidence, isEcho, wordCount } from '../unsaid/unsaid.ts';
import { languageCode } from './language-code.ts';

/** Longest prompt of expected names. Whisper reads 224 tokens of it. */
const MAX_PROMPT_CHARS = 600;

/** How an answer is asked for; a server that refuses the long form is asked for the short one from then on. */
export interface AnswerForm {
  isVerbose: boolean;
}

/** A WAV file and its length. */
interface Sound {
  wav: Buffer;
  ms: number;
}

interface Question {
  vendor: Vendor;
  sound: Sound;
  vocabulary: SttVocabulary;
  form: AnswerForm;
  signal: AbortSignal;
  /** How long each answer took, ms. */
  onAnswer(ms: number): void;
}

export async function transcribe(question: Question): Promise<SttResult> {
  const names = namesOf(question.vocabulary);
  const answer = await answerTo(question, promptOf(names));
  // A model that hears nothing may write the names that it was told. Without them it tells what it hears.
  const text = textOf(answer);
  if (isEcho(text, names)) return resultOf(await answerTo(question, ''), question);
  const before = beforeEcho(text, names);
  if (before === null) return resultOf(answer, question);
  // Without them the same sound has fewer words, or the caller named them.
  const without = textOf(await answerTo(question, ''));
  return resultOf(isNearer(wordCount(without), before, text) ? { ...answer, text: before } : answer, question);
}

/** Whether `words` is nearer to the words of `before` than to those of all the text. */
function isNearer(words: number, before: string, text: string): boolean {
  return words - wordCount(before) < wordCount(text) - words;
}

async function answerTo(question: Question, prompt: string): Promise<Record<string, unknown>> {
  const { form } = question;
  if (!form.isVerbose) return answerAs('json', question, prompt);
  try {
    return await answerAs('verbose_json', question, prompt);
  } catch (error) {
    if (!(error instanceof VendorError) || error.fault !== 'refused') throw error;
    form.isVerbose = false;
    return answerAs('json', question, prompt);
  }
}

async function answerAs(
  responseFormat: 'json' | 'verbose_json',
  { vendor, sound, vocabulary, signal, onAnswer }: Question,
  prompt: string,
): Promise<Record<string, unknown>> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(sound.wav)], { type: 'audio/wav' }), 'speech.wav');
  form.set('model', vendor.model);
  form.set('response_format', responseFormat);
  // With several languages the server detects the spoken one.
  if (!isMixed(vocabulary)) form.set('language', vocabulary.language.split('-')[0] ?? 'en');
  if (prompt) form.set('prompt', prompt);
  const sentAtMs = performance.now();
  const answer = await ask(vendor, httpUrl(vendor, '/audio/transcriptions'), {
    method: 'POST',
    body: form,
    headers: vendor.apiKey === null ? {} : { authorization: `Bearer ${vendor.apiKey}` },
    signal,
  });
  let parsed: unknown;
  try {
    parsed = await answer.json();
  } catch (error) {
    if (signal.aborted) throw lateOrAborted(vendor, signal);
    throw new VendorError(
      'garbled',
      `${vendor.name} answered something else than JSON (${messageOf(error).slice(0, 60)})`,
    );
  }
  if (typeof parsed === 'object' && parsed !== null && 'text' in parsed && typeof parsed.text === 'string') {
    onAnswer(performance.now() - sentAtMs);
    return recordOf(parsed);
  }
  throw new VendorError('garbled', `${vendor.name} answered JSON without a text`);
}

const isMixed = ({ additionalLanguages = [] }: SttVocabulary): boolean => additionalLanguages.length > 0;

const textOf = ({ text }: Record<string, unknown>): string => String(text).trim();

/** Of a long answer also the language, and how sure the model was of its words. */
function resultOf(answer: Record<string, unknown>, { sound, vocabulary }: Question): SttResult {
  const evidence = evidenceOf(answer, sound.ms);
  const text = textOf(answer);
  const heard = isMixed(vocabulary) ? languageCode(answer.language) : undefined;
  const told = { text, understood: text !== '', ...(heard === undefined ? {} : { language: heard }) };
  const confidence = text === '' ? 0 : Math.min(1, Math.exp(evidence.logProbability ?? 0));
  return believable({ ...told, confidence }, evidence);
}

/** The means over an answer's segments. */
function evidenceOf({ segments }: Record<string, unknown>, soundMs: number): Evidence {
  const all = (Array.isArray(segments) ? segments : []).map(recordOf);
  const noSpeech = meanOf(all.map(({ no_speech_prob }) => no_speech_prob));
  const logProbability = meanOf(all.map(({ avg_logprob }) => avg_logprob));
  return {
    soundMs,
    ...(noSpeech === null ? {} : { noSpeech }),
    ...(logProbability === null ? {} : { logProbability }),
  };
}

function meanOf(values: readonly unknown[]): number | null {
  const numbers = values.filter((value) => typeof value === 'number');
  return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}

/** Names that a general recogniser would misspell; the business first. */
const namesOf = ({ businessName, services, keywords = [] }: SttVocabulary): string[] => [
  businessName,
  ...services,
  ...keywords,
];

const promptOf = (names: readonly string[]): string => names.filter(Boolean).join(', ').slice(0, MAX_PROMPT_CHARS);
