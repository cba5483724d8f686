// Words that the built-in voice reads wrongly: its dictionary is of the nineties (words.txt has what today's has
// otherwise: "takeaways", "barista"), and of two readings it knows the one that businesses do not mean ("we close at
// five" as in "close by", a meter's "reading" as the town). Sounds are ARPAbet as flite takes them.
import { nameOfLetter } from './letter-names.ts';
import { soundsTable } from './sounds-table.ts';

const soundsOfWord = soundsTable(new URL('./words.txt', import.meta.url));

/** Of the days of the week "Thursday" alone, taken for "first": with this end "Tuesday" is taken for "today". */
const SOUNDS: Readonly<Record<string, string>> = {
  callback: 'k ao1 l b ae0 k',
  ebook: 'iy1 b uh0 k',
  eest: 'eh1 s t',
  gnocchi: 'n y ow1 k iy0',
  jalapeno: 'hh aa0 l ax0 p ey1 n y ow0',
  latte: 'l aa1 t ey0',
  lead: 'l iy1 d',
  livestream: 'l ay1 v s t r iy0 m',
  login: 'l ao1 g ih0 n',
  pilates: 'p ax0 l aa1 t iy0 z',
  plumber: 'p l ah1 m er0',
  plumbing: 'p l ah1 m ih0 ng',
  reading: 'r iy1 d ih0 ng',
  readings: 'r iy1 d ih0 ng z',
  rebook: 'r iy0 b uh1 k',
  refuse: 'r ih0 f y uw1 z',
  thursday: 'th er1 z d ey0',
  timezone: 't ay1 m z ow0 n',
  username: 'y uw1 z er0 n ey0 m',
  vegan: 'v iy1 g ax0 n',
};
/** East, in the names of French streets; the voice takes it for "estate". */
const EST = /(?<=\bRue (?:[\p{L}'’-]{1,30} ){1,5})Est\b/gu;
/** A verb, unless something stands close to another, or is very close. */
const CLOSES =
  /(?<!\b(?:so|too|very|quite|how|as|is|are|was|were|come|comes|get|gets|stay) )\bclose\b(?! (?:to|by|enough)\b)/i;
const WORD = /\p{L}+/gu;
/** The voice says "is" and "has" with the sound of "miss" there. */
const NOT = /(?<!\p{L})(i|ha)sn['’]t(?!\p{L})/giu;

/**
 * Capitals that people say letter by letter, and the voice as a word ("URL" as "earl"). Others it spells by itself
 * ("TV"), or they are words to people, too ("PIN").
 */
const INITIALS =
  /(?<![\p{L}\p{N}'’.&-])(AI|API|CEO|CFO|CTO|DIY|DOB|EFT|EIN|ER|ETA|EU|FAQ|ICU|ID|IMEI|IPO|IRS|ISP|LED|MRI|OTP|SKU|SUV|UPS|URL|USPS|UTI|VIN)(s?)(?![\p{L}\p{N}'’-])/gu;

/** Lines for `-add_lex`, one for each such word of the text; '' for none. */
export function wordsAsSaid(text: string): string {
  const lines = new Set<string>(CLOSES.test(text) ? ['close : k l ow1 z\n'] : []);
  for (const [written] of text.matchAll(WORD)) {
    const word = written.toLowerCase();
    const sounds = Object.hasOwn(SOUNDS, word) ? SOUNDS[word] : soundsOfWord(word);
    if (sounds !== undefined) lines.add(`${word} : ${sounds}\n`);
  }
  return [...lines].join('');
}

/**
 * Writes such initials as the names of their letters, of several ("IDs") with an s; "isn't" and the French "Est" as
 * they sound.
 */
export const asHeard = (text: string): string =>
  text
    .replace(INITIALS, (_, letters: string, s: string) => [...letters].map(nameOfLetter).join(' ') + s)
    .replace(EST, 'eest')
    .replace(NOT, '$1zzent');
