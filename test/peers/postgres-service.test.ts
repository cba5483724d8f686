// The whole service on PostgreSQL: calls, restarts, a database that is away, and a second engine, which is refused.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../bench/rig/database/postgres-server.ts';
import { Rest } from '../../bench/rig/service/rest.ts';
import { freshEnvironment, type Service, startService } from '../../bench/rig/service/service.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { greeted, say, testCaller } from '../support/conversation.ts';

const skip = postgresPrograms === null ? 'PostgreSQL is not installed' : false;
const SECRETS = {
  SEALING_KEY: Buffer.alloc(32, 1).toString('base64url'),
  JWT_SECRET: Buffer.alloc(32, 2).toString('base64url'),
};

let server: PostgresServer;
let service: Service;
let rest: Rest;
let question: Int16Array;
/** A call whose work after the call is over by the last test. */
let recorded: string;
const folder = mkdtempSync(join(tmpdir(), 'voice-postgres-'));
before(async () => {
  if (skip) return;
  server = await startPostgres();
  service = await startService({ DATABASE_URL: server.url, ...SECRETS }, folder);
  rest = await new Rest(service).login();
  question = await renderSpeech('What are your opening hours?', 'flite-slt');
});
after(async () => {
  if (!skip) {
    await service.stop();
    await server.stop();
  }
  rmSync(folder, { recursive: true, force: true });
});

test('a call is answered, talked to, recorded and kept, and DATA_DIR has no database', { skip }, async () => {
  const { caller, number } = await greeted(service);
  await say(caller, question);
  await caller.hangUp();
  const call = await rest.endedCall(number);
  assert.equal(call.status, 'COMPLETED');
  assert.match(call.transcript.map((entry) => entry.text).join(' '), /opening hours/i);
  assert.equal((await rest.bytes(`/calls/${call.id}/audio`)).status, 200);
  assert.deepEqual(
    readdirSync(folder).filter(
      (name) => name.includes('voice.db') || name.endsWith('.key') || name.endsWith('.secret'),
    ),
    [],
  );
  recorded = call.id;
});

test('a second engine in the same folder is refused, and the first keeps its calls', { skip }, async () => {
  const { caller, number } = await greeted(service);
  const second = spawnSync(process.execPath, ['supervise.mjs', 'run', 'engine/main.ts'], {
    env: { ...process.env, ...freshEnvironment(folder), DATABASE_URL: server.url, ...SECRETS },
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(second.status, 2, second.stdout + second.stderr);
  assert.match(second.stderr, /^DATA_DIR: another engine runs in this folder: give this one a folder of its own/);
  assert.equal(caller.ended, false);
  await caller.hangUp();
  assert.equal((await rest.endedCall(number)).status, 'COMPLETED');
});

test('while the database is away calls go on, and each end is written once when it is back', { skip }, async () => {
  const staying = await greeted(service);
  const leaving = await greeted(service);
  await server.kill();
  await rest.eventually('/readyz', async () => (await fetch(`${service.apiUrl}/readyz`)).status === 503);
  await leaving.caller.hangUp();
  // The agent still answers: nothing in a call waits for the database.
  await say(staying.caller, question);
  const { caller: late } = testCaller(service);
  await assert.rejects(late.answered());
  const refused = late.events.find((event) => event.type === 'ended');
  assert.equal(refused?.type === 'ended' && refused.status, 503);
  late.call.close();
  await server.start();
  await rest.eventually('/readyz', async () => (await fetch(`${service.apiUrl}/readyz`)).status === 200);
  assert.equal(staying.caller.ended, false);
  await staying.caller.hangUp();
  for (const { number } of [staying, leaving]) {
    const call = await rest.endedCall(number);
    assert.equal(call.status, 'COMPLETED');
    assert.equal((await rest.callsFrom(number)).length, 1);
  }
});

test('without an object store a recording stays on the disk until its call is erased', { skip }, async () => {
  assert.equal((await rest.bytes(`/calls/${recorded}/audio`)).status, 200);
  await rest.must('DELETE', `/calls/${recorded}`);
  assert.equal(existsSync(join(folder, 'recordings', `${recorded}.wav`)), false);
});
