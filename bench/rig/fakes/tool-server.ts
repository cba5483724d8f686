// A tenant's system: answers requests of tools by a function, and keeps what it was asked.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ToolQuestion {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  /** As JSON where it is JSON, else as text. */
  body: unknown;
  atMs: number;
}

export interface ToolServer {
  origin: string;
  questions: ToolQuestion[];
  close(): Promise<void>;
}

/** On loopback. `answer` ends the response, or lets it hang. */
export async function startToolServer(
  answer: (question: ToolQuestion, response: ServerResponse) => void,
): Promise<ToolServer> {
  const questions: ToolQuestion[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const question = {
        method,
        url,
        headers,
        body: parsed(Buffer.concat(chunks).toString()),
        atMs: performance.now(),
      };
      questions.push(question);
      answer(question, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    questions,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function answerJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
