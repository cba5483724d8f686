import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import { eventually } from '../../bench/rig/eventually.ts';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';
import { ShardPool } from '../../engine/shard/pool.ts';
import { bytesToSamples, joinSamples, samplesToBytes } from '../../media/frame.ts';
import { Control } from '../engine/shard/control.ts';
import { AGENT_HZ, FakeModels } from '../engine/shard/models/fake-models.ts';
import { hasTone, tone } from '../media/signals.ts';

const folder = temporaryFolder('socket');
const models = new FakeModels();
let pool: ShardPool;

async function startPool(): Promise<ShardPool> {
  const started = await ShardPool.start({
    shards: 2,
    rtpAddress: '127.0.0.1',
    rtpPortMin: 0,
    rtpPortMax: 0,
    connectModels: models.connectAll,
    mediaSocket: { host: '127.0.0.1', port: 0, acceptsForks: true, proxies: [], webRtc: null },
  });
  await started.openDoor();
  return started;
}

before(async () => {
  pool = await startPool();
});

after(async () => {
  await pool.stop();
  models.close();
});

class Browser {
  readonly audio: Int16Array[] = [];
  readonly texts: Array<{ type: string; state?: string; text?: string; timestamp?: number }> = [];
  /** Resolves with 101 when joined, else with the refusal's status; 0: nobody listens. */
  readonly status: Promise<number>;
  readonly closed: Promise<void>;
  readonly socket: WebSocket;

  constructor(callId: string, token: string) {
    this.socket = new WebSocket(`ws://127.0.0.1:${pool.socket?.port}/calls/${callId}?token=${token}`);
    this.status = new Promise((resolve) => {
      this.socket.on('open', () => resolve(101));
      this.socket.on('unexpected-response', (_request, response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      this.socket.on('error', () => resolve(0));
    });
    this.closed = new Promise((resolve) => {
      this.socket.on('close', () => resolve());
    });
    this.socket.on('error', () => undefined);
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.audio.push(bytesToSamples(data).slice());
      else this.texts.push(JSON.parse(data.toString()));
    });
  }

  /** Speaks at 16 kHz, in pieces of odd sizes as browsers send them. */
  async say(samples: Int16Array): Promise<void> {
    const bytes = samplesToBytes(samples);
    const startMs = performance.now();
    for (let at = 0; at < bytes.length; ) {
      const size = 555;
      this.socket.send(bytes.slice(at, at + size));
      at += size;
      const waitMs = startMs + at / 32 - performance.now();
      if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

function open(callId: string, token: string): Control {
  const control = new Control(pool, folder, callId);
  const tokenHash = createHash('sha256').update(token).digest('hex');
  control.open({ sampleRateHz: 16_000, transport: { kind: 'socket', token: tokenHash } });
  return control;
}

test('a browser joins with its token, hears the agent at 16 kHz, is heard and recorded', async () => {
  const control = open('web-1', 'secret-1');
  await control.event('opened');
  const browser = new Browser('web-1', 'secret-1');
  assert.equal(await browser.status, 101);
  await control.event('socket-joined');
  pool.send({ type: 'answered', callId: 'web-1' });
  await browser.say(new Int16Array(16_000));
  const heard = await control.event('reply-heard');
  // Its words were told while it was spoken, as beginnings of the entry that the whole reply makes.
  const told = browser.texts.filter(({ type }) => type === 'transcript');
  assert.ok(told.length > 0);
  for (const { text = '', timestamp } of told) {
    assert.ok(text !== '' && heard.text.startsWith(text), text);
    assert.equal(timestamp, heard.startedAtMs);
  }
  assert.ok((told[0]?.text ?? '').length < heard.text.length);
  const before = control.events.length;
  await browser.say(joinSamples([tone(440, 16_000, 600), new Int16Array(24_000)]));
  const wanted = await control.event('reply-wanted', before);
  assert.equal(wanted.cause.kind, 'turn');
  await control.event('reply-heard', before);
  pool.send({ type: 'socket-text', callId: 'web-1', text: '{"type":"transcript"}' });
  const closed = await control.close();
  await browser.closed;
  assert.ok(browser.audio.every((frame) => frame.length === 320));
  const loud = joinSamples(browser.audio.filter((frame) => (frame[3] ?? 0) !== 0 || (frame[5] ?? 0) !== 0));
  assert.ok(hasTone(loud, AGENT_HZ, 16_000));
  const states = browser.texts.flatMap(({ type, state }) => (type === 'state' ? [state] : []));
  assert.ok(states.includes('thinking') && states.includes('speaking') && states.at(-1) === 'ended');
  assert.ok(browser.texts.some(({ type, text }) => type === 'transcript' && text === undefined));
  const [left] = control.recording();
  assert.equal(left.length, closed.recordedMs * 16);
  const spokenAt = left.findIndex((sample) => Math.abs(sample) > 5000);
  assert.ok(hasTone(left.subarray(spokenAt, spokenAt + 9600), 440, 16_000));
  assert.ok([...models.heardSamples].some(([key, samples]) => key.startsWith('web-1 ') && samples >= 600 * 16));
});

test('a token that is wrong, used, of another call or missing is 401; a request that is no WebSocket is rejected', async () => {
  const control = open('web-2', 'secret-2');
  await control.event('opened');
  assert.equal(await new Browser('web-2', 'guess').status, 401);
  assert.equal(await new Browser('web-3', 'secret-2').status, 401);
  assert.equal(await new Browser('web-2', '').status, 401);
  assert.equal(await new Browser('..%2f..', 'x').status, 401);
  const browser = new Browser('web-2', 'secret-2');
  assert.equal(await browser.status, 101);
  assert.equal(await new Browser('web-2', 'secret-2').status, 401);
  const plain = await fetch(`http://127.0.0.1:${pool.socket?.port}/calls/web-2?token=secret-2`);
  assert.equal(plain.status, 426);
  // The browser leaves: the call gets one event.
  browser.socket.close();
  assert.equal((await control.event('media-lost')).reason, 'socket-closed');
  await control.close();
  assert.equal(await new Browser('web-2', 'secret-2').status, 401);
});

test('an oversized message costs its sender the socket and affects nobody else', async () => {
  const control = open('web-4', 'secret-4');
  const other = open('web-5', 'secret-5');
  await Promise.all([control.event('opened'), other.event('opened')]);
  const [rude, polite] = [new Browser('web-4', 'secret-4'), new Browser('web-5', 'secret-5')];
  assert.deepEqual(await Promise.all([rude.status, polite.status]), [101, 101]);
  rude.socket.send(Buffer.alloc(1_000_000));
  assert.equal((await control.event('media-lost')).reason, 'socket-closed');
  polite.socket.send('not JSON at all');
  pool.send({ type: 'answered', callId: 'web-5' });
  await other.event('reply-heard');
  await Promise.all([control.close(), other.close()]);
});

test('a call that goes on waits for its browser in silence, and speaks and listens once it is back', async () => {
  const control = new Control(pool, folder, 'web-6');
  const token = createHash('sha256').update('secret-6').digest('hex');
  const answeredAtMs = Number(process.hrtime.bigint()) / 1e6 - 2_000;
  const resume = { answeredAtMs, port: 0, lastEpoch: 3, hasHeard: true };
  control.open({ sampleRateHz: 16_000, transport: { kind: 'socket', token }, resume });
  pool.send({ type: 'answered', callId: 'web-6' });
  pool.send({ type: 'request-reply', callId: 'web-6', request: { kind: 'say', text: 'Sorry.' } });
  assert.equal(await new Browser('web-6', 'guess').status, 401);
  assert.deepEqual(
    control.events.filter(({ type }) => type === 'reply-wanted'),
    [],
  );
  const browser = new Browser('web-6', 'secret-6');
  assert.equal(await browser.status, 101);
  await control.event('socket-joined');
  assert.ok((await control.event('reply-wanted')).epoch > 3);
  await control.event('reply-heard');
  const before = control.events.length;
  await browser.say(joinSamples([tone(440, 16_000, 600), new Int16Array(24_000)]));
  assert.equal((await control.event('reply-wanted', before)).cause.kind, 'turn');
  assert.equal(await new Browser('web-6', 'secret-6').status, 401);
  assert.equal(browser.texts[0]?.type, 'state');
  const closed = await control.close();
  await browser.closed;
  const [left] = control.recording();
  assert.equal(left.length, closed.recordedMs * 16);
  assert.ok(left.subarray(0, 32_000).every((sample) => sample === 0));
});

test('a browser whose shard was lost joins the next one, is heard there, and hangs up as ever', async (t) => {
  // Its handles outlive their thread, and Node ends the process for it: the next process goes on with the calls.
  if (pool.socket?.library === 'uWebSockets.js') return t.skip('with uWebSockets.js a lost thread ends the process');
  const control = open('web-8', 'secret-8');
  await control.event('opened');
  const first = new Browser('web-8', 'secret-8');
  assert.equal(await first.status, 101);
  pool.send({ type: 'answered', callId: 'web-8' });
  await control.event('reply-heard');
  // An invalid port: the handler throws outside any call, which kills the thread.
  pool.send({ type: 'model-port', model: 'vad', port: null, callId: 'web-8' } as never);
  await first.closed;
  let again = new Browser('web-8', 'secret-8');
  while ((await again.status) !== 101) again = new Browser('web-8', 'secret-8');
  const before = control.events.length;
  await again.say(joinSamples([new Int16Array(3_200), tone(440, 16_000, 600), new Int16Array(24_000)]));
  assert.equal((await control.event('reply-wanted', before)).cause.kind, 'turn');
  assert.equal(control.events.filter(({ type }) => type === 'media-lost').length, 0);
  again.socket.close();
  assert.equal((await control.event('media-lost')).reason, 'socket-closed');
  await control.close();
});

test('a browser whose call another process goes on with is told to join again', async () => {
  const leaving = await startPool();
  const control = new Control(leaving, folder, 'web-7');
  const token = createHash('sha256').update('secret-7').digest('hex');
  control.open({ sampleRateHz: 16_000, transport: { kind: 'socket', token } });
  await control.event('opened');
  const socket = new WebSocket(`ws://127.0.0.1:${leaving.socket?.port}/calls/web-7?token=secret-7`);
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  const code = new Promise((resolve) => socket.on('close', resolve));
  await leaving.leave();
  assert.equal(await code, 1012);
  await leaving.stop();
});

test('an audio fork joins with its metadata, hears the agent in whole blocks, is heard and recorded', async () => {
  const control = new Control(pool, folder, 'fork-1');
  const token = createHash('sha256').update('secret-8').digest('hex');
  control.open({ sampleRateHz: 8_000, transport: { kind: 'fork', token } });
  await control.event('opened');
  const fork = new WebSocket(`ws://127.0.0.1:${pool.socket?.port}/forks`, 'audio.drachtio.org');
  const heard: Buffer[] = [];
  fork.on('message', (data: Buffer, isBinary) => isBinary && heard.push(data));
  await new Promise((resolve, reject) => fork.on('open', resolve).on('error', reject));
  fork.send(JSON.stringify({ callId: 'fork-1', token: 'secret-8' }));
  await control.event('socket-joined');
  pool.send({ type: 'answered', callId: 'fork-1' });
  const voice = joinSamples([tone(440, 8_000, 600), new Int16Array(8_000)]);
  for (let at = 0; at < voice.length; at += 160) {
    fork.send(samplesToBytes(voice.slice(at, at + 160)));
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  await control.event('reply-heard');
  // The engine has sent it; this side of the socket may still have to read it.
  const spoken = () => joinSamples(heard.slice(1).map((bytes) => bytesToSamples(bytes)));
  await eventually(() => hasTone(spoken(), AGENT_HZ, 8_000), 'the agent is heard');
  const closed = await control.close();
  const [priming, ...blocks] = heard;
  assert.equal(priming?.length, 2560);
  assert.ok(blocks.length > 0 && blocks.every(({ length }) => length === 1280));
  const [left] = control.recording();
  assert.equal(left.length, closed.recordedMs * 8);
  const spokenAt = left.findIndex((sample) => Math.abs(sample) > 5000);
  assert.ok(hasTone(left.subarray(spokenAt, spokenAt + 4800), 440, 8_000));
});
