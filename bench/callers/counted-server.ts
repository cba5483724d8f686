// Stands between the service and a server of transcriptions, and counts the requests and the seconds of sound that it
// is asked for. Answers and refusals pass as they are.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withoutTrailingSlashes } from '../../db/shared/net/base-url.ts';
import { encodeWav } from '../../media/wav.ts';
import { RATE_HZ } from './recordings.ts';

export interface AskedFor {
  requests: number;
  /** Requests that the service gave up before their answer. */
  dropped: number;
  seconds: number;
}

export class CountedServer {
  readonly #base: string;
  readonly #http: Server;
  asked: AskedFor = { requests: 0, dropped: 0, seconds: 0 };

  /** @param base the server's address, which ends in `/v1` */
  constructor(base: string) {
    this.#base = withoutTrailingSlashes(base);
    this.#http = createServer((request, response) => void this.#pass(request, response));
  }

  async start(): Promise<string> {
    this.#http.listen(0, '127.0.0.1');
    await once(this.#http, 'listening');
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/v1`;
  }

  stop(): void {
    this.#http.close();
    this.#http.closeAllConnections();
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    this.asked.requests++;
    this.asked.seconds += soundSeconds(body);
    const type = request.headers['content-type'] ?? '';
    const key = request.headers.authorization;
    try {
      const answer = await fetch(`${this.#base}${(request.url ?? '').replace(/^\/v1/, '')}`, {
        method: 'POST',
        headers: { 'content-type': type, ...(key === undefined ? {} : { authorization: key }) },
        body: new Uint8Array(body),
        signal: gone.signal,
      });
      const text = await answer.text();
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
      response.end(text);
    } catch {
      if (gone.signal.aborted) this.asked.dropped++;
      else response.writeHead(502).end();
    }
  }
}

/** Of the WAV file in a form: PCM16 of one channel. */
function soundSeconds(body: Buffer): number {
  const at = body.indexOf('RIFF');
  if (at < 0) return 0;
  const rateHz = body.readUInt32LE(at + 24);
  return (body.readUInt32LE(at + 4) - 36) / 2 / rateHz;
}

/** The words of one request for all of `samples`. @param prompt names to expect; empty: none */
export async function transcribeWhole(base: string, apiKey: string, samples: Int16Array, prompt = ''): Promise<string> {
  const form = new FormData();
  const wav = encodeWav({ channels: 1, sampleRateHz: RATE_HZ }, samples);
  form.set('file', new Blob([new Uint8Array(wav)], { type: 'audio/wav' }), 'turn.wav');
  form.set('model', 'whisper-1');
  form.set('response_format', 'json');
  form.set('language', 'en');
  if (prompt !== '') form.set('prompt', prompt);
  const answer = await fetch(`${withoutTrailingSlashes(base)}/audio/transcriptions`, {
    method: 'POST',
    headers: apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` },
    body: form,
  });
  if (!answer.ok) throw new Error(`the server answered ${answer.status} to a whole turn`);
  return ((await answer.json()) as { text: string }).text;
}
