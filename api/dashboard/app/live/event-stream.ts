// Reads server-sent events with a token, which `EventSource` cannot send.

interface StreamEvent {
  id: string | null;
  type: string;
  data: string;
}

/** Takes pieces of text and returns whole events. */
export class EventStreamParser {
  #rest = '';

  take(piece: string): StreamEvent[] {
    const blocks = (this.#rest + piece.replaceAll('\r\n', '\n')).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => eventOf(block) ?? []);
  }
}

/** Null for a comment. */
function eventOf(block: string): StreamEvent | null {
  const event: StreamEvent = { id: null, type: 'message', data: '' };
  let hasData = false;
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name === 'id') event.id = value;
    else if (name === 'event') event.type = value;
    else if (name === 'data') {
      event.data += hasData ? `\n${value}` : value;
      hasData = true;
    }
  }
  return hasData ? event : null;
}
