// How an audio fork is begun over the event socket, and what its events mean.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../../bench/rig/clock.ts';
import { eventually } from '../../../../../bench/rig/eventually.ts';
import { systemClock } from '../../../../../engine/clock.ts';
import { AudioForks } from '../../../../../engine/sip/adapters/drachtio/media/audio-forks.ts';
import { EventSocket } from '../../../../../engine/sip/adapters/drachtio/media/event-socket.ts';
import { fakeEventSocket } from '../../../../support/sip/fake-event-socket.ts';

const AT = {
  address: '0.0.0.0',
  port: 8081,
  fork: { callId: 'call_1', token: 'secret', sampleRateHz: 16_000 },
} as const;

function scene(publicUrl: string | null = null) {
  const clock = new VirtualClock();
  const forks = new AudioForks({ publicUrl }, clock);
  const commands: string[] = [];
  const heard: string[] = [];
  let answer = '+OK Success';
  const socket = {
    localAddress: '10.0.0.5',
    api: async (command: string) => {
      commands.push(command);
      return command.startsWith('module_exists') ? 'true' : answer;
    },
    execute: async (...words: string[]) => void commands.push(words.join(' ')),
    subscribe: async () => {},
  };
  const listener = {
    lost: (reason: string, by: string) => void heard.push(`${by}: ${reason}`),
    digit: (digit: string, durationMs: number) => void heard.push(`${digit} for ${durationMs} ms`),
  };
  const event = (name: string, headers: Record<string, string> = {}) =>
    forks.handle({ name, channel: 'uuid', headers: new Map(Object.entries(headers)) });
  const start = () => forks.start(socket, 'uuid', AT, listener);
  return { clock, forks, commands, heard, event, start, refuse: () => (answer = '-ERR Operation Failed') };
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

test('a fork is begun both ways with its call and token, and has joined when the module says so', async () => {
  const it = scene();
  let isJoined = false;
  const started = it.start().then(() => {
    isJoined = true;
  });
  await settled();
  assert.deepEqual(it.commands, [
    'uuid_setvar_multi uuid send_silence_when_idle=-1;sleep_eat_digits=true;playback_terminators=none',
    'uuid sleep 86400000',
    'uuid_audio_fork uuid start ws://10.0.0.5:8081/forks mono 16000 engine {"callId":"call_1","token":"secret"} true true 16000',
  ]);
  assert.equal(isJoined, false, '+OK is no sign: the module gives it for a socket that refuses, too');
  it.event('mod_audio_fork::connect');
  await started;
});

test('the public address of the socket is used where there is one', async () => {
  const it = scene('wss://voice.example.com/');
  const started = it.start();
  await settled();
  assert.match(it.commands.at(-1) ?? '', / start wss:\/\/voice\.example\.com\/forks mono /);
  it.event('mod_audio_fork::connect');
  await started;
});

test('no fork: the command fails, the engine is not reached, or nothing is heard for 5 s', async () => {
  const refused = scene();
  refused.refuse();
  await assert.rejects(refused.start(), /Operation Failed/);
  const unreached = scene();
  const started = unreached.start();
  await settled();
  unreached.event('mod_audio_fork::connect_failed');
  await assert.rejects(started, /could not be reached/);
  const silent = scene();
  const waiting = silent.start();
  await settled();
  silent.clock.advance(5_000);
  await assert.rejects(waiting, /not connected in time/);
});

test('keys and a broken socket are reported, until the channel ends', async () => {
  const it = scene();
  const started = it.start();
  await settled();
  it.event('mod_audio_fork::connect');
  await started;
  it.event('DTMF', { 'DTMF-Digit': '#', 'DTMF-Duration': '2000' });
  it.event('mod_audio_fork::disconnect');
  it.forks.end('uuid');
  it.event('mod_audio_fork::disconnect');
  assert.deepEqual(it.heard, ['# for 250 ms', 'server: the audio fork was closed']);
});

test('events come over the event socket, decoded, between answers', { timeout: 10_000 }, async () => {
  const freeswitch = await fakeEventSocket();
  const events: string[] = [];
  const socket = await new Promise<EventSocket>((opened) => {
    new EventSocket({
      ...{ host: '127.0.0.1', port: freeswitch.port, secret: 'ClueCon', clock: systemClock, opened },
      event: ({ name, channel, headers }) => events.push(`${name} ${channel} ${headers.get('DTMF-Digit') ?? ''}`),
      closed: () => {},
    });
  });
  await socket.subscribe('plain DTMF');
  freeswitch.emit({ 'Event-Name': 'DTMF', 'Unique-ID': 'uuid', 'DTMF-Digit': '#' });
  freeswitch.emit({ 'Event-Name': 'CUSTOM', 'Event-Subclass': 'mod_audio_fork::connect', 'Unique-ID': 'uuid' });
  assert.match(await socket.api('sofia status'), /RUNNING/);
  await eventually(() => events.length === 2);
  assert.deepEqual(events, ['DTMF uuid #', 'mod_audio_fork::connect uuid ']);
  socket.close('done');
  freeswitch.close();
});
