// The tools of tenants as a call gets them: so many and so long, and no session with a server that it has no tool of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { ToolTable } from '../../../db/schema/tools.ts';
import { TenantTools } from '../../../engine/call/own-tools.ts';

const ROW: ToolTable = {
  id: 'tol_1',
  accountId: 'acc_1',
  name: 'shop',
  description: 'Asks the shop.',
  kind: 'mcp',
  url: 'https://shop.example/mcp',
  method: 'POST',
  headerNames: '[]',
  headersSealed: null,
  parameters: '{"type":"object","properties":{}}',
  timeoutMs: 5_000,
  mode: 'wait',
  sayWhile: null,
  assigns: '{}',
  phrases: '[]',
  whenInterrupted: 'finish',
  onlyNames: null,
  catalogue: null,
  catalogueAt: null,
  catalogueTriedAt: null,
  catalogueError: null,
  createdAt: 0,
  version: 1,
  deletedAt: null,
};

const server = (name: string, tools: number, words: number): ToolTable => ({
  ...ROW,
  id: `tol_${name}`,
  name,
  catalogue: JSON.stringify(
    Array.from({ length: tools }, (_, n) => ({
      name: `t${n}`,
      description: 'x'.repeat(words),
      parameters: { type: 'object' },
    })),
  ),
});

function opened(rows: readonly ToolTable[]) {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const own = new TenantTools({ secretKey: Buffer.alloc(32), allowPrivate: true, log });
  const { tools } = own.open(rows);
  return { names: tools.map(({ name }) => name), isCut: lines.some((line) => line.includes('too many tools')) };
}

test('a call has at most 128 tools, the first of its rows', () => {
  const { names, isCut } = opened([server('a', 100, 10), server('b', 100, 10), { ...ROW, kind: 'http' }]);
  assert.deepEqual([names.length, names.at(-1), isCut], [128, 'b_t27', true]);
  assert.deepEqual(opened([server('a', 100, 10), { ...ROW, kind: 'http' }]).isCut, false);
});

test('their definitions have at most 64 KiB together', () => {
  const { names, isCut } = opened([server('a', 20, 1_000), server('b', 100, 1_000), server('c', 1, 10)]);
  assert.ok(names.length > 50 && names.length < 64, `${names.length}`);
  assert.ok(isCut);
});
