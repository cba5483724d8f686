// The control thread's side of a call, for the shard's tests.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShardPool } from '../../../engine/shard/pool.ts';
import type { OpenCall, ShardCommand, ShardEvent } from '../../../engine/shard/protocol.ts';
import { decodeWav } from '../../../media/wav.ts';
import { negotiatedAudio } from '../../support/sip/negotiated-audio.ts';
import { openCall } from './open-call.ts';
import type { Phone } from './phone.ts';

type Connect = Extract<ShardCommand, { type: 'connect' }>;

/** The control thread's side of one call: answers each wanted reply with `says`, and keeps all events. */
export class Control {
  readonly events: ShardEvent[] = [];
  readonly recordingPath: string;
  readonly callId: string;
  says = 'one two three four five six seven eight nine ten';
  #watchers: Array<() => void> = [];

  readonly #pool: ShardPool;

  constructor(pool: ShardPool, folder: string, callId: string) {
    this.#pool = pool;
    this.callId = callId;
    this.recordingPath = join(folder, `${callId}.wav`);
  }

  open(overrides: Partial<OpenCall> = {}): void {
    const { callId, recordingPath } = this;
    const command = openCall({ callId, recordingPath, sampleRateHz: 8_000, transport: { kind: 'rtp' }, ...overrides });
    this.#pool.open(command, (event) => this.#receive(event));
  }

  #receive(event: ShardEvent): void {
    this.events.push(event);
    if (event.type === 'reply-wanted') {
      const { callId } = this;
      this.#pool.send({ type: 'speak', callId, epoch: event.epoch, index: 0, text: this.says, interruptible: true });
      this.#pool.send({ type: 'reply-complete', callId, epoch: event.epoch });
    }
    for (const watcher of this.#watchers.splice(0)) watcher();
  }

  /** The first event of `type` at or after index `from`, once it exists. */
  async event<T extends ShardEvent['type']>(type: T, from = 0): Promise<Extract<ShardEvent, { type: T }>> {
    for (;;) {
      const found = this.events.slice(from).find((event) => event.type === type);
      if (found) return found as Extract<ShardEvent, { type: T }>;
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  async answer(phone: Phone): Promise<number> {
    const { port } = await this.event('opened');
    this.connect(phone, 'sendrecv');
    this.#pool.send({ type: 'answered', callId: this.callId });
    return port;
  }

  connect(phone: Phone, direction: Connect['audio']['direction']): void {
    this.#pool.send({
      type: 'connect',
      callId: this.callId,
      audio: negotiatedAudio({
        remotePort: phone.port,
        remoteRtcpPort: phone.port + 1,
        codec: phone.codec,
        payloadType: phone.payloadType,
        direction,
      }),
    });
  }

  async close(): Promise<Extract<ShardEvent, { type: 'closed' }>> {
    this.#pool.send({ type: 'close', callId: this.callId });
    return this.event('closed');
  }

  recording(): [Int16Array, Int16Array] {
    const [left, right] = decodeWav(readFileSync(this.recordingPath)).channelsSamples;
    assert.ok(left && right);
    return [left, right];
  }
}
