// The worker of speech-to-speech sessions with an engine of the test's: many calls on one port, and the faults of a
// plug-in, which concern its call alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { eventually } from '../../../bench/rig/eventually.ts';
import { rms } from '../../../media/frame.ts';
import type {
  SpeechReply,
  SpeechRequest,
  SpeechSession,
  SpeechSessionOptions,
} from '../../../models/speech-to-speech/speech-to-speech.ts';
import { SpeechToSpeechHost } from '../../../models/speech-to-speech/worker.ts';
import { tone } from '../../media/signals.ts';
import { RATE_HZ, SETUP } from './session.ts';

function host(open: (options: SpeechSessionOptions, did: string[]) => Partial<SpeechSession>) {
  const did: string[] = [];
  const worker = new SpeechToSpeechHost({
    name: 'test',
    open: (options) => ({
      begin: (utterance) => did.push(`${options.callId} begin ${utterance}`),
      audio: () => {},
      finish: () => {},
      cancel: () => {},
      respond: ({ epoch }) => did.push(`${options.callId} respond ${epoch}`),
      stop: (epoch) => did.push(`${options.callId} stop ${epoch}`),
      heard: ({ epoch }) => did.push(`${options.callId} heard ${epoch}`),
      close: () => did.push(`${options.callId} close`),
      ...open(options, did),
    }),
    close: async () => void did.push('end'),
  });
  const { port1, port2 } = new MessageChannel();
  const replies: SpeechReply[] = [];
  port1.on('message', (message: SpeechReply) => replies.push(message));
  worker.connect(port2);
  const send = (message: SpeechRequest): void => port1.postMessage(message);
  const start = (callId: string): void => send({ type: 'open', callId, sampleRateHz: RATE_HZ, setup: SETUP });
  return { did, replies, send, start, stop: () => worker.close().then(() => port1.close()) };
}

const ask = (callId: string, epoch: number): SpeechRequest => ({
  type: 'ask',
  callId,
  ask: { type: 'respond', epoch, round: 0, items: [] },
});

test('each call has its session, which ends with it', async () => {
  const { did, send, start, stop } = host(() => ({}));
  for (const callId of ['a', 'b']) start(callId);
  send({ type: 'begin', callId: 'a', utterance: 1 });
  send(ask('b', 3));
  send({ type: 'heard', callId: 'b', epoch: 3, text: '', rounds: [], isWhole: true });
  send({ type: 'close', callId: 'a' });
  send(ask('a', 4));
  await eventually(() => did.includes('a close'));
  await stop();
  assert.deepEqual(did, ['a begin 1', 'b respond 3', 'b heard 3', 'a close', 'b close', 'end']);
});

test('a plug-in that throws: its call has lost the session, and the others go on', async () => {
  const { did, replies, send, start, stop } = host(({ callId }) => {
    if (callId === 'broken') throw new Error('no such voice');
    return callId === 'late' ? { respond: () => assert.fail('out of memory') } : {};
  });
  for (const callId of ['broken', 'late', 'well']) start(callId);
  for (const callId of ['broken', 'late', 'well']) send(ask(callId, 1));
  await eventually(() => did.includes('well respond 1'));
  const lost = () => replies.flatMap((each) => (each.type === 'event' ? [each] : []));
  await eventually(() => lost().length === 2);
  assert.deepEqual(
    lost().map(({ callId, event }) => [callId, event.type === 'lost' && event.message]),
    [
      ['broken', 'no such voice'],
      ['late', 'out of memory'],
    ],
  );
  assert.ok(did.includes('late close'));
  await stop();
});

test('a faint voice becomes as loud as ours', async () => {
  const { replies, send, start, stop } = host(({ onAudio }) => ({
    respond: () => {
      for (let n = 0; n < 20; n++) onAudio(1, 0, tone(500, RATE_HZ, 100, 0.03));
    },
  }));
  start('a');
  send(ask('a', 1));
  const audio = () => replies.flatMap((each) => (each.type === 'audio' ? [each.samples] : []));
  await eventually(() => audio().length === 20);
  const [first, last] = [audio()[0], audio().at(-1)].map((samples) => rms(samples ?? new Int16Array(0)));
  assert.ok((last ?? 0) > 4 * (first ?? 0), `${first} to ${last}`);
  await stop();
});
