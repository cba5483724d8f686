// `${NAME}` in files: a value of the environment in its place. Secrets never stand in files.
import { Failure } from '../failure.ts';
import type { Environment } from '../profiles.ts';

const PLACEHOLDER = /\$?\$\{([A-Z][A-Z0-9_]*)\}/g;

/** A text of the service that looks like a placeholder: `$${NAME}` stands for `${NAME}`. */
export const escaped = (value: unknown): unknown =>
  mapped(value, (text) => text.replace(/\$\{[A-Z][A-Z0-9_]*\}/g, (found) => `$${found}`));

/** `Rivera Dental`, `X-Api-Key` as `${RIVERA_DENTAL_X_API_KEY}`. */
export function placeholder(...words: string[]): string {
  const name = words
    .join('_')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  return `\${${/^[A-Z]/.test(name) ? name : `SECRET_${name}`}}`;
}

/** All that was asked for and is not set is named at once. */
export class Placeholders {
  readonly #env: Environment;
  readonly #missing = new Map<string, string>();

  constructor(env: Environment) {
    this.#env = env;
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
    const lines = [...this.#missing].map(([name, path]) => `  ${name}, for ${path}`);
    throw new Failure(`These variables of the environment are not set:\n${lines.join('\n')}`);
  }
}

function mapped(value: unknown, each: (text: string) => string): unknown {
  if (typeof value === 'string') return each(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, each));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapped(item, each)]));
}
