// A cursor over one header value that counts the characters it looks at. The count lets a test show, without a
// stopwatch, that parsing is linear in the message length. Text is latin1, one character a byte, so bytes leave as they
// arrived.

/** Counts the characters looked at by all scanners that share it. */
export interface Work {
  steps: number;
}

const IS_TOKEN_CODE: boolean[] = [];
for (let code = 0; code < 256; code++) {
  const char = String.fromCharCode(code);
  IS_TOKEN_CODE.push(/[A-Za-z0-9\-.!%*_+`'~]/.test(char));
}

/** RFC 3261 25.1 `token`. */
export function isToken(text: string): boolean {
  if (text === '') return false;
  for (let i = 0; i < text.length; i++) if (!IS_TOKEN_CODE[text.charCodeAt(i)]) return false;
  return true;
}

export function isDigits(text: string): boolean {
  if (text === '') return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

function isSpaceCode(code: number): boolean {
  return code === 32 || code === 9 || code === 13 || code === 10;
}

export class Scanner {
  readonly text: string;
  readonly work: Work;
  at = 0;

  constructor(text: string, work: Work) {
    this.text = text;
    this.work = work;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  peek(): string {
    return this.at < this.text.length ? (this.text[this.at] ?? '') : '';
  }

  skipSpace(): void {
    const from = this.at;
    while (this.at < this.text.length && isSpaceCode(this.text.charCodeAt(this.at))) this.at++;
    this.work.steps += this.at - from + 1;
  }

  /** Takes `char` with white space on both sides (RFC 3261 25.1 COLON, SEMI, EQUAL …). */
  take(char: string): boolean {
    this.skipSpace();
    if (this.peek() !== char) return false;
    this.at++;
    this.skipSpace();
    return true;
  }

  token(): string {
    const from = this.at;
    while (this.at < this.text.length && IS_TOKEN_CODE[this.text.charCodeAt(this.at)]) this.at++;
    this.work.steps += this.at - from + 1;
    return this.text.slice(from, this.at);
  }

  /** Everything up to the first of `stops`, or to the end. */
  until(stops: string): string {
    const from = this.at;
    while (this.at < this.text.length && !stops.includes(this.text[this.at] ?? '')) this.at++;
    this.work.steps += this.at - from + 1;
    return this.text.slice(from, this.at);
  }

  /** A quoted string, unescaped; null if the closing quote is missing (RFC 3261 25.1 quoted-string). */
  quoted(): string | null {
    if (this.peek() !== '"') return null;
    const from = this.at;
    this.at++;
    let value = '';
    let start = this.at;
    while (this.at < this.text.length) {
      const char = this.text[this.at];
      if (char === '"') {
        value += this.text.slice(start, this.at);
        this.at++;
        this.work.steps += this.at - from;
        return value;
      }
      if (char === '\\') {
        value += this.text.slice(start, this.at);
        start = this.at + 1;
        this.at += 2;
      } else this.at++;
    }
    this.work.steps += this.at - from;
    return null;
  }
}

/** Splits at top-level commas: those outside quotes and angle brackets (RFC 3261 7.3.1). */
export function splitList(text: string, work: Work, most = Number.POSITIVE_INFINITY): string[] {
  const parts: string[] = [];
  let from = 0;
  let quoted = false;
  let bracketed = false;
  for (let i = 0; i < text.length && parts.length < most; i++) {
    const char = text[i];
    if (quoted) {
      if (char === '\\') i++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '<') bracketed = true;
    else if (char === '>') bracketed = false;
    else if (char === ',' && !bracketed) {
      parts.push(text.slice(from, i).trim());
      from = i + 1;
    }
  }
  work.steps += text.length + 1;
  if (parts.length < most) parts.push(text.slice(from).trim());
  return parts;
}
