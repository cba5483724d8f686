// The regular expressions that modules put together as they are loaded or used, from word lists and tables: they stand
// in no source as one. Each module that makes some is loaded, and used where it makes them later, while `RegExp` notes
// what it is given.
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Constructed {
  where: string;
  pattern: string;
  flags: string;
}

const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt'];
const TEXT = 'Dr. Lee, 5 May, 3:30 pm, $4.50 or 5 € a km/h, 12-14 Main St, suite 204, A for 20 mg, call +49 30 1234.';
const NAMES = ['Ada Lovelace', 'St. John-Smith'];

type Loaded = Record<string, (...args: unknown[]) => unknown>;

/** The use of a module that makes its expressions only then. */
const USES: Readonly<Record<string, (module: Loaded) => unknown>> = {
  'models/tts/text/speakable.ts': ({ speakable }) => speakable?.(TEXT),
  'models/tts/text/read-aloud.ts': ({ readAloud, forEspeak }) =>
    LANGUAGES.map((language) => [readAloud?.(TEXT, language), forEspeak?.(TEXT, language)]),
  'engine/call/keypad.ts': ({ offersOptOut }) => LANGUAGES.map((language) => offersOptOut?.([TEXT], language)),
  'engine/shard/models/pronunciation.ts': ({ pronounced }) =>
    pronounced?.(
      TEXT,
      NAMES.map((text) => ({ text, say: 'x' })),
    ),
  'db/domain/redaction/find.ts': ({ findPrivate }) =>
    findPrivate?.(TEXT, { kinds: ['name'], language: 'en', names: NAMES, country: 'DE' }),
};

/** Modules whose expressions are put together of what a call, a request or a build brings, each with what that is. */
const NOT_USED: Readonly<Record<string, string>> = {
  'db/domain/numbers/phone-plans.ts': 'patterns of libphonenumber, for numbers of 15 digits at most',
  'engine/call/secret-keys.ts': 'digits, and a sign between two of them',
  'engine/call/private-audio.ts': 'kinds of what is private',
  'engine/sip/adapters/drachtio/media/switch-host.ts': 'a profile of FreeSWITCH',
  'engine/test-runs/caller/phone/sip-text.ts': 'names of headers, for telephones of tests',
  'api/frame/assets.ts': 'an encoding',
  'api/frame/query-values.ts': 'patterns of schemas, which are tried as such',
  'api/openapi/client-types.ts': 'names of types, as the clients are written',
  'api/openapi/client-operations.ts': 'nouns of operations, as the clients are written',
};

/** The expressions that these modules make, and the modules that should make some and do not. */
export async function constructedIn(
  files: readonly string[],
  root: string,
): Promise<{ expressions: Constructed[]; without: string[] }> {
  const found = new Map<string, Constructed>();
  const native = globalThis.RegExp;
  const note = (pattern: unknown, flags: unknown): void => {
    const caller = new Error().stack
      ?.split('\n')
      .find((line) => line.includes(root) && !line.includes(import.meta.url));
    if (typeof pattern !== 'string' || caller === undefined || caller.includes('node_modules')) return;
    const where = files.find((file) => caller.includes(file));
    if (where !== undefined && !(where in NOT_USED))
      found.set(`${pattern}/${flags}`, { where, pattern, flags: String(flags ?? '') });
  };
  const watched = new Proxy(native, {
    construct(target, args) {
      note(args[0], args[1]);
      return Reflect.construct(target, args);
    },
    apply(target, that, args) {
      note(args[0], args[1]);
      return Reflect.apply(target, that, args);
    },
  });
  globalThis.RegExp = watched;
  try {
    for (const file of files) {
      const module: Loaded = await import(pathToFileURL(resolve(join(root, file))).href);
      USES[file]?.(module);
    }
  } finally {
    globalThis.RegExp = native;
  }
  const expressions = [...found.values()];
  const without = files.filter((file) => !(file in NOT_USED) && !expressions.some(({ where }) => where === file));
  return { expressions, without };
}
