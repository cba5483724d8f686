// The examples of the pages are run as a reader would: every ```sh run block of a page, in order, in one shell, against
// one service. A block marked `shared` comes before those of every page.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ADMIN } from '../../bench/rig/service/service.ts';
import { useService } from '../support/use-service.ts';

const DOCS = new URL('../../docs/', import.meta.url);
const FENCE = /^```sh run( shared)?\n([\s\S]*?)^```$/gm;

interface Page {
  name: string;
  shared: string[];
  blocks: string[];
}

const pages: Page[] = readdirSync(DOCS)
  .filter((name) => name.endsWith('.md'))
  .map((name) => {
    const found = [...readFileSync(new URL(name, DOCS), 'utf8').matchAll(FENCE)];
    const code = (isShared: boolean) =>
      found.filter((match) => Boolean(match[1]) === isShared).map((match) => match[2] ?? '');
    return { name, shared: code(true), blocks: code(false) };
  });
const shared = pages.flatMap((page) => page.shared);

const { service } = useService();

function bash(script: string, environment: Record<string, string>): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', script], {
      cwd: fileURLToPath(new URL('..', DOCS)),
      env: { ...process.env, ...environment },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        output += data;
      });
    }
    child.on('close', (code) => resolve({ code, output }));
  });
}

test('some pages have examples that run', () => {
  assert.ok(pages.filter(({ blocks }) => blocks.length > 0).length >= 5);
});

for (const { name, blocks } of pages.filter((page) => page.blocks.length > 0)) {
  test(`the examples of docs/${name} run`, async () => {
    const script = ['set -euo pipefail', ...shared, ...blocks].join('\n');
    const { code, output } = await bash(script, {
      BASE: service.apiUrl,
      TOKEN: await service.login(),
      EMAIL: ADMIN.email,
      PASSWORD: ADMIN.password,
    });
    assert.equal(code, 0, output);
    // `node -p` prints it where an example reads a field that is not there.
    assert.doesNotMatch(output, /^undefined$/m, output);
  });
}
