// A browser's two paths: when each carries the call, and that no word is lost where one takes the other's place.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeG711 } from '../../../media/g711.ts';
import { writeRtpHeader } from '../../../media/rtp/packet.ts';
import { RtpTransport } from '../../../media/rtp/rtp-transport.ts';
import { type AudioPath, BrowserTransport } from '../../../media/webrtc/browser-transport.ts';
import { VIRTUAL_PEER, virtualPair } from '../../../media/webrtc/virtual-pair.ts';

const RATE_HZ = 16_000;
const FRAME = 320;

class FakeSocket {
  readonly sent: Int16Array[] = [];
  bufferedBytes = 0;
  sendBinary(bytes: Uint8Array): void {
    this.sent.push(new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)));
  }
  sendText(): void {}
  close(): void {}
}

class Lab {
  nowMs = 1_000;
  readonly paths: Array<[path: AudioPath, missedMs: number]> = [];
  readonly socket = new FakeSocket();
  readonly packets: Buffer[] = [];
  readonly browser = new BrowserTransport(
    { sampleRateHz: RATE_HZ, now: () => this.nowMs, isAwaited: false },
    { onPath: (path, missedMs) => this.paths.push([path, missedMs]), onClosed: () => undefined },
  );
  readonly #sequence = { next: 1 };
  readonly #pair = virtualPair(
    (packet) => this.packets.push(Buffer.from(packet)),
    () => undefined,
  );

  constructor() {
    this.browser.attach(this.socket);
    this.browser.start();
  }

  connect(): void {
    const media = new RtpTransport({
      sockets: this.#pair.sockets,
      cname: 'call',
      onDigit: () => undefined,
      onFault: (error) => assert.fail(String(error)),
      now: () => this.nowMs,
      sampleRateHz: RATE_HZ,
      isSettled: true,
    });
    media.connect({
      ...{ remoteAddress: VIRTUAL_PEER.address, remotePort: VIRTUAL_PEER.port, remoteRtcpPort: VIRTUAL_PEER.port },
      ...{ codec: 'PCMU', payloadType: 0 },
      ...{ telephoneEventPayloadType: null, comfortNoisePayloadType: null, direction: 'sendrecv' },
      ...{ srtp: null, sources: [] },
    });
    this.browser.connect(media);
  }

  /** 20 ms: what the microphone sends by either path, then the agent's frame, then the caller's. */
  tick({ packet, pcm, agent = 0 }: { packet?: number; pcm?: number; agent?: number }): Int16Array {
    this.nowMs += 20;
    const number = this.#sequence.next++;
    if (packet !== undefined) {
      const datagram = Buffer.alloc(12 + 160);
      writeRtpHeader(datagram, false, 0, number, number * 160, 5);
      encodeG711('pcmu', new Int16Array(160).fill(packet), datagram, 12);
      this.#pair.deliver(datagram);
    }
    if (pcm !== undefined) this.pcm(new Int16Array(FRAME).fill(pcm));
    this.browser.send(new Int16Array(FRAME).fill(agent), 0);
    const out = new Int16Array(FRAME);
    this.browser.pull(out);
    return out;
  }

  pcm(samples: Int16Array): void {
    this.browser.receive(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  }

  ticks(count: number, what: Parameters<Lab['tick']>[0]): void {
    for (let n = 0; n < count; n++) this.tick(what);
  }
}

test('the socket carries the call until WebRTC was steady, then WebRTC does, both ways', () => {
  const lab = new Lab();
  lab.ticks(5, { pcm: 1_000, agent: 7 });
  lab.connect();
  lab.ticks(9, { pcm: 1_000, packet: 2_000, agent: 7 });
  assert.equal(lab.browser.path, 'socket');
  assert.equal(lab.socket.sent.length, 14, 'the agent is heard by the socket meanwhile');
  lab.ticks(20, { pcm: 1_000, packet: 2_000, agent: 7 });
  assert.deepEqual(lab.paths, [['webrtc', 0]]);
  const [socketFrames, packets] = [lab.socket.sent.length, lab.packets.length];
  const heard = lab.tick({ pcm: 1_000, packet: 2_000, agent: 7 });
  assert.ok(
    heard.every((sample) => Math.abs(sample - 2_000) < 200),
    'what still comes by the socket is not heard',
  );
  assert.equal(lab.socket.sent.length, socketFrames);
  assert.equal(lab.packets.length, packets + 1);
});

test('where packets stop, the socket carries the call within a second, and the gap is filled with what was missed', () => {
  const lab = new Lab();
  lab.connect();
  lab.ticks(50, { packet: 2_000 });
  assert.equal(lab.browser.path, 'webrtc');
  lab.ticks(30, {});
  assert.equal(lab.browser.path, 'socket');
  const [, [path, missedMs] = []] = lab.paths;
  assert.equal(path, 'socket');
  assert.ok(missedMs !== undefined && missedMs >= 400 && missedMs <= 600, `${missedMs}`);
  assert.ok(lab.browser.missingMs >= missedMs, 'the turn waits for it');

  // The microphone's last second: its last 40 ms begin the queue.
  const gapMs = lab.browser.missingMs;
  lab.browser.expectAgain();
  lab.pcm(new Int16Array(RATE_HZ).map((_, at) => (at < RATE_HZ - 2 * FRAME ? 3_000 : 4_000)));
  const [late] = lab.browser.takeLate()?.audio ?? [];
  assert.equal(late?.samples.length, (gapMs / 20) * FRAME);
  assert.equal(late?.age, late?.samples.length, 'from where packets stopped up to now');
  assert.ok(late?.samples.every((sample) => sample === 3_000));
  assert.equal(lab.browser.takeLate(), null);
  const heard = lab.tick({ pcm: 5_000 });
  assert.ok(
    heard.every((sample) => sample === 4_000),
    'without a further pause',
  );
  assert.equal(lab.browser.missingMs, 0);
  lab.tick({ pcm: 5_000 });
  assert.ok(lab.tick({ pcm: 5_000 }).every((sample) => sample === 5_000));
});

test('a browser that missed the agent’s last words gets them by the socket', () => {
  const lab = new Lab();
  lab.connect();
  lab.ticks(50, { packet: 2_000, agent: 1 });
  for (let n = 100; n < 130; n++) lab.tick({ packet: 2_000, agent: n });
  const before = lab.socket.sent.length;
  lab.browser.sendAgain(400);
  assert.equal(lab.browser.path, 'socket');
  assert.deepEqual(
    lab.socket.sent.slice(before).map(([first]) => first),
    Array.from({ length: 20 }, (_, n) => 110 + n),
  );
  lab.tick({ packet: 2_000, agent: 130 });
  assert.equal(lab.socket.sent.at(-1)?.[0], 130);
  lab.ticks(300, { packet: 2_000 });
  assert.equal(lab.browser.path, 'socket', 'we hear it, but it does not hear us: it has to offer again');
});

test('words that the caller has interrupted are not said again', () => {
  const lab = new Lab();
  lab.connect();
  lab.ticks(50, { packet: 2_000, agent: 1 });
  lab.browser.flush();
  const before = lab.socket.sent.length;
  lab.browser.sendAgain(400);
  assert.equal(lab.socket.sent.length, before);
});

test('WebRTC that comes back carries the call only after it was steady for longer; one that stays away is given up', () => {
  const lab = new Lab();
  lab.connect();
  lab.ticks(50, { packet: 2_000 });
  lab.ticks(40, {});
  lab.ticks(100, { packet: 2_000, pcm: 1_000 });
  assert.equal(lab.browser.path, 'socket');
  lab.ticks(80, { packet: 2_000, pcm: 1_000 });
  assert.equal(lab.browser.path, 'webrtc');
  lab.ticks(40, {});
  lab.ticks(1_600, { pcm: 1_000 });
  const packets = lab.packets.length;
  lab.ticks(5, { pcm: 1_000, packet: 2_000 });
  assert.equal(lab.packets.length, packets, 'nothing is sent by it any more');
});

test('another offer takes the place of the one before, with the socket between', () => {
  const lab = new Lab();
  lab.connect();
  lab.ticks(50, { packet: 2_000 });
  lab.connect();
  assert.equal(lab.browser.path, 'socket');
  lab.ticks(50, { packet: 2_000 });
  assert.deepEqual(
    lab.paths.map(([path]) => path),
    ['webrtc', 'socket', 'webrtc'],
  );
});

test('a message that was announced though nothing was missed is ordinary audio', () => {
  const lab = new Lab();
  lab.browser.expectAgain();
  lab.pcm(new Int16Array(2 * FRAME).fill(6));
  assert.equal(lab.browser.takeLate(), null);
  assert.ok(lab.tick({}).every((sample) => sample === 6));
});
