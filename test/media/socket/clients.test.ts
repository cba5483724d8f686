// The WebSocket port as a client sees and hears it, the same by either package: browsers, and a fake mod_audio_fork.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { eventually } from '../../../bench/rig/eventually.ts';
import type {
  AudioSocket,
  AudioSocketHandler,
  AudioSocketServer,
  AudioSocketServerOptions,
} from '../../../media/socket/audio-socket.ts';
import { SOCKET_SERVERS, type SocketServerUnderTest } from '../../support/sip/socket-servers.ts';

/** The call behind the door, which expects one client. */
class Call implements AudioSocketHandler {
  readonly audioBytes: number[] = [];
  readonly texts: string[] = [];
  readonly events: string[] = [];
  socket: AudioSocket | null = null;

  opened(socket: AudioSocket): boolean {
    if (this.socket) return false;
    this.socket = socket;
    this.events.push('opened');
    return true;
  }
  audio(bytes: Uint8Array): void {
    if (bytes.length === 13) throw new Error('a fault behind the door');
    this.audioBytes.push(...bytes);
  }
  text(text: string): void {
    this.texts.push(text);
  }
  alive(): void {
    this.events.push('alive');
  }
  closed(): void {
    this.events.push('closed');
  }
}

/** Waits until it holds. */

interface Opened {
  socket: WebSocket;
  received: Array<Buffer | string>;
  closed: Promise<number>;
}

async function connect(url: string, protocol?: string): Promise<Opened> {
  const socket = protocol === undefined ? new WebSocket(url) : new WebSocket(url, protocol);
  const received: Array<Buffer | string> = [];
  socket.on('message', (data: Buffer, isBinary) => received.push(isBinary ? data : data.toString()));
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  return { socket, received, closed };
}

async function withServer(
  { start }: SocketServerUnderTest,
  use: (port: number, call: Call, faults: unknown[]) => Promise<void>,
  options: Partial<AudioSocketServerOptions> = {},
): Promise<void> {
  const call = new Call();
  const faults: unknown[] = [];
  const server: AudioSocketServer = await start({
    host: '127.0.0.1',
    port: 0,
    acceptsForks: true,
    authorize: (callId, token, client) => (callId === 'call_1' && token === `for a ${client}` ? call : null),
    onFault: (error) => faults.push(error),
    ...options,
  });
  try {
    await use(server.port, call, faults);
  } finally {
    await server.stop();
  }
}

const browserUrl = (port: number): string => `ws://127.0.0.1:${port}/calls/call_1?token=for%20a%20browser`;
const METADATA = JSON.stringify({ callId: 'call_1', token: 'for a fork' });

for (const under of SOCKET_SERVERS) {
  const { library, skip } = under;

  test(`${library}: audio and texts go both ways, and a socket that is gone takes what is sent`, { skip }, () =>
    withServer(under, async (port, call) => {
      const browser = await connect(browserUrl(port));
      browser.socket.send(Buffer.from([1, 2, 3, 4]));
      browser.socket.send('{"type":"hello"}');
      browser.socket.send(Buffer.from([5, 6]));
      await eventually(() => call.audioBytes.length === 6);
      assert.deepEqual(call.audioBytes, [1, 2, 3, 4, 5, 6]);
      assert.deepEqual(call.texts, ['{"type":"hello"}']);
      const { socket } = call;
      assert.ok(socket);
      socket.sendBinary(Buffer.from('xyz').subarray(1));
      socket.sendText('ended');
      await eventually(() => browser.received.length === 2);
      assert.deepEqual(browser.received, [Buffer.from('yz'), 'ended']);
      socket.close(1000, 'the call has ended');
      assert.equal(await browser.closed, 1000);
      await eventually(() => call.events.includes('closed'));
      socket.sendBinary(Buffer.from('late'));
      socket.sendText('late');
      socket.close(1000, 'twice');
      assert.equal(socket.bufferedBytes, 0);
      assert.equal(call.events.filter((event) => event === 'closed').length, 1);
    }),
  );

  test(`${library}: a second socket is closed with 1008, a faulty handler costs its own socket`, { skip }, () =>
    withServer(under, async (port, call, faults) => {
      const first = await connect(browserUrl(port));
      const second = await connect(browserUrl(port));
      assert.equal(await second.closed, 1008);
      first.socket.send(Buffer.alloc(13));
      assert.equal(await first.closed, 1006);
      assert.equal(faults.length, 1);
      await eventually(() => call.events.filter((event) => event === 'closed').length === 2);
    }),
  );

  test(`${library}: a fork joins by its metadata, is primed, and is heard from then on`, { skip }, () =>
    withServer(under, async (port, call) => {
      const fork = await connect(`ws://127.0.0.1:${port}/forks`, 'audio.drachtio.org');
      assert.equal(fork.socket.protocol, 'audio.drachtio.org');
      fork.socket.send(Buffer.alloc(320, 7));
      fork.socket.send(METADATA);
      fork.socket.send(Buffer.alloc(320, 8));
      await eventually(() => call.audioBytes.length === 320);
      assert.equal(call.audioBytes[0], 8);
      await eventually(() => fork.received.length === 1);
      assert.equal(fork.received[0]?.length, 2560);
      call.socket?.flush?.();
      await eventually(() => fork.received.length === 3);
      assert.deepEqual(JSON.parse(String(fork.received[2])), { type: 'killAudio' });
      fork.socket.send('{"type":"mark","data":{"name":"flush-1","event":"cleared"}}');
      await eventually(() => call.events.includes('alive'));
      fork.socket.close();
      await eventually(() => call.events.includes('closed'));
      assert.deepEqual(call.texts, []);
    }),
  );

  test(`${library}: a fork without its sub-protocol, a right token or any metadata is turned away`, { skip }, () =>
    withServer(
      under,
      async (port, call) => {
        const url = `ws://127.0.0.1:${port}/forks`;
        await assert.rejects(connect(url), /401/);
        await assert.rejects(connect(url, 'chat'), /401/);
        for (const metadata of ['{"callId":"call_1","token":"for a browser"}', '{"callId":1}', 'null', 'no JSON']) {
          const fork = await connect(url, 'audio.drachtio.org');
          fork.socket.send(metadata);
          fork.socket.send(METADATA);
          assert.equal(await fork.closed, 1008, metadata);
        }
        const silent = await connect(url, 'audio.drachtio.org');
        assert.equal(await silent.closed, 1006);
        assert.deepEqual(call.events, []);
      },
      { upgradeDeadlineMs: 500 },
    ),
  );
}
