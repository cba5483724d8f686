// Keeps of a model's reading what the pages say: a value whose words and figures stand close together on one of them.
// A model that adds an hour, a price or an answer of its own adds nothing.
import { cited, type Extracted, type Facts, type Said, type SaidFacts } from './facts.ts';
import type { SitePage } from './read-site.ts';
import { DAY_WORDS, plain } from './words.ts';

/** Lines that may say one fact together: "Monday", "9:00", "17:00" in cells of their own. */
const LINES_TOGETHER = 4;
/** Share of an answer's words: it may leave some out. */
const ANSWER_WORDS = 0.85;

/** Longer ones are nothing to say on a telephone, and take long to look for on a page made to be slow. */
const TEXT_MAX = 600;

interface Line {
  line: string;
  words: Set<string>;
  digits: string;
}

const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];
const digitsOf = (text: string): string => text.replace(/\D/g, '');

export function grounded(read: Extracted, pages: readonly SitePage[]): Facts {
  const facts: Facts = {};
  for (const { text, url } of pages) {
    const lines = text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line): Line => ({ line, words: new Set(wordsOf(line)), digits: digitsOf(line) }));
    const here = cited(saidIn(read, lines), url, 'model');
    for (const [field, fact] of Object.entries(here)) if (!(field in facts)) Object.assign(facts, { [field]: fact });
  }
  return facts;
}

function saidIn(read: Extracted, lines: readonly Line[]): SaidFacts {
  const { name, description, address, phone, email, hours = [], services = [], faqs = [] } = read;
  const words = (value: string | undefined, share = 1) => {
    if (value === undefined || value.length > TEXT_MAX) return null;
    const said = windowOfWords(lines, value, share);
    return said === null ? null : { value, said };
  };
  // The country's code is not written everywhere.
  const local = digitsOf(phone ?? '').slice(-6);
  const phoneSaid =
    phone === undefined ? null : window(lines, (together) => together.some((l) => l.digits.includes(local)));
  const texts = {
    name: words(name),
    description: words(description, ANSWER_WORDS),
    address: words(address),
    email: words(email),
  };
  return {
    ...(Object.fromEntries(Object.entries(texts).filter(([, said]) => said !== null)) as SaidFacts),
    ...(phone !== undefined && phoneSaid !== null && { phone: { value: phone, said: phoneSaid } }),
    hours: kept(hours, ({ open, close }) =>
      window(
        lines,
        (together) =>
          together.some(saysDay) && [open, close].every((time) => together.some((line) => saysTime(line, time))),
      ),
    ),
    services: kept(services, ({ name, price }) =>
      windowOfWords(lines, `${name} ${price === null ? '' : Math.trunc(price)}`),
    ),
    faqs: kept(
      faqs.filter(({ answer }) => answer.length <= TEXT_MAX),
      ({ answer }) => windowOfWords(lines, answer, ANSWER_WORDS),
    ),
  };
}

const kept = <T>(items: readonly T[], saidOf: (item: T) => string | null): Array<Said<T>> =>
  items.flatMap((value) => {
    const said = saidOf(value);
    return said === null ? [] : [{ value, said }];
  });

/** The fewest lines in a row for which `says` holds, as one text. */
function window(lines: readonly Line[], says: (together: readonly Line[]) => boolean): string | null {
  for (let count = 1; count <= LINES_TOGETHER; count++)
    for (let at = 0; at + count <= lines.length; at++) {
      const together = lines.slice(at, at + count);
      if (says(together)) return together.map(({ line }) => line.trim()).join(' ');
    }
  return null;
}

/** The fewest lines in a row that have this share of the words between them. */
function windowOfWords(lines: readonly Line[], text: string, share = 1): string | null {
  const wanted = [...new Set(wordsOf(text))];
  if (wanted.length === 0) return null;
  const hits = new Map(lines.map((line) => [line, wanted.filter((word) => line.words.has(word)).length]));
  const needed = wanted.length * share;
  return window(lines, (together) => {
    // Most lines are out by their numbers alone.
    if (together.reduce((sum, line) => sum + (hits.get(line) ?? 0), 0) < needed) return false;
    return wanted.filter((word) => together.some(({ words }) => words.has(word))).length >= needed;
  });
}

/** "17:00" stands there as 17, as 5 or as midnight's 24; minutes as they are. */
function saysTime({ words }: Line, time: string): boolean {
  const hour = Number(time.slice(0, 2));
  const minutes = time.slice(3);
  return [hour, hour % 12 === 0 ? 12 : hour % 12, ...(hour === 0 ? [24] : [])].some((each) => {
    const shortly = words.has(`${each}h${minutes}`) || (minutes === '00' && words.has(`${each}h`));
    const apart = words.has(String(each)) || words.has(String(each).padStart(2, '0'));
    return shortly || (apart && (minutes === '00' || words.has(minutes)));
  });
}

const saysDay = ({ words }: Line): boolean => [...words].some((word) => DAY_WORDS.has(word));
