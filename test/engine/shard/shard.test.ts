import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ShardPool } from '../../../engine/shard/pool.ts';
import type { OpenCall, ShardEvent } from '../../../engine/shard/protocol.ts';
import { rms } from '../../../media/frame.ts';
import { decodeWav } from '../../../media/wav.ts';
import { concat, shareAt, tone } from '../../media/signals.ts';
import { AGENT_HZ, FakeModels } from './fake-models.ts';
import { Phone } from './phone.ts';

const CALLER_HZ = 440;
const folder = mkdtempSync(join(tmpdir(), 'shard-'));
const models = new FakeModels();
let pool: ShardPool;

before(async () => {
  pool = await ShardPool.start({
    shards: 1,
    rtpAddress: '127.0.0.1',
    rtpPortMin: 0,
    rtpPortMax: 0,
    connectModel: models.connect,
  });
});

after(async () => {
  await pool.stop();
  models.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The control thread's side of one call: answers each wanted reply with `says`, and keeps all events. */
class Control {
  readonly events: ShardEvent[] = [];
  readonly recordingPath: string;
  readonly callId: string;
  says = 'one two three four five six seven eight nine ten';
  #watchers: Array<() => void> = [];

  constructor(callId: string) {
    this.callId = callId;
    this.recordingPath = join(folder, `${callId}.wav`);
  }

  open(overrides: Partial<OpenCall> = {}): void {
    const command: OpenCall = {
      type: 'open',
      callId: this.callId,
      sampleRateHz: 8000,
      transport: { kind: 'rtp' },
      turn: {
        silenceThresholdMs: 300,
        interruptionSensitivity: 0.5,
        idleMs: 60_000,
        idlePrompts: 1,
        sttDeadlineMs: 2000,
        replyDeadlineMs: 5000,
        maxUtteranceMs: 30_000,
      },
      voice: { voiceId: 'fake', speed: 1 },
      vocabulary: { language: 'en', businessName: 'Test', services: [], questions: [], phrases: [] },
      recordingPath: this.recordingPath,
      amd: null,
      ...overrides,
    };
    pool.open(command, (event) => this.#receive(event));
  }

  #receive(event: ShardEvent): void {
    this.events.push(event);
    if (event.type === 'reply-wanted') {
      const { callId } = this;
      pool.send({ type: 'speak', callId, epoch: event.epoch, index: 0, text: this.says, interruptible: true });
      pool.send({ type: 'reply-complete', callId, epoch: event.epoch });
    }
    for (const watcher of this.#watchers.splice(0)) watcher();
  }

  /** The first event of `type` from `from` on, once it is there. */
  async event<T extends ShardEvent['type']>(type: T, from = 0): Promise<Extract<ShardEvent, { type: T }>> {
    for (;;) {
      const found = this.events.slice(from).find((event) => event.type === type);
      if (found) return found as Extract<ShardEvent, { type: T }>;
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  async answer(phone: Phone): Promise<number> {
    const { port } = await this.event('opened');
    pool.send({
      type: 'connect',
      callId: this.callId,
      audio: {
        remoteAddress: '127.0.0.1',
        remotePort: phone.port,
        remoteRtcpPort: phone.port + 1,
        codec: 'PCMU',
        payloadType: 0,
        telephoneEventPayloadType: 101,
        comfortNoisePayloadType: null,
        direction: 'sendrecv',
        srtp: null,
      },
    });
    pool.send({ type: 'answered', callId: this.callId });
    return port;
  }

  async close(): Promise<Extract<ShardEvent, { type: 'closed' }>> {
    pool.send({ type: 'close', callId: this.callId });
    return this.event('closed');
  }

  recording(): [Int16Array, Int16Array] {
    const [left, right] = decodeWav(readFileSync(this.recordingPath)).channelsSamples;
    assert.ok(left && right);
    return [left, right];
  }
}

test('a caller hears the agent, is heard, answered and recorded', async () => {
  const control = new Control('conversation');
  const phone = await Phone.open();
  control.open();
  const port = await control.answer(phone);
  const opening = await control.event('reply-wanted');
  assert.equal(opening.cause.kind, 'opening');
  await phone.say(port, new Int16Array(8000));
  const greeted = await control.event('reply-heard');
  assert.deepEqual([greeted.text, greeted.interrupted], [control.says, false]);
  const before = control.events.length;
  await phone.say(port, concat([tone(CALLER_HZ, 8000, 600), new Int16Array(12_000)]));
  const wanted = await control.event('reply-wanted', before);
  assert.equal(wanted.cause.kind === 'turn' && wanted.cause.text, 'hello');
  await control.event('reply-heard', before);
  const closed = await control.close();
  phone.close();

  const loud = concat(phone.heard.filter((frame) => rms(frame) > 5000));
  assert.ok(shareAt(loud.subarray(0, 4000), AGENT_HZ, 8000) > 0.95);
  assert.ok(Math.abs(loud.length - 2 * 4800) <= 320, `${loud.length} samples of the agent`);
  assert.equal(closed.recordingPath, control.recordingPath);
  const [left, right] = control.recording();
  assert.equal(left.length, closed.recordedMs * 8);
  const spokenAt = left.findIndex((sample) => Math.abs(sample) > 5000);
  assert.ok(shareAt(left.subarray(spokenAt, spokenAt + 4000), CALLER_HZ, 8000) > 0.95);
  assert.ok(shareAt(right.subarray(greeted.startedAtMs * 8, greeted.startedAtMs * 8 + 4000), AGENT_HZ, 8000) > 0.9);
  assert.equal(closed.stats.turnLatenciesMs.length, 1);
  assert.ok([...models.heardSamples].some(([key, samples]) => key.startsWith('conversation ') && samples >= 600 * 8));
});
