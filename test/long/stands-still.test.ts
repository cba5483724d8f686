// A process of the service that stands still, as one whose first thread turns in a circle: the supervisor ends it, and
// the next one goes on, with its calls too.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Caller, INSTANT, withService } from '../../bench/rig/conversation/scenario.ts';
import { eventually } from '../../bench/rig/eventually.ts';
import { reservePort } from '../../bench/rig/network/reserved-port.ts';
import { Rest } from '../../bench/rig/service/rest.ts';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';

/** The supervisor's child that runs this file. */
function childOf(supervisor: number, file: string): number {
  const children = readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8').trim().split(' ');
  const found = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(file));
  return Number(found ?? Number.NaN);
}

test('an API and an engine that stand still are replaced, and a call goes on', { timeout: 180_000 }, async () => {
  await withService({ ...INSTANT, WARM_STANDBY: 'off' }, async (service) => {
    const supervisor = service.process.pid ?? 0;
    const caller = new Caller(service.sipAddress, 1);
    await caller.answered();
    await caller.agentSound(0);
    const before = ['api/main.ts', 'engine/main.ts'].map((file) => childOf(supervisor, file));
    for (const pid of before) process.kill(pid, 'SIGSTOP');
    const heard = caller.frames.length;
    await eventually(() => /api stands still: it is killed/.test(service.output()));
    await eventually(() => /engine stands still: it is killed/.test(service.output()));
    await caller.until('the line is back', () => caller.frames.length > heard + 50, 60_000);
    const rest = new Rest(service);
    await rest.eventually('the API answers', async () => (await fetch(`${service.apiUrl}/healthz`)).ok);
    const after = ['api/main.ts', 'engine/main.ts'].map((file) => childOf(supervisor, file));
    assert.ok(
      after.every((pid, index) => pid > 0 && pid !== before[index]),
      `${before} ${after}`,
    );
    await caller.hangUp();
  });
});

test('so is an API that is started alone: its launcher ends, and a wrong variable is still told', {
  timeout: 120_000,
}, async () => {
  const launched = (more: Record<string, string>) => {
    const env = { PATH: process.env.PATH, DATA_DIR: temporaryFolder('voice-alone'), API_PORT: '0', ...more };
    const child = spawn(process.execPath, ['supervise.mjs', 'run', 'api/main.ts'], { env, stdio: 'pipe' });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += String(part)));
    return { child, output: () => output, ended: once(child, 'exit') };
  };
  const wrong = launched({ API_PORT: 'many' });
  assert.deepEqual(await wrong.ended, [2, null]);
  assert.match(wrong.output(), /API_PORT/);
  const port = await reservePort();
  const alone = launched({ API_PORT: String(port) });
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(isUp);
  process.kill(childOf(alone.child.pid ?? 0, 'api/main.ts'), 'SIGSTOP');
  const [, signal] = await alone.ended;
  assert.equal(signal, 'SIGKILL');
  assert.match(alone.output(), /api\/main.ts stands still: it is killed/);
});
