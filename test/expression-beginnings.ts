// The texts that lead into the repetitions of a regular expression: of `^(l|length)[ ]*:[ ]*(.*?)[ ]*$` are "l", "l:"
// and "l:a" such. A text of one character repeated reaches only the first repetition; behind each of these beginnings
// it reaches the others.

/** An expression as far as it matters here: characters that fit its atoms, in an order in which they match. */
type Part =
  | { type: 'text'; text: string }
  | { type: 'one-of'; options: Part[] }
  | { type: 'row'; parts: Part[] }
  | { type: 'repeated'; part: Part; least: number; most: number };

const NOTHING: Part = { type: 'text', text: '' };
/** Tried in this order for a class: a letter first, since a blank or a mark often belongs to the repetition before. */
const CANDIDATES = [...'a1 .-_A:/@#<{([,;"\'=+%&?!|*$^~`>)]}\\é€漢\t\n\r\u0001'];
const GROUP_HEAD = /^\((?:\?(?::|<?[=!]|<\w+>))?/;
const ATOM = /^(?:\[(?:\\.|[^\]\\])*\]|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\[pP]\{[^}]*\}|\\k<\w+>|\\.|.|\n)/i;
const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/;
/** Enough of a repetition to make a long text of it. */
const LONG = 64;

class Reader {
  #rest: string;
  readonly #flags: string;

  constructor(pattern: string, flags: string) {
    this.#rest = pattern;
    this.#flags = flags.replace(/[gy]/g, '');
  }

  choice(): Part {
    const options: Part[] = [];
    do options.push(this.#row());
    while (this.#skip('|'));
    return options.length === 1 ? (options[0] ?? NOTHING) : { type: 'one-of', options };
  }

  #row(): Part {
    const parts: Part[] = [];
    while (this.#rest !== '' && !/^[|)]/.test(this.#rest)) parts.push(this.#quantified(this.#item()));
    return { type: 'row', parts };
  }

  #item(): Part {
    const group = GROUP_HEAD.exec(this.#rest)?.[0];
    if (group === undefined) return this.#atom();
    this.#rest = this.#rest.slice(group.length);
    const inside = this.choice();
    this.#skip(')');
    // A look ahead or behind is no part of the text.
    return /[!]$|<[=!]$/.test(group) ? NOTHING : inside;
  }

  #atom(): Part {
    const atom = ATOM.exec(this.#rest)?.[0] ?? '';
    this.#rest = this.#rest.slice(atom.length);
    if (/^(?:[$^]|\\[bBk].*|\\[1-9])$/.test(atom)) return NOTHING;
    const fits = new RegExp(`^(?:${atom})$`, this.#flags);
    const literal = atom.length === 1 && atom !== '.' ? atom : null;
    return { type: 'text', text: literal ?? CANDIDATES.find((each) => fits.test(each)) ?? '' };
  }

  #quantified(part: Part): Part {
    const [all, sign, least, comma, most] = QUANTIFIER.exec(this.#rest) ?? [];
    if (all === undefined) return part;
    this.#rest = this.#rest.slice(all.length);
    if (sign !== undefined) {
      return { type: 'repeated', part, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Number.POSITIVE_INFINITY };
    }
    const upTo = comma === '' ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most);
    return { type: 'repeated', part, least: Number(least), most: upTo };
  }

  #skip(character: string): boolean {
    if (!this.#rest.startsWith(character)) return false;
    this.#rest = this.#rest.slice(character.length);
    return true;
  }
}

function sampleOf(part: Part): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'one-of') return sampleOf(part.options[0] ?? NOTHING);
  if (part.type === 'row') return part.parts.map(sampleOf).join('');
  return sampleOf(part.part).repeat(part.most === 1 ? part.least : Math.max(1, part.least));
}

function* beginningsIn(part: Part, before: string): Generator<string> {
  if (part.type === 'one-of') for (const option of part.options) yield* beginningsIn(option, before);
  if (part.type === 'row') {
    let soFar = before;
    for (const each of part.parts) {
      yield* beginningsIn(each, soFar);
      soFar += sampleOf(each);
    }
  }
  if (part.type === 'repeated') {
    if (part.most >= LONG) yield before;
    yield* beginningsIn(part.part, before);
  }
}

/** The texts that stand before each long repetition, as short as they can be; none twice. */
export function beginningsOf(pattern: string, flags: string): string[] {
  return [...new Set(beginningsIn(new Reader(pattern, flags).choice(), ''))];
}
