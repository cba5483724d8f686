// `${VOICE_NAME}` in files: a value of the environment in its place. Secrets never stand in files. Of other variables
// those alone are read that were named beside the command: whoever may change a file could else have any secret of a
// build sent to an address of theirs.
import type { Run } from '../command.ts';
import { Failure } from '../failure.ts';
import type { Environment } from '../profiles.ts';

const PLACEHOLDER = /\$?\$\{([A-Z][A-Z0-9_]*)\}/g;

const PREFIX = 'VOICE_';

/** Beside the command: `--env SHOP_URL,SHOP_KEY`. */
export const ENV = {
  env: { value: 'NAMES', about: `variables that files may name, with commas, beside those that begin with ${PREFIX}` },
} as const;
export const namedOf = ({ options }: Pick<Run, 'options'>): string[] =>
  (options.env ?? '').split(',').filter((name) => name !== '');

/** The part of the environment that files may read. */
export function readableEnv(run: Pick<Run, 'options' | 'surroundings'>): Environment {
  const named = namedOf(run);
  const isReadable = ([name]: [string, unknown]): boolean => name.startsWith(PREFIX) || named.includes(name);
  return Object.fromEntries(Object.entries(run.surroundings.env).filter(isReadable));
}

/** A text of the service that looks like a placeholder: `$${NAME}` stands for `${NAME}`. */
export const escaped = (value: unknown): unknown =>
  mapped(value, (text) => text.replace(/\$\{[A-Z][A-Z0-9_]*\}/g, (found) => `$${found}`));

/** `Rivera Dental`, `X-Api-Key` as `${VOICE_RIVERA_DENTAL_X_API_KEY}`. */
export function placeholder(...words: string[]): string {
  const name = words
    .join('_')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  return `\${${PREFIX}${name}}`;
}

/** All that was asked for and is not set, or not to be read, is named at once. */
export class Placeholders {
  readonly #env: Environment;
  readonly #named: readonly string[];
  readonly #missing = new Map<string, string>();

  /** `env`: readable alone. `named`: beside the command. */
  constructor(env: Environment, named: readonly string[] = []) {
    this.#env = env;
    this.#named = named;
  }

  /** With the values of the environment; `path`: the file that asks. */
  filled(value: unknown, path: string): unknown {
    return mapped(value, (text) =>
      text.replace(PLACEHOLDER, (found, name: string) => {
        if (found.startsWith('$$')) return found.slice(1);
        const own = this.#env[name];
        if (own === undefined) this.#missing.set(name, path);
        return own ?? '';
      }),
    );
  }

  isSet(text: string): boolean {
    return [...text.matchAll(PLACEHOLDER)].every(
      ([found, name = '']) => found.startsWith('$$') || this.#env[name] !== undefined,
    );
  }

  /** @throws {Failure} naming each that is missing */
  check(): void {
    if (this.#missing.size === 0) return;
    const isRead = ([name]: [string, string]): boolean => name.startsWith(PREFIX) || this.#named.includes(name);
    const all = [...this.#missing];
    const unset = linesOf(all.filter(isRead));
    const unread = linesOf(all.filter((one) => !isRead(one)));
    const names = all.flatMap((one) => (isRead(one) ? [] : [one[0]]));
    throw new Failure(
      [
        ...(unset === '' ? [] : [`These variables of the environment are not set:\n${unset}`]),
        ...(unread === ''
          ? []
          : [
              `Files read variables that begin with ${PREFIX}, and no others:\n${unread}\nName them so, or add --env ${names.join(',')} if these may be sent to the service.`,
            ]),
      ].join('\n'),
    );
  }
}

const linesOf = (missing: ReadonlyArray<[string, string]>): string =>
  missing.map(([name, path]) => `  ${name}, for ${path}`).join('\n');

function mapped(value: unknown, each: (text: string) => string): unknown {
  if (typeof value === 'string') return each(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, each));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapped(item, each)]));
}
