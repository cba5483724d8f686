// Names in mails that somebody chose who is no friend of the reader: a tenant, a caller.

const NAME_LENGTH_MAX = 60;

/**
 * A name that a stranger chose: short, on one line, and without characters that a mail program
 * turns into a link (a dot, a slash, a colon or an @ inside a word).
 * Empty if nothing is left.
 */
export function quotedName(name: string): string {
  const words = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}\p{M}&'’,()+. -]/gu, ' ')
    .replace(/\.(?=\S)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...words].slice(0, NAME_LENGTH_MAX).join('').trim();
}
