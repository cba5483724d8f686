// The summary that rules make of a call's end, in the reader's language. The rules write English, sentence by sentence;
// one that a language model has written is shown as it is.
import type { Call } from '../api-types.ts';
import { t, words } from '../words/words.ts';
import { outcomeWords } from './words.ts';

const TAGS: Readonly<Record<string, string>> = {
  hours: words('opening hours'),
  pricing: words('prices'),
  appointment: words('an appointment'),
  location: words('the way to you'),
  complaint: words('a complaint'),
  'appointment-booked': words('appointment booked'),
  'appointment-moved': words('appointment moved'),
  'appointment-cancelled': words('appointment cancelled'),
  'appointment-confirmed': words('appointment confirmed'),
  'callback-scheduled': words('call back scheduled'),
  'callback-requested': words('call back wanted'),
  transferred: words('put through'),
  'opted-out': words('no more calls wanted'),
  agent_failed: words('the agent failed'),
};

export const tagWords = (tag: string): string => (TAGS[tag] === undefined ? tag : t(TAGS[tag]));

const SENTENCES: Readonly<Record<string, string>> = {
  'A machine answered; a message was left.': words('A machine answered; a message was left.'),
  'A machine answered.': words('A machine answered.'),
  'The caller said nothing.': words('The caller said nothing.'),
  'The caller spoke once.': words('The caller spoke once.'),
  'The agent failed, and the caller was left without an answer.': words(
    'The agent failed, and the caller was left without an answer.',
  ),
  'The caller was transferred to a person.': words('The caller was put through to a person.'),
  'The caller asked to be called back.': words('The caller asked to be called back.'),
  'The person asked not to be called again.': words('The person asked not to be called again.'),
  'The call was cut off by a fault of the service.': words('The call was cut off by a fault of the service.'),
};

/** With a place, by what the place is called in the words. */
const WITH: ReadonlyArray<[pattern: RegExp, said: (part: string, more: string) => string]> = [
  [/^Inbound call of ([^.]+)\.$/, (duration) => t('Inbound call of {duration}.', { duration })],
  [/^Outbound call of ([^.]+)\.$/, (duration) => t('Outbound call of {duration}.', { duration })],
  [
    /^Topics: ([^.]+)\.$/,
    (tags) => t('It was about: {topics}.', { topics: tags.split(', ').map(tagWords).join(', ') }),
  ],
  [/^The caller spoke (\d+) times\.$/, (count) => t('The caller spoke {count} times.', { count })],
  [/^Booked ([^.]+) for ([^.]+)\.$/, (service, time) => t('Booked: {service}, {time}.', { service, time })],
  [
    /^The call was not answered \(([^)]+)\)\.$/,
    (outcome) => t('The call was not answered: {outcome}.', { outcome: outcomeWords(outcome.replaceAll(' ', '_')) }),
  ],
];

function said(sentence: string): string | null {
  const known = SENTENCES[sentence];
  if (known !== undefined) return t(known);
  for (const [pattern, say] of WITH) {
    const found = pattern.exec(sentence);
    if (found !== null) return say(found[1] ?? '', found[2] ?? '');
  }
  return null;
}

export function summaryWords({ summary }: Pick<Call, 'summary'>): string | null {
  if (summary === null) return null;
  const sentences = summary.split('. ').map((part, index, all) => (index < all.length - 1 ? `${part}.` : part));
  const translated = sentences.map(said);
  return translated.includes(null) ? summary : translated.join(' ');
}
