// Reads and writes SIP, SIPS and tel URIs. URIs of other schemes are kept as text, to be echoed and refused with 416.
import { isDigits, type Work } from './scanner.ts';

interface UriParam {
  name: string;
  value: string | null;
}

export interface SipUri {
  scheme: 'sip' | 'sips';
  user: string | null;
  password: string | null;
  /** Lower case; IPv6 with its brackets. */
  host: string;
  port: number | null;
  params: UriParam[];
  /** The text after `?`, not parsed. */
  headers: string | null;
}

interface TelUri {
  scheme: 'tel';
  number: string;
  params: UriParam[];
}

interface OtherUri {
  scheme: 'other';
  name: string;
  text: string;
}

export type Uri = SipUri | TelUri | OtherUri;

// The RFC does not allow `_` in a host, but PBXes put machine names with it into Via.
const HOST_PATTERN = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?|\[[0-9A-Fa-f:.]+\])$/;
const SCHEME_PATTERN = /^[A-Za-z][A-Za-z0-9+.-]*$/;
const USER_PATTERN = /^[A-Za-z0-9\-_.!~*'()&=+$,;?/%:]*$/;

export function isHost(text: string): boolean {
  return text.length <= 255 && HOST_PATTERN.test(text);
}

/** Port 1-65535 or null. */
export function readPort(text: string): number | null {
  if (!isDigits(text) || text.length > 5) return null;
  const port = Number(text);
  return port >= 1 && port <= 65535 ? port : null;
}

function readParams(text: string): UriParam[] | null {
  const params: UriParam[] = [];
  if (text === '') return params;
  for (const part of text.split(';')) {
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    if (name === '' || /[\s<>"@]/.test(part)) return null;
    params.push({ name: name.toLowerCase(), value: equals < 0 ? null : part.slice(equals + 1) });
  }
  return params;
}

/** `host[:port]`, or null. */
export function readHostPort(text: string): { host: string; port: number | null } | null {
  const bracket = text.startsWith('[') ? text.indexOf(']') : -1;
  const colon = text.indexOf(':', bracket + 1);
  const host = colon < 0 ? text : text.slice(0, colon);
  if (!isHost(host)) return null;
  if (colon < 0) return { host: host.toLowerCase(), port: null };
  const port = readPort(text.slice(colon + 1));
  return port === null ? null : { host: host.toLowerCase(), port };
}

function readSip(scheme: 'sip' | 'sips', rest: string): SipUri | null {
  const at = rest.indexOf('@');
  if (at >= 0 && rest.indexOf('@', at + 1) >= 0) return null;
  let user: string | null = null;
  let password: string | null = null;
  if (at >= 0) {
    const info = rest.slice(0, at);
    const colon = info.indexOf(':');
    user = colon < 0 ? info : info.slice(0, colon);
    password = colon < 0 ? null : info.slice(colon + 1);
    if (user === '' || !USER_PATTERN.test(info)) return null;
  }
  let tail = rest.slice(at + 1);
  let headers: string | null = null;
  const question = tail.indexOf('?');
  if (question >= 0) {
    headers = tail.slice(question + 1);
    tail = tail.slice(0, question);
    if (/[\s<>"]/.test(headers)) return null;
  }
  const semicolon = tail.indexOf(';');
  const hostPort = readHostPort(semicolon < 0 ? tail : tail.slice(0, semicolon));
  const params = readParams(semicolon < 0 ? '' : tail.slice(semicolon + 1));
  if (hostPort === null || params === null) return null;
  return { scheme, user, password, ...hostPort, params, headers };
}

/** Reads a URI; null if it is malformed. */
export function parseUri(text: string, work?: Work): Uri | null {
  if (work) work.steps += text.length;
  const colon = text.indexOf(':');
  if (colon < 1) return null;
  const scheme = text.slice(0, colon).toLowerCase();
  const rest = text.slice(colon + 1);
  if (!SCHEME_PATTERN.test(scheme) || /[\s<>"]/.test(rest) || rest === '') return null;
  if (scheme === 'sip' || scheme === 'sips') return readSip(scheme, rest);
  if (scheme === 'tel') {
    const semicolon = rest.indexOf(';');
    const number = semicolon < 0 ? rest : rest.slice(0, semicolon);
    const params = readParams(semicolon < 0 ? '' : rest.slice(semicolon + 1));
    if (params === null || !/^\+?[0-9A-Fa-f*#().-]+$/.test(number)) return null;
    return { scheme: 'tel', number, params };
  }
  return { scheme: 'other', name: scheme, text };
}

export function uriParam(uri: Uri, name: string): string | null | undefined {
  return uri.scheme === 'other' ? undefined : uri.params.find((param) => param.name === name)?.value;
}

export function hasUriParam(uri: Uri, name: string): boolean {
  return uri.scheme !== 'other' && uri.params.some((param) => param.name === name);
}

function writeParams(params: readonly UriParam[]): string {
  return params.map(({ name, value }) => (value === null ? `;${name}` : `;${name}=${value}`)).join('');
}

export function writeUri(uri: Uri): string {
  if (uri.scheme === 'other') return uri.text;
  if (uri.scheme === 'tel') return `tel:${uri.number}${writeParams(uri.params)}`;
  const password = uri.password === null ? '' : `:${uri.password}`;
  const user = uri.user === null ? '' : `${uri.user}${password}@`;
  const port = uri.port === null ? '' : `:${uri.port}`;
  const headers = uri.headers === null ? '' : `?${uri.headers}`;
  return `${uri.scheme}:${user}${uri.host}${port}${writeParams(uri.params)}${headers}`;
}

/** Decodes %HH; any other % stays (RFC 4475 3.1.1.5). */
export function unescapeUser(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Escapes characters that the user part must not contain (RFC 3261 25.1), such as the `#` of dialled strings. */
export function escapeUser(text: string): string {
  return text.replace(
    /[^A-Za-z0-9\-_.!~*'()&=+$,;?/]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** Builds a sip: URI and escapes `user`. */
export function makeUri(user: string | null, host: string, port: number | null): SipUri {
  return {
    scheme: 'sip',
    user: user === null ? null : escapeUser(user),
    password: null,
    host: host.includes(':') && !host.startsWith('[') ? `[${host}]` : host.toLowerCase(),
    port,
    params: [],
    headers: null,
  };
}
