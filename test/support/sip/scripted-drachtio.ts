// A drachtio with scripted peers: it passes the engine requests from any address, and keeps the engine's answers and
// requests.
import { randomUUID } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { parseMessage, type SipRequest, type SipResponse } from '../../../engine/sip/stack/wire/message.ts';
import { DrachtioFramer } from './drachtio-recorder.ts';

export interface ScriptedDrachtio {
  port: number;
  /** Requests that the engine sent. */
  requests: SipRequest[];
  /** Receives a request, given by its lines without Content-Length; resolves with the engine's final response. */
  receive(lines: readonly string[], from: { address: string; port: number }, body?: string): Promise<SipResponse>;
  close(): void;
}

export async function startScriptedDrachtio(): Promise<ScriptedDrachtio> {
  const requests: SipRequest[] = [];
  const waiting = new Map<string, (response: SipResponse) => void>();
  let socket: Socket | null = null;
  const write = (text: string): void => {
    socket?.write(`${Buffer.byteLength(text)}#${text}`);
  };
  const handle = (payload: string): void => {
    const end = payload.indexOf('\r\n');
    const [id = '', command, transaction = ''] = payload.slice(0, end < 0 ? undefined : end).split('|');
    if (command === 'authenticate') {
      return write(`${randomUUID()}|response|${id}|OK|udp/10.0.0.1:5060|v0.9.10|udp/10.0.0.1:5060`);
    }
    if (command !== 'sip') return write(`${randomUUID()}|response|${id}|OK`);
    const text = payload.slice(end + 2);
    // drachtio writes this header, not the engine.
    const message = parseMessage(Buffer.from(text.includes('\r\n\r\n') ? text : `${text}\r\n\r\n`))?.message;
    if (message?.kind === 'request') requests.push(message);
    else if (message !== undefined && message.status >= 200) waiting.get(transaction)?.(message);
  };
  const server = createServer((client) => {
    socket = client;
    const framer = new DrachtioFramer();
    client.on('error', () => {});
    client.on('data', (bytes) => {
      for (const payload of framer.push(bytes)) handle(payload);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    requests,
    receive(lines, from, body = '') {
      const text = [...lines, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
      const transaction = randomUUID();
      const meta = [Buffer.byteLength(text), 'udp', from.address, from.port, '12:00:00.000000', transaction];
      return new Promise((resolve) => {
        waiting.set(transaction, resolve);
        write(`${randomUUID()}|sip|network|${meta.join('|')}||10.0.0.1|5060|\r\n${text}`);
      });
    },
    close() {
      socket?.destroy();
      server.close();
    },
  };
}
