// Whose session is at which worker, while models come, change and go under running calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { ModelSessions, type SpeechClient } from '../../../../engine/shard/models/model-sessions.ts';
import type { SpeechEvent, SpeechRequest } from '../../../../models/speech-to-speech/speech-to-speech.ts';
import { SPEECH_SETUP } from '../open-call.ts';

/** Messages between the threads arrive. */
const delivered = async (): Promise<void> => {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve));
};

function worker() {
  const { port1, port2 } = new MessageChannel();
  const asked: string[] = [];
  const self = { port: port1, far: port2, asked, isClosed: false };
  port2.on('message', (request: SpeechRequest) =>
    asked.push('callId' in request ? `${request.callId} ${request.type}` : request.type),
  );
  port2.on('close', () => {
    self.isClosed = true;
  });
  return self;
}

function caller(callId: string): SpeechClient & { events: SpeechEvent[] } {
  const events: SpeechEvent[] = [];
  return { callId, events, speechEvent: (event) => events.push(event), speechAudio: () => undefined };
}

const sessionsOf = (port: MessageChannel['port1'] | null) => new ModelSessions(port, (_, action) => action());

/** Call `a` has the first model, and `b` the second, which came meanwhile. */
function oneEach() {
  const [first, second] = [worker(), worker()];
  const sessions = sessionsOf(first.port);
  const [a, b] = [caller('a'), caller('b')];
  sessions.open(a, 8_000, SPEECH_SETUP);
  sessions.renew(second.port);
  sessions.open(b, 8_000, SPEECH_SETUP);
  return { first, second, sessions, a, b };
}

test('a call keeps its model while another comes, and while none is left; the former ends with its last call', async () => {
  const { first, second, sessions, a, b } = oneEach();
  sessions.renew(null);
  for (const client of [a, b]) sessions.begin(client, 1);
  await delivered();
  assert.deepEqual(first.asked, ['a open', 'a begin']);
  assert.deepEqual(second.asked, ['b open', 'b begin']);
  first.far.postMessage({ type: 'event', callId: 'a', event: { type: 'opened' } });
  await delivered();
  assert.deepEqual(a.events, [{ type: 'opened' }]);
  sessions.close(a);
  await delivered();
  assert.deepEqual(first.asked.slice(2), ['a close', 'stop']);
  assert.deepEqual([first.isClosed, second.isClosed], [true, false]);
  sessions.close(b);
  await delivered();
  assert.equal(second.isClosed, true);
  assert.deepEqual([...a.events, ...b.events], [{ type: 'opened' }]);
});

test('a model without calls ends at once, and one comes back after none was there', async () => {
  const [first, second] = [worker(), worker()];
  const sessions = sessionsOf(first.port);
  sessions.renew(null);
  await delivered();
  assert.equal(first.isClosed, true);
  sessions.renew(second.port);
  sessions.open(caller('a'), 8_000, SPEECH_SETUP);
  await delivered();
  assert.deepEqual(second.asked, ['a open']);
  sessions.stop();
  await delivered();
  assert.equal(second.isClosed, true);
});

test('a call that comes as the model goes has lost its session at once: the cascade answers it', () => {
  const sessions = sessionsOf(null);
  const client = caller('a');
  sessions.open(client, 8_000, SPEECH_SETUP);
  assert.deepEqual(
    client.events.map(({ type }) => type),
    ['lost'],
  );
  // Audio that the call still sends is dropped.
  sessions.begin(client, 1);
  sessions.close(client);
});

test('a former model whose worker dies is lost to its calls, and to no others', async () => {
  const { first, sessions, a, b } = oneEach();
  first.far.close();
  await delivered();
  assert.deepEqual([a.events.map(({ type }) => type), b.events], [['lost'], []]);
  sessions.stop();
});

test('while a worker is being restarted calls have no session; its successor takes the next', async () => {
  const [first, second] = [worker(), worker()];
  const sessions = sessionsOf(first.port);
  first.far.close();
  await delivered();
  const [a, b] = [caller('a'), caller('b')];
  sessions.open(a, 8_000, SPEECH_SETUP);
  assert.equal(a.events[0]?.type, 'lost');
  sessions.replace(second.port);
  sessions.open(b, 8_000, SPEECH_SETUP);
  await delivered();
  assert.deepEqual([a.events.length, b.events.length, second.asked], [1, 0, ['b open']]);
  sessions.stop();
});
