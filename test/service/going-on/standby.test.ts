// An engine that stands by: the calls of one that is killed are its own at once, and another one stands by after it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { processesOf } from '../../../bench/rig/service/engine-threads.ts';
import { renderSpeech } from '../../../engine/test-runs/caller/speech.ts';
import { greeted, say } from '../../support/conversation.ts';
import { useService } from '../../support/use-service.ts';

const { service, rest } = useService({ WARM_STANDBY: 'on' });

/** Process ids of the engines that have stood by. */
const stoodBy = (): number[] =>
  [...service.output().matchAll(/"pid":(\d+),"msg":"an engine stands by"/g)].map(([, pid]) => Number(pid));

test('the engine that stands by goes on with the calls of the one that was killed, twice', async () => {
  const { caller, number } = await greeted(service);
  let { engine } = processesOf(service.process.pid ?? 0);
  for (const nth of [1, 2]) {
    const next = await rest.eventually('an engine stands by', async () => stoodBy()[nth - 1]);
    const seen = caller.frames.length;
    process.kill(engine, 'SIGKILL');
    engine = next;
    await caller.until('packets again', () => caller.frames.length > seen + 100, 30_000);
    assert.equal(caller.ended, false);
  }
  assert.equal(service.output().split('"next":"stands by"').length - 1, 2);
  assert.equal(new Set(caller.frames.map(({ ssrc }) => ssrc)).size, 1);
  await say(caller, await renderSpeech('What are your opening hours?', 'flite-slt'));
  await caller.hangUp();
  const ended = await rest.endedCall(number);
  const call = await rest.must('GET', `/calls/${ended.id}`);
  assert.deepEqual([call.status, call.endReason], ['COMPLETED', 'caller_hangup']);
  assert.deepEqual(
    call.resumptions?.map(({ cause }) => cause),
    ['crash', 'crash'],
  );
});

test('WARM_STANDBY that is neither auto, on nor off is one line that names it', () => {
  const { status, stderr } = spawnSync(process.execPath, ['supervise.mjs', 'start'], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: { ...process.env, WARM_STANDBY: 'yes' },
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [2, 'WARM_STANDBY: must be auto, on or off\n']);
});
