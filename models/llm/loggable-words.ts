// What of a server's refusal may be logged: enough for an operator to know what to mend, nothing that repeats the
// conversation or the key.

const MAX_CHARS = 200;
/** As many characters in common with what was sent are no coincidence. */
const REPEATED_CHARS = 16;

/** The server's words, shortened; null where they are empty, or repeat a part of `sent`. */
export function loggableWords(words: string, sent: readonly string[], apiKey: string | null): string | null {
  const text = words.replace(/\s+/g, ' ').trim().slice(0, MAX_CHARS);
  if (text === '' || (apiKey !== null && text.includes(apiKey))) return null;
  return repeats(text, sent) ? null : text.replace(/\b(sk|key|pk)-[\w*-]{4,}/g, '[key]');
}

function repeats(text: string, sent: readonly string[]): boolean {
  const all = sent.join('\n');
  const quoted = [...text.matchAll(/["'`“‘«]([^"'`”’»]+)["'`”’»]/g)].map(([, inside = '']) => inside);
  if (quoted.some((inside) => all.includes(inside))) return true;
  if (sent.some((one) => one.trim().length > 2 && text.includes(one.trim()))) return true;
  for (let at = 0; at + REPEATED_CHARS <= text.length; at++) {
    if (all.includes(text.slice(at, at + REPEATED_CHARS))) return true;
  }
  return false;
}

/** The texts of a chat completion's messages. */
export function messageTexts(body: unknown): string[] {
  const { messages } = (body ?? {}) as { messages?: unknown };
  if (!Array.isArray(messages)) return [];
  return messages.flatMap(({ content }: { content?: unknown }) => (typeof content === 'string' ? [content] : []));
}
