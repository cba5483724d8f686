// A part of the bench describes itself: its usage, its options with their defaults, and what it measures and reports.

import { type Report, report } from './measure/statistics.ts';
import { type Default, readOptions, type Values } from './options.ts';

/** The function that `bench/main.ts` runs: the part's name and the words behind it on the command line. */
export type Part = (name: string, args: string[]) => Promise<void>;

/** `measure` returns what is printed and written as `results/NAME.*`, unless the part reports by itself. */
export function part<const D extends Record<string, Default>>(
  usage: string,
  defaults: D,
  measure: (options: Values<D>) => Promise<Report | undefined>,
): Part {
  return async (name, args) => {
    const found = await measure(readOptions(usage, defaults, args));
    if (found !== undefined) report(name, found);
  };
}

/** Ends the bench with one line where an option's value is none of those that there are. */
export function refuseOption(message: string): never {
  process.stderr.write(`${message}; see --help\n`);
  process.exit(2);
}
