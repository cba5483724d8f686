// The `data` of server-sent events, as chat completions use them: an event is one line of `data:`. Comments, event
// names and empty lines are skipped; CRLF and a missing space after the colon are accepted.

/** Longest line; a longer one is an error. */
const MAX_LINE_CHARS = 1_000_000;

/** The data lines up to `[DONE]` or the end of the body. @throws {RangeError} at a line without end */
export async function* dataLines(body: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const data = dataOf(line);
      if (data === '[DONE]') return;
      if (data !== null) yield data;
    }
    if (rest.length > MAX_LINE_CHARS) throw new RangeError('a line of the stream has no end');
  }
  const last = dataOf(rest);
  if (last !== null && last !== '[DONE]') yield last;
}

function dataOf(line: string): string | null {
  const match = /^data: ?(.*?)\r?$/.exec(line);
  const data = match?.[1]?.trim() ?? '';
  return data === '' ? null : data;
}
