// The structured headers of SIP: name-addr with parameters, Via, CSeq, generic parameter lists and challenges. Each
// reader returns null for text outside the grammar of RFC 3261 25.1; each writer's output is valid input of its reader.
import { isDigits, isToken, Scanner, type Work } from './scanner.ts';
import { isHost, parseUri, readPort, type Uri, writeUri } from './uri.ts';

interface Param {
  name: string;
  value: string | null;
}

export interface NameAddr {
  display: string | null;
  uri: Uri;
  params: Param[];
}

export interface Via {
  protocol: string;
  host: string;
  port: number | null;
  params: Param[];
}

export interface CSeq {
  number: number;
  method: string;
}

/** `scheme name=value, …` of WWW-Authenticate, Authorization and their Proxy- forms. */
interface AuthParams {
  scheme: string;
  params: Map<string, string>;
}

const UNCOUNTED: Work = { steps: 0 };

export function param(params: readonly Param[], name: string): string | null | undefined {
  return params.find((entry) => entry.name === name)?.value;
}

/** `;name[=value]…` up to the end of the text; null for anything else. */
function readParams(scanner: Scanner): Param[] | null {
  const params: Param[] = [];
  while (!scanner.done) {
    if (!scanner.take(';')) {
      scanner.skipSpace();
      return scanner.done ? params : null;
    }
    const name = scanner.token();
    if (name === '') return null;
    if (!scanner.take('=')) {
      params.push({ name: name.toLowerCase(), value: null });
      continue;
    }
    let value: string | null;
    if (scanner.peek() === '"') value = scanner.quoted();
    // gen-value = token / host / quoted-string; IPv6 hosts bring `[` and `:` (received=2001:db8::9:255).
    else value = scanner.until(';,"<> \t\r\n');
    if (value === null || value === '') return null;
    params.push({ name: name.toLowerCase(), value });
  }
  return params;
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, (char) => `\\${char}`)}"`;
}

function writeParams(params: readonly Param[]): string {
  return params
    .map(({ name, value }) => {
      if (value === null) return `;${name}`;
      return isToken(value) || isHost(value) || /^[0-9A-Fa-f:.]+$/.test(value)
        ? `;${name}=${value}`
        : `;${name}=${quote(value)}`;
    })
    .join('');
}

/** From, To, Contact (one value), Route, P-Asserted-Identity … (RFC 3261 20.10). */
export function parseNameAddr(text: string, work: Work = UNCOUNTED): NameAddr | null {
  const scanner = new Scanner(text, work);
  scanner.skipSpace();
  let display: string | null = null;
  if (scanner.peek() === '"') {
    display = scanner.quoted();
    if (display === null) return null;
    scanner.skipSpace();
    if (scanner.peek() !== '<') return null;
  } else if (text.includes('<')) {
    const words = scanner.until('<"').trim();
    if (scanner.peek() !== '<') return null;
    // display-name = *(token LWS); RFC 4475 3.1.2.15 has a malformed one.
    if (words !== '' && !words.split(/\s+/).every(isToken)) return null;
    display = words === '' ? null : words.replace(/\s+/g, ' ');
  }
  if (scanner.peek() === '<') {
    scanner.at++;
    const inside = scanner.until('>');
    if (scanner.peek() !== '>') return null;
    scanner.at++;
    const uri = parseUri(inside, work);
    const params = readParams(scanner);
    return uri === null || params === null ? null : { display, uri, params };
  }
  // addr-spec without brackets: parameters after `;` belong to the header, and `?` and `,` are not allowed (20.10).
  const bare = scanner.until(';?,').trim();
  if (scanner.peek() === '?' || scanner.peek() === ',') return null;
  const uri = parseUri(bare, work);
  const params = readParams(scanner);
  return uri === null || params === null ? null : { display, uri, params };
}

export function writeNameAddr({ display, uri, params }: NameAddr): string {
  const name = display === null ? '' : `${quote(display)} `;
  return `${name}<${writeUri(uri)}>${writeParams(params)}`;
}

/** The tag of a From or To value, or undefined. */
export function tagOf(address: NameAddr): string | undefined {
  return param(address.params, 'tag') ?? undefined;
}

/** One Via value (RFC 3261 20.42). */
export function parseVia(text: string, work: Work = UNCOUNTED): Via | null {
  const scanner = new Scanner(text, work);
  scanner.skipSpace();
  if (scanner.token().toUpperCase() !== 'SIP' || !scanner.take('/')) return null;
  if (scanner.token() !== '2.0' || !scanner.take('/')) return null;
  const protocol = scanner.token();
  const afterProtocol = scanner.at;
  scanner.skipSpace();
  if (protocol === '' || scanner.at === afterProtocol) return null;
  let host: string;
  if (scanner.peek() === '[') {
    host = `${scanner.until(']')}]`;
    scanner.at++;
  } else host = scanner.until(':; \t\r\n');
  if (!isHost(host)) return null;
  let port: number | null = null;
  if (scanner.take(':')) {
    port = readPort(scanner.until('; \t\r\n'));
    if (port === null) return null;
  }
  const params = readParams(scanner);
  return params === null ? null : { protocol: protocol.toUpperCase(), host: host.toLowerCase(), port, params };
}

export function writeVia({ protocol, host, port, params }: Via): string {
  return `SIP/2.0/${protocol} ${host}${port === null ? '' : `:${port}`}${writeParams(params)}`;
}

/** RFC 3261 20.16: a number below 2^31, then the method. */
export function parseCSeq(text: string, work: Work = UNCOUNTED): CSeq | null {
  const scanner = new Scanner(text, work);
  scanner.skipSpace();
  const digits = scanner.token();
  scanner.skipSpace();
  const method = scanner.token();
  scanner.skipSpace();
  if (!isDigits(digits) || method === '' || !scanner.done) return null;
  const number = Number(digits);
  return number < 2 ** 31 ? { number, method } : null;
}

/** `value;name=value…` (Content-Type, Session-Expires, Refer-Sub, Event). The value is in lower case. */
export function parseWithParams(text: string): { value: string; params: Param[] } | null {
  const scanner = new Scanner(text, UNCOUNTED);
  const value = scanner.until(';').trim().toLowerCase();
  const params = readParams(scanner);
  return value === '' || params === null ? null : { value, params };
}

/** A challenge or its answer; parameter names in lower case, values unquoted (RFC 3261 25.1). */
export function parseAuth(text: string): AuthParams | null {
  const scanner = new Scanner(text, UNCOUNTED);
  scanner.skipSpace();
  const scheme = scanner.token();
  if (scheme === '') return null;
  const params = new Map<string, string>();
  scanner.skipSpace();
  while (!scanner.done) {
    const name = scanner.token();
    if (name === '' || !scanner.take('=')) return null;
    const value = scanner.peek() === '"' ? scanner.quoted() : scanner.until(', \t\r\n');
    if (value === null) return null;
    params.set(name.toLowerCase(), value);
    if (!scanner.take(',')) {
      scanner.skipSpace();
      if (!scanner.done) return null;
    }
  }
  return { scheme, params };
}
