// `npm run upgrade` under calls: the new engine takes them, nobody is cut off, and the API follows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reservePort } from '../../../bench/rig/network/reserved-port.ts';
import { processesOf } from '../../../bench/rig/service/engine-threads.ts';
import { renderSpeech, resampleWhole } from '../../../engine/test-runs/caller/speech.ts';
import { greeted, say } from '../../support/conversation.ts';
import { nightly } from '../../support/nightly.ts';
import { upgrade } from '../../support/upgrade.ts';
import { useService } from '../../support/use-service.ts';
import { WebCaller } from '../../support/web-caller.ts';

// Ports that both engines want, as on a machine of its own.
const { service, rest } = useService({ MEDIA_WS_PORT: `${await reservePort()}` });

test('calls change hands: the same streams, a short gap, no word about it, one recording and one end', async () => {
  const callers = await Promise.all([greeted(service), greeted(service)]);
  const before = processesOf(service.process.pid ?? 0);
  const { code, output } = await upgrade(service);
  assert.equal(code, 0, output);
  assert.match(output, /the new engine has the calls, after \d+ ms/);
  // The former ones end a moment later.
  await rest.eventually('the former processes have ended', async () => {
    const after = processesOf(service.process.pid ?? 0);
    return after.engine !== before.engine && after.api !== before.api;
  });
  const question = await renderSpeech('What are your opening hours?', 'flite-slt');
  for (const { caller } of callers) {
    assert.equal(caller.ended, false);
    assert.equal(new Set(caller.frames.map(({ ssrc }) => ssrc)).size, 1);
    await say(caller, question);
    await caller.hangUp();
  }
  await rest.login();
  for (const { number } of callers) {
    const ended = await rest.endedCall(number);
    const call = await rest.must('GET', `/calls/${ended.id}`);
    assert.deepEqual([call.status, call.endReason], ['COMPLETED', 'caller_hangup']);
    assert.deepEqual(
      call.resumptions?.map(({ cause }) => cause),
      ['upgrade'],
    );
    assert.equal(
      call.transcript.some(({ text }) => text.includes('lost you')),
      false,
    );
  }
});

test('a browser is told to join the new engine, and its call goes on', { skip: nightly }, async () => {
  const caller = await WebCaller.greeted(rest);
  const { code, output } = await upgrade(service);
  assert.equal(code, 0, output);
  await rest.login();
  await rest.eventually('the browser in the new engine', async () => caller.joins === 2);
  assert.equal(caller.closeCodes[0], 1012);
  await caller.agentQuiet();
  caller.say(resampleWhole(await renderSpeech('What are your opening hours?', 'flite-slt'), 8_000, 16_000));
  await caller.heard('the answer');
  caller.hangUp();
  const call = await rest.eventually('the end', async () => {
    const record = await rest.must('GET', `/calls/${caller.call.id}`);
    return record.endedAt ? record : null;
  });
  assert.deepEqual([call.status, call.endReason], ['COMPLETED', 'caller_hangup']);
  assert.deepEqual(
    call.resumptions?.map(({ cause }) => cause),
    ['upgrade'],
  );
});

test('a folder that is no release is refused, and nothing has changed', async () => {
  const before = processesOf(service.process.pid ?? 0);
  const { code, output } = await upgrade(service, '--to', service.dataDir);
  assert.equal(code, 2);
  assert.match(output, /--to: .* is no installed release/);
  assert.deepEqual(processesOf(service.process.pid ?? 0), before);
});
