// Engines that are being loaded again after a crash: with which a call may go on, and what becomes of words that were
// sent to a thread that did not run yet.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { MessagePort } from 'node:worker_threads';
import { EarlyPorts, fitting, rememberedEngines } from '../../../engine/models/early-engines.ts';

const remembered = rememberedEngines({
  turnEnd: 'rules',
  stt: { engine: 'soundswallower', description: { freeText: false } },
  tts: { engine: 'flite', description: { voices: [] } },
});
const wanted = { turnEnd: 'rules', stt: 'soundswallower', tts: 'flite', hasSpeechToSpeech: false } as const;

test('calls go on early with the engines of the process before, and with no others', () => {
  assert.equal(fitting(remembered, wanted), remembered);
  for (const [what, other] of [
    ['another recogniser', { ...wanted, stt: 'openai' }],
    ['another voice', { ...wanted, tts: 'openai' }],
    ['another model of turn ends', { ...wanted, turnEnd: 'smart-turn' }],
    ['a speech-to-speech model', { ...wanted, hasSpeechToSpeech: true }],
  ] as const)
    assert.equal(fitting(remembered, other), null, what);
});

test('nobody goes on early by the note of another release, or without one', () => {
  assert.equal(fitting({ ...remembered, version: 0 }, wanted), null);
  assert.equal(fitting(null, wanted), null);
});

test('what a shard sends before a worker is there waits for it, in order', async () => {
  const early = new EarlyPorts({ vad: 1, stt: 2, tts: 1, turnEnd: 0 });
  const ports = early.connectAll(3);
  assert.deepEqual([ports.vadIndex, ports.stt.length, ports.turnEnd, ports.speechModel], [0, 2, null, null]);
  ports.stt[1]?.postMessage('one');
  ports.stt[1]?.postMessage('two');
  const taken: Array<{ index: number; port: MessagePort }> = [];
  early.handOver('stt', { adopt: (index, port) => taken.push({ index, port }) });
  assert.deepEqual(
    taken.map(({ index }) => index),
    [0, 1],
  );
  const heard: unknown[] = [];
  const port = taken[1]?.port;
  assert.ok(port);
  port.on('message', (message) => heard.push(message));
  await once(port, 'message');
  if (heard.length < 2) await once(port, 'message');
  assert.deepEqual(heard, ['one', 'two']);
  early.handOver('stt', { adopt: () => assert.fail('the ports were handed over before') });
  for (const each of [...ports.stt, ...ports.tts, ports.vad, ...taken.map((one) => one.port)]) each.close();
});
