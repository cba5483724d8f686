// A call whose shard is lost: the commands that the next shard gets, and what its owner is told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comesToRest } from '../../../bench/rig/eventually.ts';
import { PooledCall } from '../../../engine/shard/pooled-call.ts';
import type { CallCommand, OpenCall, ShardEvent } from '../../../engine/shard/protocol.ts';
import type { ShardSlot } from '../../../engine/shard/shard-thread.ts';
import { tone } from '../../media/signals.ts';
import { hostCall } from './hosted-stage.ts';
import { openCall, SPEECH_SETUP } from './open-call.ts';

const GERMAN = { language: 'de-DE', businessName: 'Test', services: [], questions: [], phrases: [] };
const of = { callId: 'a' };

/** A call on the telephone, or as `changes` say it, and all that its owner is told. */
function pooled(changes: Partial<OpenCall> = {}): { call: PooledCall; events: ShardEvent[] } {
  const events: ShardEvent[] = [];
  const command = openCall({ ...of, transport: { kind: 'rtp' }, ...changes });
  const call = new PooledCall(command, (event) => events.push(event), {} as ShardSlot);
  return { call, events };
}

/** It has its port, and has been answered. */
function talking(changes: Partial<OpenCall> = {}): ReturnType<typeof pooled> {
  const made = pooled(changes);
  made.call.receive({ type: 'opened', ...of, address: '127.0.0.1', port: 20_000 });
  made.call.told({ type: 'answered', ...of });
  made.events.length = 0;
  return made;
}

const typesOf = (commands: ReadonlyArray<{ type: string }>): string[] => commands.map(({ type }) => type);
const openingOf = ([first]: ReadonlyArray<{ type: string }>): OpenCall => first as OpenCall;

test('a call that had no port yet is opened as if for the first time, and so is one of another machine', () => {
  for (const changes of [{}, { resume: { answeredAtMs: 5, port: 0, lastEpoch: 3 } }]) {
    const { call } = pooled(changes);
    assert.deepEqual(call.goOn(), [openCall({ ...of, transport: { kind: 'rtp' }, ...changes })]);
  }
});

test('a call goes on at its port, and each command that holds comes when the machine takes it', () => {
  const { call } = talking();
  const told: CallCommand[] = [
    { type: 'bridge', ...of, otherCallId: 'b' },
    { type: 'expects', ...of, expects: 'digits', digitCount: 6 },
    { type: 'mask', ...of, isMasked: true },
    { type: 'notice-tone', ...of },
  ];
  for (const command of told) call.told(command);
  const commands = call.goOn();
  assert.deepEqual(typesOf(commands), ['open', 'mask', 'answered', 'expects', 'bridge']);
  const { port, lastEpoch, answeredAtMs } = openingOf(commands).resume ?? assert.fail();
  assert.deepEqual([port, lastEpoch, typeof answeredAtMs], [20_000, 0, 'number']);
});

test('digits that were asked for before are heard as digits after', async (t) => {
  const { call } = talking({ transport: { kind: 'socket', token: '' } });
  call.told({ type: 'expects', ...of, expects: 'digits', digitCount: 6 });
  const [open, ...further] = call.goOn();
  const stage = hostCall(open as OpenCall);
  t.after(() => stage.stop());
  const begun: unknown[] = [];
  stage.requests.stt.on('message', (message: { type: string; expects?: string }) => {
    if (message.type === 'begin') begun.push(message.expects);
  });
  for (const command of further as CallCommand[]) {
    if (command.type === 'answered') stage.call.answer(null, 1_000);
    else stage.call.command(command);
  }
  stage.hear(tone(300, 16_000, 600, 0.3));
  await comesToRest();
  assert.deepEqual(begun, ['digits']);
  stage.call.end();
});

test('the reply in progress was not heard to its end, and is told of once', () => {
  const { call, events } = talking();
  for (const epoch of [1, 2])
    call.receive({ type: 'reply-wanted', ...of, epoch, cause: { kind: 'greeting' } as never, committed: true });
  call.receive({ type: 'reply-heard', ...of, epoch: 1, text: 'Hello.', startedAtMs: 0, interrupted: false });
  events.length = 0;
  assert.equal(openingOf(call.goOn()).resume?.lastEpoch, 2);
  assert.deepEqual(events, [{ type: 'reply-heard', ...of, epoch: 2, text: '', startedAtMs: 0, interrupted: true }]);
  call.goOn();
  assert.equal(events.length, 1);
});

test('a speech-to-speech model has lost the session of a call that was answered', () => {
  const speechModel = { engine: 'fake', setup: SPEECH_SETUP };
  assert.equal(openingOf(talking({ speechModel }).call.goOn()).speechModel?.isLost, true);
});

test('its owner hears nothing of a port that it had before, and of its end where it is taken', async () => {
  const { call, events } = talking();
  call.goOn();
  call.receive({ type: 'opened', ...of, address: '127.0.0.1', port: 20_000 });
  assert.deepEqual(events, []);
  call.receive({ type: 'open-failed', ...of, code: 'NO_PORTS', message: 'taken' });
  await comesToRest();
  assert.deepEqual(typesOf(events), ['call-failed', 'closed']);
});

test('neither a call that is being closed nor a supervisor’s audio goes on', async () => {
  const closing = talking();
  closing.call.told({ type: 'close', ...of });
  const supervisor = talking({ transport: { kind: 'ring', memory: new SharedArrayBuffer(8) } });
  for (const { call } of [closing, supervisor]) {
    assert.equal(call.mayGoOn, false);
    call.end();
  }
  await comesToRest();
  assert.deepEqual(typesOf(closing.events), ['closed']);
  assert.deepEqual(typesOf(supervisor.events), ['call-failed']);
});

test('a call that is led in another language goes on in it', () => {
  const { call } = talking();
  const voice = { voiceId: 'thorsten', speed: 1 };
  call.told({ type: 'listen-in', ...of, change: 1, vocabulary: GERMAN });
  call.receive({ type: 'listens-in', ...of, change: 1, message: null });
  call.told({ type: 'speak-in', ...of, language: 'de-DE', voice, speechVoice: null });
  const commands = call.goOn();
  assert.deepEqual(typesOf(commands), ['open', 'speak-in', 'answered']);
  assert.equal(openingOf(commands).vocabulary.language, 'de-DE');
});

test('a language that the recogniser could not hear is forgotten; one that was just asked for is asked for again', () => {
  const { call } = talking();
  call.told({ type: 'listen-in', ...of, change: 1, vocabulary: GERMAN });
  call.receive({ type: 'listens-in', ...of, change: 1, message: 'it does not know it' });
  assert.deepEqual(typesOf(call.goOn()), ['open', 'answered']);
  call.told({ type: 'listen-in', ...of, change: 2, vocabulary: GERMAN });
  const commands = call.goOn();
  assert.deepEqual(typesOf(commands), ['open', 'listen-in', 'answered']);
  assert.equal(openingOf(commands).vocabulary.language, 'en');
});
