// The texts of --help, made of the table of commands.
import { COMMON, type Command, type Option } from './command.ts';

export function helpOf({ name, about, args = [], options = {}, examples }: Command): string {
  const usage = [
    'usage: voicectl',
    name,
    ...args.map((arg) => (arg.isOptional ? `[${arg.name}]` : arg.name)),
    '[options]',
  ];
  const named = Object.keys(options).length === 0 ? [] : ['', 'options:', ...rows(options)];
  return [
    usage.join(' '),
    '',
    about,
    ...(args.length === 0 ? [] : ['', ...columns(args.map((arg) => [arg.name, arg.about]))]),
    ...named,
    '',
    'of every command:',
    ...rows(COMMON),
    '',
    'examples:',
    ...examples.map((example) => `  ${example}`),
  ].join('\n');
}

export function overview(commands: readonly Command[]): string {
  return [
    'usage: voicectl COMMAND [options]',
    '',
    'The command line of the Voice Agent Calling Service.',
    '',
    ...columns(commands.map(({ name, about }) => [name, about.split('. ')[0]?.replace(/\.$/, '') ?? ''])),
    '',
    'voicectl COMMAND --help has the options and examples of each.',
    'exit: 0 done, 1 the answer is no (a test failed, there are differences), 2 it could not be done, 3 a conflict',
  ].join('\n');
}

const rows = (options: Readonly<Record<string, Option>>): string[] =>
  columns(
    Object.entries(options).map(([name, { value, about, choices }]) => [
      `--${name}${value === undefined ? '' : ` ${value}`}`,
      choices === undefined ? about : `${about}: ${choices.join(', ')}`,
    ]),
  );

function columns(pairs: ReadonlyArray<readonly [string, string]>): string[] {
  const width = Math.max(...pairs.map(([left]) => left.length));
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
