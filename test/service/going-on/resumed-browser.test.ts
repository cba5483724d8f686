// The engine is killed with -9 under browser calls, or replaced by an upgrade: the browser joins again at the same
// address, and the call goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import type { Call } from '../../../api/dashboard/app/api-types.ts';
import { pause } from '../../../bench/rig/conversation/scenario.ts';
import { processesOf } from '../../../bench/rig/service/engine-threads.ts';
import { renderSpeech, resampleWhole } from '../../../engine/test-runs/caller/speech.ts';
import { decodeWav } from '../../../media/wav.ts';
import { nightly } from '../../support/nightly.ts';
import { useService } from '../../support/use-service.ts';
import { WebCaller } from '../../support/web-caller.ts';

const { service, rest } = useService();

const RATE = 16_000;
const question = resampleWhole(await renderSpeech('What are your opening hours?', 'flite-slt'), 8_000, RATE);

const killEngine = (): void => {
  process.kill(processesOf(service.process.pid ?? 0).engine, 'SIGKILL');
};

const statusOf = (url: string): Promise<number> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url);
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('open', () => resolve(101));
    socket.on('error', () => undefined);
  });

const endOf = (id: string): Promise<Call> =>
  rest.eventually('the end', async () => {
    const call = await rest.must('GET', `/calls/${id}`);
    return call.endedAt ? call : null;
  });

test('a browser call outlives its engine: an apology, an answer, one recording and one end', async () => {
  const caller = await WebCaller.greeted(rest);
  const { call, socketUrl } = caller;
  killEngine();
  await caller.heard('the apology');
  assert.equal(caller.joins, 2);
  assert.equal(await statusOf(socketUrl), 401, 'the token is taken once again');
  caller.say(question);
  await caller.heard('the answer');
  caller.hangUp();
  const ended = await endOf(call.id);
  assert.deepEqual([ended.status, ended.endReason], ['COMPLETED', 'caller_hangup']);
  const said = ended.transcript.map(({ speaker, text }) => `${speaker}: ${text}`);
  assert.match(said[0] ?? '', /^agent: Thank you for calling/);
  assert.equal(said[1], 'agent: Sorry, I lost you for a moment. You were saying?');
  assert.match(said[2] ?? '', /^caller: .*opening hours/i);
  assert.match(said[3] ?? '', /^agent: /);
  const [resumption, ...more] = ended.resumptions ?? [];
  assert.deepEqual([resumption?.cause, more], ['crash', []]);
  const wav = decodeWav((await rest.bytes(`/calls/${call.id}/audio`)).body);
  assert.equal(wav.sampleRateHz, RATE);
  const seconds = (wav.channelsSamples[0]?.length ?? 0) / wav.sampleRateHz;
  assert.ok(Math.abs(seconds - ended.durationSeconds) <= 1.5, `${seconds} s of ${ended.durationSeconds} were recorded`);
});

test('a browser that does not come back has talked until its engine died', { skip: nightly }, async () => {
  const caller = await WebCaller.greeted(rest);
  const { call } = caller;
  const { startedAt } = call;
  // On a busy machine the journal has a call this late.
  await pause(2_000);
  // In this order: a page that closes just before is another case.
  killEngine();
  caller.vanish();
  const diedAtMs = Date.now();
  const ended = await endOf(call.id);
  assert.equal(ended.endReason, 'media_timeout');
  const talkedMs = diedAtMs - Date.parse(startedAt);
  assert.ok(Math.abs(ended.durationSeconds * 1000 - talkedMs) < 3_000, `${ended.durationSeconds} s of ${talkedMs} ms`);
});
