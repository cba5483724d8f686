// The interface of a command of `npm run admin`, and the reader of its options.

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { ApiConfig } from '../config.ts';
import type { ApiContext } from '../context.ts';

export interface Command {
  /** Words after `npm run admin --`. */
  name: string;
  usage: string;
  /** Prints the result; throws UsageError for wrong arguments, CommandFailed for a failure. */
  run(args: readonly string[], context: ApiContext): Promise<void>;
  /** Before DATA_DIR is made: does what needs neither it nor a database. @returns whether that was all */
  runBefore?(args: readonly string[]): Promise<boolean>;
}

/** A command that works without a database. */
export interface OfflineCommand extends Pick<Command, 'name' | 'usage'> {
  runOffline(args: readonly string[], config: ApiConfig): Promise<void>;
}

/** Wrong arguments: printed with the command's usage, exit 2. */
export class UsageError extends Error {}

/** The command could not be carried out: exit 1. */
export class CommandFailed extends Error {}

export type Options = NonNullable<ParseArgsConfig['options']>;

/** @throws {UsageError} for unknown options and missing values */
export function readArguments(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

export function requireText(value: unknown, name: string): string {
  if (typeof value !== 'string' || value.trim() === '') throw new UsageError(`--${name} is required`);
  return value.trim();
}

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/**
 * All of standard input without its last line break: secrets are read from it, because other users can see arguments.
 */
export async function standardInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin) text += String(chunk);
  return text.replace(/\r?\n$/, '');
}
