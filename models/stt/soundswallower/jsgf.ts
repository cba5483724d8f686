// Reads the part of JSGF in which our grammars are written: words, <rules>, (groups), [options], weighted alternatives,
// and a + after a rule. Weights are read as soundswallower reads them (its src/jsgf.c): those of a rule's
// alternatives are normalised to 1, an alternative without one counts 1, and an option is the alternative "nothing".

/** A share of 1 that this alternative has among its rule's others. */
export interface Alternative {
  share: number;
  parts: readonly Part[];
}

export type Part =
  | { type: 'word'; word: string }
  | { type: 'rule'; name: string }
  | { type: 'choice'; alternatives: readonly Alternative[] }
  | { type: 'repeat'; part: Part };

export interface ParsedGrammar {
  rules: ReadonlyMap<string, readonly Alternative[]>;
  /** The name of the public rule. */
  start: string;
}

const RULE = /^(public )?<(\w+)> = (.*);$/;
const TOKENS = /<NULL>|<\w+>|\/[\d.e-]+\/|[()[\]|+]|[^\s()[\]|+;/<>]+/g;

/** @throws SyntaxError where the text is none of ours */
export function parseJsgf(jsgf: string): ParsedGrammar {
  const rules = new Map<string, readonly Alternative[]>();
  let start: string | null = null;
  for (const line of jsgf.split('\n')) {
    const [, isPublic, name, body] = RULE.exec(line) ?? [];
    if (name === undefined || body === undefined) continue;
    if (isPublic !== undefined) start = name;
    rules.set(name, new Reader(body.match(TOKENS) ?? []).whole());
  }
  if (start === null) throw new SyntaxError('a grammar without a public rule');
  return { rules, start };
}

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  whole(): Alternative[] {
    const alternatives = this.#alternatives();
    if (this.#at < this.#tokens.length) throw new SyntaxError(`unexpected ${this.#tokens[this.#at]}`);
    return alternatives;
  }

  #alternatives(isOption = false): Alternative[] {
    const found = isOption ? [{ share: 1, parts: [] as Part[] }] : [];
    do found.push(this.#alternative());
    while (this.#takes('|'));
    const sum = found.reduce((total, { share }) => total + share, 0);
    return found.map(({ share, parts }) => ({ share: share / sum, parts }));
  }

  #alternative(): { share: number; parts: Part[] } {
    let share = 1;
    const weight = /^\/(.+)\/$/.exec(this.#tokens[this.#at] ?? '');
    if (weight) {
      share = Number(weight[1]);
      this.#at++;
    }
    const parts: Part[] = [];
    for (let token = this.#tokens[this.#at]; token !== undefined && !'|)]'.includes(token); ) {
      this.#at++;
      if (token !== '<NULL>') {
        const part = this.#part(token);
        parts.push(this.#takes('+') ? { type: 'repeat', part } : part);
      }
      token = this.#tokens[this.#at];
    }
    return { share, parts };
  }

  #part(token: string): Part {
    if (token === '(' || token === '[') {
      const alternatives = this.#alternatives(token === '[');
      if (!this.#takes(token === '(' ? ')' : ']')) throw new SyntaxError(`${token} is not closed`);
      return { type: 'choice', alternatives };
    }
    return token.startsWith('<') ? { type: 'rule', name: token.slice(1, -1) } : { type: 'word', word: token };
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }
}
