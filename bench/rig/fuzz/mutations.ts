// Mutations of a request before it is sent: of the text of its JSON body, its path and query, its headers and its
// method. Each returns a request that an attacker or a broken client could send.
import { chance, type FuzzedRequest, pick, type Random } from './fuzz-requests.ts';

export interface WireRequest {
  method: string;
  url: string;
  /** In order, names as written; a name may be repeated. */
  headers: Array<[name: string, value: string]>;
  body: Buffer;
  /** The applied mutations; empty for an unchanged request. */
  mutations: string[];
}

type Mutation = (random: Random, request: WireRequest) => void;

/** Roughly how many of the requests are changed. */
const MUTATED_SHARE = 0.7;

/** Replacements for a value in a body, as JSON text. */
const VALUES: Record<string, (random: Random) => string> = {
  'wrong type': (random) => pick(random, ['null', 'true', '0', '""', '[]', '{}', '[[]]', '"1"', '{"a":[1]}']),
  'deep nesting': (random) => {
    const depth = pick(random, [20, 65, 1_000, 20_000]);
    return chance(random, 0.5) ? '['.repeat(depth) + ']'.repeat(depth) : '{"a":'.repeat(depth) + 1 + '}'.repeat(depth);
  },
  'huge number': (random) =>
    pick(random, ['1e308', '-1e308', '1e400', '9007199254740993', '123456789012345678901234567890', '-0', '5e-324']),
  unicode: (random) =>
    pick(random, [
      '"\\ud800"',
      '"\\udc00\\ud800"',
      '"\u202eedoc\u202c"',
      '"ﷺ𝕏e\u0301\u200d👩‍👩‍👧"',
      '"\\u0000\\u001f\\u007f\\u0085\\u2028"',
      '"ẞıİſ"',
    ]),
  NUL: (random) => pick(random, ['"\\u0000"', '"a\\u0000b"', '"\u0000"']),
  'long text': (random) => JSON.stringify('x'.repeat(pick(random, [300, 5_000, 70_000, 600_000]))),
  'long list': (random) => `[${Array.from({ length: pick(random, [1_001, 20_000]) }, () => '0').join(',')}]`,
  'prototype keys': (random) =>
    pick(random, [
      '{"__proto__":{"role":"ADMIN"}}',
      '{"constructor":{"prototype":{"role":"ADMIN"}}}',
      '{"toString":1,"hasOwnProperty":1}',
    ]),
};

/** Places of values in JSON text: after a colon, a comma or an opening bracket. */
function valuePlaces(text: string): Array<{ from: number; to: number }> {
  const values = /(?<=[:[,]\s*)(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|\{\}|\[\])(?=\s*[,\]}])/g;
  return [...text.matchAll(values)].map((match) => ({ from: match.index, to: match.index + match[0].length }));
}

function changeText(request: WireRequest, change: (text: string) => string): void {
  request.body = Buffer.from(change(request.body.toString('utf8')));
}

const replaceValue =
  (make: (random: Random) => string): Mutation =>
  (random, request) => {
    changeText(request, (text) => {
      const places = valuePlaces(text);
      if (places.length === 0) return make(random);
      const { from, to } = pick(random, places);
      return text.slice(0, from) + make(random) + text.slice(to);
    });
  };

const insertKey = (random: Random, text: string, pair: string): string => {
  const braces = [...text.matchAll(/\{/g)].map((match) => match.index + 1);
  if (braces.length === 0) return `{${pair}}`;
  const at = pick(random, braces);
  return `${text.slice(0, at)}${pair}${/^\s*\}/.test(text.slice(at)) ? '' : ','}${text.slice(at)}`;
};

const BODY_MUTATIONS: Record<string, Mutation> = {
  ...Object.fromEntries(Object.entries(VALUES).map(([name, make]) => [name, replaceValue(make)])),
  'extra key': (random, request) =>
    changeText(request, (text) =>
      insertKey(
        random,
        text,
        `${pick(random, ['"__proto__"', '"constructor"', '"accountId"', '"role"', '""', '"\\u0000"'])}:{"a":1}`,
      ),
    ),
  'duplicate key': (random, request) =>
    changeText(request, (text) => {
      const keys = [...text.matchAll(/"(\w+)":/g)].map((match) => match[1] ?? '');
      return keys.length === 0 ? '{"a":1,"a":2}' : insertKey(random, text, `"${pick(random, keys)}":null`);
    }),
  'truncated JSON': (random, request) =>
    changeText(request, (text) => text.slice(0, Math.floor(random() * text.length))),
  'flipped byte': (random, request) => {
    if (request.body.length === 0) return;
    const at = Math.floor(random() * request.body.length);
    request.body = Buffer.from(request.body);
    request.body[at] = Math.floor(random() * 256);
  },
  'not JSON': (random, request) => {
    request.body = pick(random, [
      Buffer.from('<?xml version="1.0"?><a/>'),
      Buffer.from('a=1&b=2'),
      Buffer.from([0xff, 0xfe, 0x00, 0xd8]),
      Buffer.from('\ufeff{}'),
      Buffer.from('{} {}'),
      Buffer.from('NaN'),
    ]);
  },
  'content type': (random, request) =>
    setHeader(
      request,
      'content-type',
      pick(random, [
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'multipart/form-data',
        'application/json; charset=utf-16',
        'application/json;',
        'APPLICATION/JSON',
        'application/problem+json',
        ';',
        'a/b/c',
      ]),
    ),
};

const QUERY_MUTATIONS: Record<string, Mutation> = {
  'odd query': (random, request) => {
    const [name] = /[?&](\w+)=/.exec(request.url)?.slice(1) ?? [pick(random, ['limit', 'page', 'status', 'q'])];
    const value = pick(random, [
      '%00',
      '%ff%fe',
      '%',
      '-1',
      '1e400',
      '99999999999999999999',
      'NaN',
      '__proto__',
      "'%20or%201=1--",
      'x'.repeat(3_000),
      '2026-99-99',
      '%F0%9F%98%80',
    ]);
    const key = pick(random, [name, `${name}[]`, `${name}[__proto__]`, '__proto__', 'constructor']);
    request.url += `${request.url.includes('?') ? '&' : '?'}${key}=${value}`;
  },
  'repeated query': (_random, request) => {
    const query = request.url.split('?')[1] ?? 'limit=1';
    request.url += `${request.url.includes('?') ? '&' : '?'}${query}&${query}`;
  },
  'odd path': (random, request) => {
    const parts = request.url.split('/');
    const at = 3 + Math.floor(random() * Math.max(1, parts.length - 3));
    parts[at] = pick(random, [
      '..%2f..%2fetc%2fpasswd',
      '..',
      '%00',
      '%ff',
      '%',
      '%zz',
      '',
      ';a=b',
      'x'.repeat(5_000),
      '__proto__',
      '*',
      'é'.repeat(10),
      '%E2%80%AE',
    ]);
    request.url = parts.join('/');
  },
};

const HEADER_MUTATIONS: Record<string, Mutation> = {
  'odd token': (random, request) =>
    setHeader(
      request,
      'authorization',
      pick(random, [
        'Bearer',
        'Bearer  x',
        'Bearer vcs_',
        `Bearer ${'x'.repeat(7_000)}`,
        'Basic YWRtaW46YWRtaW4=',
        'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c2VyXzEifQ.',
        'bearer é',
      ]),
    ),
  'two tokens': (_random, request) => {
    request.headers.push(['authorization', 'Bearer x']);
  },
  'odd header': (random, request) => {
    request.headers.push(
      pick<[string, string]>(random, [
        ['x-request-id', 'x'.repeat(500)],
        ['x-request-id', '"><script>'],
        ['idempotency-key', ''],
        ['idempotency-key', 'é'.repeat(300)],
        ['x-forwarded-for', '1.2.3.4, ::1, nonsense'],
        ['x-forwarded-host', 'evil.example.com'],
        ['x-http-method-override', 'DELETE'],
        ['accept', 'text/xml;q=nonsense'],
        ['accept-encoding', 'br;q=2, *;q=0'],
        ['content-encoding', 'gzip'],
        ['range', 'bytes=9999999999-,0-0,5-1'],
        ['if-none-match', '*'],
        ['last-event-id', '-1e400'],
        ['expect', '100-continue'],
        ['upgrade', 'websocket'],
        ['cookie', 'a=b; '.repeat(200)],
        ['x-long', 'x'.repeat(20_000)],
        ['origin', 'null'],
      ]),
    );
  },
  'chunked body': (_random, request) => {
    const { body } = request;
    request.headers = request.headers.filter(([name]) => name !== 'content-length');
    request.headers.push(['transfer-encoding', 'chunked']);
    const head = body.length === 0 ? [] : [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')];
    request.body = Buffer.concat([...head, Buffer.from('0\r\n\r\n')]);
  },
};

const METHOD_MUTATIONS: Record<string, Mutation> = {
  'other method': (random, request) => {
    request.method = pick(random, [
      'GET',
      'PUT',
      'PATCH',
      'DELETE',
      'POST',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'NONSENSE',
    ]);
  },
};

function setHeader(request: WireRequest, name: string, value: string): void {
  request.headers = [...request.headers.filter(([other]) => other !== name), [name, value]];
}

/** The request to send, with none to three mutations. */
export function onTheWire(random: Random, { method, url, headers, payload }: FuzzedRequest): WireRequest {
  const request: WireRequest = {
    method,
    url,
    headers: Object.entries(headers),
    body: Buffer.from(payload ?? ''),
    mutations: [],
  };
  if (!chance(random, MUTATED_SHARE)) return withLength(request);
  const rounds = 1 + Math.floor(random() * 3);
  for (let round = 0; round < rounds; round++) {
    const kinds = [
      ...(payload === null ? [] : [BODY_MUTATIONS, BODY_MUTATIONS, BODY_MUTATIONS]),
      QUERY_MUTATIONS,
      HEADER_MUTATIONS,
      ...(chance(random, 0.2) ? [METHOD_MUTATIONS] : []),
    ];
    const kind = pick(random, kinds);
    const name = pick(random, Object.keys(kind));
    kind[name]?.(random, request);
    request.mutations.push(name);
    // Its chunks must stay intact, or the server waits for the rest.
    if (name === 'chunked body') break;
  }
  return withLength(request);
}

function withLength(request: WireRequest): WireRequest {
  const isChunked = request.headers.some(([name]) => name === 'transfer-encoding');
  if (!isChunked && (request.body.length > 0 || request.method !== 'GET')) {
    request.headers.push(['content-length', String(request.body.length)]);
  }
  return request;
}
