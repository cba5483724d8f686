// Reads the arguments of a command line by the table of commands.
import { parseArgs } from 'node:util';
import { COMMON, type Command, type Option } from './command.ts';
import { Failure } from './failure.ts';

interface Parsed {
  command: Command;
  args: Record<string, string>;
  options: Record<string, string>;
  switches: ReadonlySet<string>;
}

/** Null: no command is named. @throws {Failure} of what is not known, or missing */
export function parsed(given: readonly string[], commands: readonly Command[]): Parsed | null {
  const words = wordsOf(given);
  if (words.length === 0) return null;
  const command = commandOf(words, commands);
  const known = { ...COMMON, ...command.options };
  const { values, positionals } = read(given, known, command);
  const help = `voicectl ${command.name} --help says how.`;
  const rest = positionals.slice(command.name.split(' ').length);
  const { args = [] } = command;
  if (rest.length > args.length && !('help' in values)) {
    throw new Failure(`voicectl ${command.name} takes no ${JSON.stringify(rest[args.length])}. ${help}`);
  }
  const missing = args.find(({ isOptional }, i) => !isOptional && rest[i] === undefined);
  if (missing !== undefined && !('help' in values)) {
    throw new Failure(`voicectl ${command.name} needs ${missing.name}: ${missing.about}. ${help}`);
  }
  const entries = Object.entries(values);
  const options = Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  for (const [name, value] of Object.entries(options)) {
    const { choices } = known[name] ?? {};
    if (choices !== undefined && !choices.includes(value))
      throw new Failure(`--${name} is one of ${choices.join(', ')}, and not ${JSON.stringify(value)}`);
  }
  return {
    command,
    args: Object.fromEntries(args.flatMap(({ name }, i) => (rest[i] === undefined ? [] : [[name, rest[i]]]))),
    options,
    switches: new Set(entries.filter(([, value]) => value === true).map(([name]) => name)),
  };
}

/** The commands of a group of which nothing else is said, as in `voicectl calls --help`; null: of no group. */
export function groupIn(given: readonly string[], commands: readonly Command[]): readonly Command[] | null {
  const [first = '', ...more] = wordsOf(given);
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  return more.length > 0 || group.length === 0 || commands.some(({ name }) => name === first) ? null : group;
}

/** Words that are no options, nor values of the common ones. */
function wordsOf(given: readonly string[]): string[] {
  const words: string[] = [];
  for (let i = 0; i < given.length; i++) {
    const text = given[i] ?? '';
    if (!text.startsWith('-')) words.push(text);
    else if (COMMON[text.replace(/^--/, '')]?.value !== undefined) i++;
  }
  return words;
}

function commandOf(words: readonly string[], commands: readonly Command[]): Command {
  const [first = '', second = ''] = words;
  const found =
    commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first);
  if (found !== undefined) return found;
  const group = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.split(' ')[1]);
  if (group.length > 0)
    throw new Failure(
      `voicectl ${first} is one of: ${group.join(', ')}. voicectl ${first} --help says what each does.`,
    );
  throw new Failure(
    `There is no command ${JSON.stringify(first)}. voicectl --help lists them; voicectl api sends any request.`,
  );
}

function read(given: readonly string[], known: Readonly<Record<string, Option>>, { name }: Command) {
  try {
    return parseArgs({
      args: [...given],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(known).map(([option, { value }]) => [
          option,
          { type: value === undefined ? 'boolean' : 'string' },
        ]),
      ) as Record<string, { type: 'boolean' | 'string' }>,
    });
  } catch (fault) {
    const [sentence = ''] = (fault as Error).message.split('. ');
    throw new Failure(`${sentence}. voicectl ${name} --help says which there are.`);
  }
}

/** @throws {Failure} */
export function wholeNumber(text: string | undefined, name: string, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw new Failure(`--${name} must be a whole number, and not ${JSON.stringify(text)}`);
  return Number(text);
}
