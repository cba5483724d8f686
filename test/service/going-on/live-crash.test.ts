// Listeners and supervisors when the engine dies, and what the caller learns of listeners.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTone, tone } from '../../../bench/rig/conversation/tones.ts';
import { reservePort } from '../../../bench/rig/network/reserved-port.ts';
import { processesOf } from '../../../bench/rig/service/engine-threads.ts';
import { rms } from '../../../media/frame.ts';
import { decodeWav } from '../../../media/wav.ts';
import { greeted } from '../../support/conversation.ts';
import { Listener } from '../../support/listener.ts';

import { PERSON_HZ } from '../../support/sip/transfers.ts';
import { upgrade } from '../../support/upgrade.ts';
import { useService } from '../../support/use-service.ts';
import { WebCaller } from '../../support/web-caller.ts';

const NOTICE_HZ = 440;
// A port that both engines of an upgrade want.
const environment = { MAX_CALLS: '10', LLM: 'receptionist', MEDIA_WS_PORT: `${await reservePort()}` };
const { service, rest } = useService(environment);

async function onTheLine() {
  const { caller, number } = await greeted(service, { record: true });
  const [call] = await rest.callsFrom(number);
  assert.ok(call);
  return { caller, number, id: call.id, campaignId: call.campaignId };
}

test('the engine dies while somebody has taken the call over: the agent is back, the mask stays, another listening is heard', async () => {
  const { caller, number, id } = await onTheLine();
  const { status } = await rest.request('POST', `/calls/${id}/control`, { kind: 'recording', recording: 'mask' });
  assert.equal(status, 200);
  const maskedAt = performance.now();
  const listener = await Listener.of(rest, id);
  listener.mode('take-over');
  listener.say(tone([PERSON_HZ], 3_000, 6_000, 16_000));
  await rest.eventually('the caller hears the person', async () =>
    caller.call.heard.some((samples) => isTone(PERSON_HZ, samples)),
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  const killedAt = performance.now();
  process.kill(processesOf(service.process.pid ?? 0).engine, 'SIGKILL');
  await rest.eventually('the socket is closed', async () => listener.closeCode !== null);
  await caller.until(
    'the agent is back',
    () => caller.frames.some((f) => f.isSound && f.atMs > killedAt + 300),
    60_000,
  );
  const again = await rest.eventually('another engine lets listen', async () => {
    const answer = await rest.request('POST', `/calls/${id}/listen`);
    return answer.status === 201 ? answer.body.data : null;
  });
  assert.notEqual(again.id, listener.id);
  const heard = await Listener.of(rest, id);
  await rest.eventually('what was said before is told', async () =>
    heard.told.some(({ type, text }) => type === 'transcript' && /Thank you for calling/.test(text ?? '')),
  );
  assert.ok(heard.told.some((told) => told.type === 'control' && JSON.stringify(told).includes('"isMasked":true')));
  await caller.hangUp();
  await rest.endedCall(number);
  const { channelsSamples, sampleRateHz } = decodeWav((await rest.bytes(`/calls/${id}/audio`)).body);
  const from = ((maskedAt + 1_000 - (caller.call.answeredAtMs ?? 0)) * sampleRateHz) / 1_000;
  for (const side of channelsSamples) assert.equal(rms(side.subarray(Math.round(from))), 0, 'masked to its end');
});

test('at an upgrade listeners are told to ask again, a muted agent stays muted, and who talked has to take over again', async () => {
  const { caller, id } = await onTheLine();
  assert.equal((await rest.request('POST', `/calls/${id}/control`, { kind: 'mute' })).status, 200);
  const listener = await Listener.of(rest, id);
  listener.mode('take-over');
  await rest.eventually('it is taken over', async () => listener.told.some(({ mode }) => mode === 'take-over'));
  const { code, output } = await upgrade(service);
  assert.equal(code, 0, output);
  assert.equal(listener.closeCode, 1012);
  await rest.login();
  const again = await Listener.of(rest, id);
  const told = again.told.find(({ type }) => type === 'control');
  assert.deepEqual(told, { type: 'control', isMuted: true, isMasked: false, speaker: null });
  again.mode('take-over');
  again.say(tone([PERSON_HZ], 3_000, 6_000, 16_000));
  const from = caller.call.heard.length;
  await rest.eventually('the caller hears the person again', async () =>
    caller.call.heard.slice(from).some((samples) => isTone(PERSON_HZ, samples)),
  );
  await caller.hangUp();
});

test('a browser call is listened to as any other', async () => {
  const browser = await WebCaller.greeted(rest);
  const listener = await Listener.of(rest, browser.call.id);
  browser.say(tone([1_250], 3_000, 6_000, 16_000));
  await rest.eventually('the browser is heard', async () => listener.heard.some(({ caller }) => rms(caller) > 2_000));
  browser.hangUp();
  await rest.eventually('the socket closes with the call', async () => listener.closeCode === 1000);
});

test('the caller hears that somebody listens, as the campaign wants it, once', async () => {
  const first = await onTheLine();
  const path = `/campaigns/${first.campaignId}` as const;
  await first.caller.hangUp();
  await rest.must('PATCH', path, { listeningNotice: 'tone' });
  const { caller, id } = await onTheLine();
  const from = caller.call.heard.length;
  await Listener.of(rest, id);
  const isBeep = (samples: Int16Array) =>
    rms(samples) > 300 &&
    isTone(
      NOTICE_HZ,
      samples.map((sample) => sample * 3),
    );
  await rest.eventually('the tone', async () => caller.call.heard.slice(from).some(isBeep));
  await caller.hangUp();
  await rest.must('PATCH', path, { listeningNotice: 'announcement' });
  const second = await onTheLine();
  await Listener.of(rest, second.id);
  await rest.eventually('the announcement', async () =>
    (await rest.must('GET', `/calls/${second.id}/transcript`)).some(({ text }) =>
      /listened to by a colleague/.test(text),
    ),
  );
  await second.caller.hangUp();
  await rest.must('PATCH', path, { listeningNotice: 'none' });
});
