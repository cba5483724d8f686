// A file of words and the sounds that the built-in voice is given for them: a word a line, "#" before what is not one.
import { readFileSync } from 'node:fs';

/** Reads the file when it is asked first. @returns the sounds of a word in lower case, ARPAbet with stress */
export function soundsTable(file: URL): (word: string) => string | undefined {
  let table: ReadonlyMap<string, string> | null = null;
  return (word) => {
    table ??= new Map(
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => {
          const space = line.indexOf(' ');
          return [line.slice(0, space), line.slice(space + 1)] as const;
        }),
    );
    return table.get(word);
  };
}
