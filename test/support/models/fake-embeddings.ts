// A server of `POST /v1/embeddings` for tests: its vectors have a number for each meaning that it knows, and it fails
// as it is told.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface EmbeddingsRequest {
  model: string;
  input: string[];
  dimensions: number;
  authorization: string | undefined;
}

export type EmbeddingsAnswer =
  | 'vectors'
  | 'hang'
  | 'backwards'
  | { status: number; headers?: Record<string, string>; body?: string };

/** Words that mean the same have the same place. */
const MEANINGS: readonly string[][] = [
  ['legionella', 'bacteria', 'germs'],
  ['warranty', 'guarantee', 'broken'],
  ['opening', 'hours', 'closed'],
  ['price', 'cost', 'euros'],
];

export class FakeEmbeddings {
  readonly requests: EmbeddingsRequest[] = [];
  /** One for each request, the last for all others. */
  script: EmbeddingsAnswer[] = ['vectors'];
  readonly #server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += String(chunk);
    });
    request.on('end', () => {
      const asked = JSON.parse(text) as EmbeddingsRequest;
      this.requests.push({ ...asked, authorization: request.headers.authorization });
      const answer = this.script.length > 1 ? this.script.shift() : this.script[0];
      this.#answer(response, asked, answer ?? 'vectors');
    });
  });

  static async start(): Promise<FakeEmbeddings> {
    const fake = new FakeEmbeddings();
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(response: ServerResponse, { input, dimensions }: EmbeddingsRequest, answer: EmbeddingsAnswer): void {
    if (answer === 'hang') return;
    if (typeof answer === 'object') {
      response.writeHead(answer.status, answer.headers).end(answer.body ?? '{"error":{"message":"no"}}');
      return;
    }
    const data = input.map((text, index) => ({ index, embedding: meaningOf(text, dimensions) }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: answer === 'backwards' ? data.reverse() : data }));
  }
}

function meaningOf(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0.01);
  for (const [at, words] of MEANINGS.entries())
    for (const word of words) if (text.toLowerCase().includes(word)) vector[at] = 0.9;
  return vector;
}
