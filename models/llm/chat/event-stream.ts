// The `data` of server-sent events, as chat completions use them: an event is one line of `data:`. Comments, event
// names and empty lines are skipped; CRLF and a missing space after the colon are accepted.

/** Longest line; a longer one is an error. */
const MAX_LINE_CHARS = 1_000_000;

/** The data lines up to `[DONE]` or the end of the body. @throws {RangeError} at a line without end */
export async function* dataLines(body: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  // In pieces until the line's end has come: a server may send it in a million of them.
  let pieces: string[] = [];
  let length = 0;
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true });
    pieces.push(text);
    length += text.length;
    if (text.includes('\n')) {
      const lines = pieces.join('').split('\n');
      const rest = lines.pop() ?? '';
      pieces = [rest];
      length = rest.length;
      for (const line of lines) {
        const data = dataOf(line);
        if (data === '[DONE]') return;
        if (data !== null) yield data;
      }
    }
    if (length > MAX_LINE_CHARS) throw new RangeError('a line of the stream has no end');
  }
  const last = dataOf(pieces.join(''));
  if (last !== null && last !== '[DONE]') yield last;
}

function dataOf(line: string): string | null {
  const match = /^data: ?(.*?)\r?$/.exec(line);
  const data = match?.[1]?.trim() ?? '';
  return data === '' ? null : data;
}
