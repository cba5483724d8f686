// A proxy between the engine and drachtio that records their messages, for drachtio-replay.ts.
import { connect, createServer, type Socket } from 'node:net';

export interface RecordedMessage {
  from: 'client' | 'server';
  /** With LF in place of CRLF. */
  text: string;
}

/** Splits drachtio's stream: `LENGTH#PAYLOAD`, in bytes. */
export class DrachtioFramer {
  #buffer = Buffer.alloc(0);

  push(bytes: Buffer): string[] {
    this.#buffer = Buffer.concat([this.#buffer, bytes]);
    const payloads: string[] = [];
    for (;;) {
      const mark = this.#buffer.indexOf('#');
      const end = mark + 1 + Number(this.#buffer.toString('utf8', 0, Math.max(mark, 0)));
      if (mark < 0 || this.#buffer.length < end) return payloads;
      payloads.push(this.#buffer.toString('utf8', mark + 1, end));
      this.#buffer = this.#buffer.subarray(end);
    }
  }
}

export async function recordDrachtio(target: { host: string; port: number }) {
  const messages: RecordedMessage[] = [];
  const pipe = (from: RecordedMessage['from'], source: Socket, sink: Socket): void => {
    const framer = new DrachtioFramer();
    source.on('data', (bytes) => {
      for (const text of framer.push(bytes)) messages.push({ from, text: text.replaceAll('\r\n', '\n') });
      sink.write(bytes);
    });
    source.on('error', () => sink.destroy());
    source.on('close', () => sink.destroy());
  };
  const server = createServer((client) => {
    const upstream = connect(target);
    pipe('client', client, upstream);
    pipe('server', upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { port: address.port, messages, close: () => server.close() };
}

export function writeRecording(messages: readonly RecordedMessage[]): string {
  return messages.map(({ from, text }) => `--- ${from}\n${text.trimEnd()}\n`).join('');
}

export function readRecording(text: string): RecordedMessage[] {
  return text
    .split(/^--- (?=client\n|server\n)/m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { from: part.slice(0, end) === 'client' ? 'client' : 'server', text: part.slice(end + 1).trimEnd() };
    });
}
