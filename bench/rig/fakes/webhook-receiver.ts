// The far side of the webhook bench, in a process of its own: a TLS receiver that records when each event arrives. Path
// /hang never answers. Controlled by messages: `reset`, `report`.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

const file = (name: string) => fileURLToPath(new URL(`../tls/${name}`, import.meta.url));

export interface ReceiverReport {
  received: number;
  firstAtMs: number;
  lastAtMs: number;
  /** Arrival time minus the event's createdAt. */
  lagsMs: number[];
  hanging: number;
}

let report: ReceiverReport = empty();

function empty(): ReceiverReport {
  return { received: 0, firstAtMs: 0, lastAtMs: 0, lagsMs: [], hanging: 0 };
}

const CREATED_AT = /"createdAt":"([^"]+)"/;

const server = createServer({ key: readFileSync(file('server.key')), cert: readFileSync(file('server.pem')) });
server.on('request', (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8');
    if (body.includes('"webhook.probe"')) {
      response.writeHead(204).end();
      return;
    }
    if (request.url === '/hang') {
      report.hanging++;
      return;
    }
    const nowMs = Date.now();
    report.received++;
    report.firstAtMs ||= nowMs;
    report.lastAtMs = nowMs;
    report.lagsMs.push(nowMs - Date.parse(CREATED_AT.exec(body)?.[1] ?? ''));
    response.writeHead(204).end();
  });
});
process.on('message', (message) => {
  if (message === 'reset') report = empty();
  if (message === 'report') process.send?.(report);
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
