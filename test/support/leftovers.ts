// Searches words in the raw bytes of files, like a person with access to the disk.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The words found in any file below `directory`, each with the file's name. */
export function leftovers(directory: string, words: readonly string[]): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const bytes = readFileSync(join(entry.parentPath, entry.name));
      return words.filter((word) => bytes.includes(word)).map((word) => `${entry.name}: ${word}`);
    });
}
