// The options of a part of the bench. `--help` prints its usage; an unknown option or a bad number ends the bench with
// one line and exit code 2.
import { parseArgs } from 'node:util';

/** A number, a comma-separated list of numbers, a text, a text that may be left out, or a switch. */
export type Default = number | readonly number[] | string | null | false;

export type Values<D extends Record<string, Default>> = {
  [Name in keyof D]: D[Name] extends number
    ? number
    : D[Name] extends readonly number[]
      ? number[]
      : D[Name] extends null
        ? string | null
        : D[Name] extends false
          ? boolean
          : string;
};

/** `defaults` names the options; a value has the type of its default. */
export function readOptions<const D extends Record<string, Default>>(
  usage: string,
  defaults: D,
  args: string[],
): Values<D> {
  try {
    return parse(usage, defaults, args);
  } catch (error) {
    // The first sentence names the fault; Node's advice on positional arguments follows it.
    const [message] = (error instanceof Error ? error.message : String(error)).split('. ');
    process.stderr.write(`${message}; see --help\n`);
    process.exit(2);
  }
}

function parse<D extends Record<string, Default>>(usage: string, defaults: D, args: string[]): Values<D> {
  const names = Object.keys(defaults);
  const values: Record<string, unknown> = parseArgs({
    args,
    options: Object.fromEntries([
      ...names.map((name) => [name, { type: defaults[name] === false ? 'boolean' : 'string' }] as const),
      ['help', { type: 'boolean' }] as const,
    ]),
  }).values;
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  const read = names.map((name) => {
    const [given, standard] = [values[name], defaults[name]];
    if (typeof given !== 'string') return [name, given ?? standard];
    if (typeof standard === 'number') return [name, numberOf(name, given)];
    if (Array.isArray(standard)) return [name, given.split(',').map((part) => numberOf(name, part))];
    return [name, given];
  });
  return Object.fromEntries(read) as Values<D>;
}

function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new Error(`--${name} "${text}" is not a number`);
  return value;
}
