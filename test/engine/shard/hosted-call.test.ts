import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { HostedCall } from '../../../engine/shard/hosted-call.ts';
import { ModelPorts } from '../../../engine/shard/model-ports.ts';
import type { OpenCall, ShardEvent } from '../../../engine/shard/protocol.ts';
import { SocketTransport } from '../../../media/socket/socket-transport.ts';
import { VirtualClock } from '../../support/clock.ts';

const COMMAND: OpenCall = {
  type: 'open',
  callId: 'quiet',
  sampleRateHz: 16_000,
  transport: { kind: 'socket', token: '' },
  turn: {
    language: 'en-US',
    endpointing: 'fixed',
    patience: 1,
    openingDelayMs: 0,
    backchannels: [],
    guessing: true,
    silenceThresholdMs: 300,
    interruptionSensitivity: 0.5,
    idleMs: 10_000,
    idlePrompts: 1,
    sttDeadlineMs: 2000,
    replyDeadlineMs: 5000,
    maxUtteranceMs: 30_000,
  },
  voice: { voiceId: 'fake', speed: 1 },
  vocabulary: { language: 'en', businessName: 'Test', services: [], questions: [], phrases: [] },
  recordingPath: null,
  amd: null,
};

function setUp(overrides: Partial<OpenCall> = {}) {
  const clock = new VirtualClock(77_000);
  const channels = [new MessageChannel(), new MessageChannel(), new MessageChannel()] as const;
  const [vad, stt, tts] = channels;
  const models = new ModelPorts({ vad: vad.port1, stt: [stt.port1], tts: [tts.port1] }, (_, action) => action());
  const events: ShardEvent[] = [];
  const transport = new SocketTransport(16_000, () => clock.monotonicMs());
  const call = new HostedCall({ ...COMMAND, ...overrides }, transport, {
    models,
    clock,
    emit: (event) => events.push(event),
    fail: (error) => {
      throw error;
    },
  });
  const causes = () => events.flatMap((event) => (event.type === 'reply-wanted' ? [event.cause] : []));
  return { clock, call, causes, events, stop: () => models.stop() };
}

test('a call’s timers run on the clock it was given: the silence prompt comes when it is due, not before', () => {
  const { clock, call, causes, stop } = setUp();
  call.answer(null, 0);
  call.command({ type: 'reply-complete', callId: 'quiet', epoch: 1 });
  assert.deepEqual(
    causes().map(({ kind }) => kind),
    ['opening'],
  );
  clock.advance(9_999);
  assert.equal(causes().length, 1);
  clock.advance(1);
  assert.deepEqual(causes().at(-1), { kind: 'idle', count: 1, last: false });
  call.end();
  assert.equal(clock.pending, 0);
  stop();
});

test('an answering machine’s silence is judged on the same clock', () => {
  const { clock, call, events, stop } = setUp({ amd: { enabled: true } });
  call.answer(null, 0);
  clock.advance(2_499);
  assert.ok(!events.some(({ type }) => type === 'amd'));
  clock.advance(1);
  assert.deepEqual(
    events.filter(({ type }) => type === 'amd'),
    [{ type: 'amd', callId: 'quiet', verdict: 'uncertain', atMs: 2_500 }],
  );
  call.end();
  assert.equal(clock.pending, 0);
  stop();
});

test('a call that is answered on hold waits with everything until the caller is back', () => {
  const { clock, call, causes, stop } = setUp();
  call.hold(true);
  call.answer(null, 0);
  call.command({ type: 'reply-complete', callId: 'quiet', epoch: 1 });
  clock.advance(60_000);
  assert.deepEqual(
    causes().map(({ kind }) => kind),
    ['opening'],
    'nobody is asked whether they are there',
  );
  call.hold(false);
  clock.advance(10_000);
  assert.deepEqual(causes().at(-1), { kind: 'idle', count: 1, last: false });
  call.end();
  stop();
});
