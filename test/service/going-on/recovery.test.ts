// The engine is killed with -9 mid-call: the caller gets BYE, the call is closed once, its recording ends at the kill.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { Rest } from '../../../bench/rig/service/rest.ts';
import { startService } from '../../../bench/rig/service/service.ts';
import { decodeWav } from '../../../media/wav.ts';
import { greeted, testCaller } from '../../support/conversation.ts';
import { useService } from '../../support/use-service.ts';

const { service, rest } = useService({ RESUME_CALLS: 'off' });

/** Pids of the supervisor's children that run this file. */
const pidOf = (file: string, of = service): number => {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(of.process.pid)], {
    encoding: 'utf8',
  }).split('\n');
  const line = lines.find((candidate) => candidate.includes(file));
  assert.ok(line, `${file} runs`);
  return Number(line.trim().split(' ')[0]);
};

const readyStatus = async (): Promise<number> => (await fetch(`${service.apiUrl}/readyz`)).status;

test('a killed engine comes back, hangs up its old calls, and closes each once', async () => {
  const { caller, number } = await greeted(service);
  const before = await rest.eventually('the live call', async () => (await rest.callsFrom(number))[0]);
  assert.equal(before.status, 'IN_PROGRESS');
  const enginePid = pidOf('engine/main.ts');
  process.kill(enginePid, 'SIGKILL');
  await rest.eventually('/readyz says so', async () => (await readyStatus()) === 503);
  // The API keeps running.
  assert.equal((await rest.request('GET', '/agents')).status, 200);
  await caller.until('BYE after the restart', () => caller.ended, 30_000);
  const call = await rest.endedCall(number);
  assert.equal(call.status, 'FAILED');
  assert.equal(call.endReason, 'crash');
  assert.match(call.transcript[0]?.text ?? '', /Thank you for calling/);
  const audio = await rest.bytes(`/calls/${call.id}/audio`);
  assert.equal(audio.status, 200);
  const wav = decodeWav(audio.body);
  const seconds = (wav.channelsSamples[0]?.length ?? 0) / wav.sampleRateHz;
  assert.ok(seconds > 2, `${seconds} s were recorded before the kill`);
  await rest.eventually('/readyz', async () => (await readyStatus()) === 200);
  assert.notEqual(pidOf('engine/main.ts'), enginePid);

  const again = testCaller(service);
  await again.caller.answered();
  await again.caller.agentSound(0);
  await again.caller.hangUp();
  caller.call.close();
});

test('a killed API comes back while the call goes on without a gap', async () => {
  const { caller, number } = testCaller(service);
  await caller.answered();
  await caller.agentSound(0);
  const from = caller.frames.length;
  process.kill(pidOf('api/main.ts'), 'SIGKILL');
  await rest.eventually('the API', async () => (await readyStatus().catch(() => 0)) === 200);
  const sequences = caller.frames.slice(from).map((frame) => frame.sequence);
  assert.ok(sequences.length > 20);
  for (let index = 1; index < sequences.length; index++) {
    assert.equal(((sequences[index] ?? 0) - (sequences[index - 1] ?? 0)) & 0xffff, 1, 'no packet is missing');
  }
  await caller.hangUp();
  const call = await rest.endedCall(number);
  assert.equal(call.status, 'COMPLETED');
});

test('SIGTERM to every process at once lets a running call finish; a second one ends it with a complete record', async () => {
  const other = await startService({ DRAIN_SECONDS: '60' });
  const records = await new Rest(other).login();
  const { caller, number } = await greeted(other);
  const signalledAtMs = performance.now();
  // As systemd stops a unit whose KillMode is control-group; npm passes its own on as well.
  const pids = [other.process.pid ?? 0, pidOf('engine/main.ts', other), pidOf('api/main.ts', other)];
  for (const pid of [...pids, ...pids]) process.kill(pid, 'SIGTERM');
  await records.eventually('the drain', async () => (await fetch(`${other.apiUrl}/readyz`)).status === 503);
  // The API may have heard it before the engine.
  await records.eventually('the engine’s', async () => other.output().includes('stopping: no new calls'));
  const { caller: late } = testCaller(other);
  await assert.rejects(late.answered());
  const refused = late.events.find((event) => event.type === 'ended');
  assert.equal(refused?.type === 'ended' && refused.status, 503);
  late.call.close();
  // The API keeps serving while calls run.
  assert.equal((await records.callsFrom(number))[0]?.status, 'IN_PROGRESS');
  // A busy process may hear the first one late, and for a second takes every other for its repetition.
  await records.eventually('the first signal is past', async () => performance.now() - signalledAtMs > 3_000);
  assert.equal(caller.ended, false);
  const exited = new Promise<number | null>((resolve) => other.process.once('exit', resolve));
  other.process.kill('SIGTERM');
  await caller.until('BYE', () => caller.ended, 10_000);
  assert.equal(await exited, 0);
  caller.call.close();
});
