// The example systems of docs/tools.md, asked as a call asks them.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runHttpTool, ToolConnections } from '../../models/tools/http-tool.ts';
import type { HttpTool } from '../../models/tools/tool.ts';

const example = (name: string) => fileURLToPath(new URL(`../../docs/examples/tools/${name}`, import.meta.url));

async function proves(t: TestContext, command: string, file: string): Promise<void> {
  const child = spawn(command, [file], { env: { ...process.env, PORT: '0', TOOL_TOKEN: 's3cret' } });
  t.after(() => child.kill());
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data) => resolve(String(data).match(/port (\d+)/)?.[1] ?? ''));
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
  });
  const connections = new ToolConnections({ allowPrivate: true });
  t.after(() => connections.close());
  const tool = (path: string, token = 's3cret'): HttpTool => ({
    id: 'tol_1',
    name: 'find_order',
    description: 'Finds an order.',
    method: 'POST',
    url: `http://127.0.0.1:${port}${path}`,
    headers: { Authorization: `Bearer ${token}` },
    parameters: {
      type: 'object',
      properties: { number: { type: 'string' }, direction: { type: 'string' }, fromNumber: { type: 'string' } },
    },
    timeoutMs: 5_000,
  });
  const ask = async (path: string, given: object, key: string, token?: string) => {
    const inputs = { arguments: { ...given }, values: {}, headerValues: {}, key };
    return (await runHttpTool(tool(path, token), inputs, connections)).result;
  };
  const found = await ask('/orders', { number: '4711' }, 'k1');
  assert.ok(found.ok && (found.data as { state: string }).state === 'shipped');
  assert.deepEqual(await ask('/orders', { number: 'another' }, 'k1'), found, 'the same wish is done once');
  const unknown = await ask('/orders', { number: '1' }, 'k2');
  assert.ok(unknown.ok && (unknown.data as { state: string }).state === 'unknown');
  const who = await ask('/who-calls', { direction: 'inbound', fromNumber: '+12025550143' }, 'k3');
  assert.deepEqual(who.ok && who.data, { variables: { customer: 'Ada Lovelace', tier: 'gold' } });
  assert.equal((await ask('/orders', {}, 'k4', 'wrong')).ok, false);
}

test('the Node example of the docs answers tools and look-ups', (t) =>
  proves(t, process.execPath, example('node.mjs')));

const python = spawnSync('python3', ['--version']).status === 0;
test('the Python example of the docs does, too', { skip: !python && 'no python3 here' }, (t) =>
  proves(t, 'python3', example('python.py')),
);
