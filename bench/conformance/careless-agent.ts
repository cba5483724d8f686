// An agent that does as little as a call needs: it answers every INVITE once and at once, with a new tag each time,
// speaks for a second, and answers nothing else. It shows that each case can be failed.
import { createSocket } from 'node:dgram';
import { sendInTime } from '../../engine/test-runs/caller/phone/in-time.ts';
import { mediaOf, methodOf, newTag, response, SDP_TYPE, sdp } from '../../engine/test-runs/caller/phone/sip-text.ts';
import { encodeG711 } from '../../media/g711.ts';

const HOST = '127.0.0.1';
const FRAME = 160;
const SPEAKS_FRAMES = 50;

interface CarelessAgent {
  port: number;
  stop(): Promise<void>;
}

export async function startCarelessAgent(): Promise<CarelessAgent> {
  const sip = createSocket('udp4');
  const rtp = createSocket('udp4');
  const stops: Array<() => void> = [];
  await Promise.all([sip, rtp].map((socket) => new Promise<void>((resolve) => socket.bind(0, HOST, resolve))));
  sip.on('message', (data, from) => {
    const text = data.toString('latin1');
    if (methodOf(text) !== 'INVITE') return;
    const body = sdp(rtp.address().port);
    const contact = `sip:careless@${HOST}:${sip.address().port}`;
    const answer = response(text, 200, { tag: newTag(), contact, headers: [SDP_TYPE], body });
    sip.send(answer, from.port, from.address);
    const { port } = mediaOf(text);
    if (port > 0) stops.push(sendTone((packet) => rtp.send(packet, port, HOST)));
  });
  return {
    port: sip.address().port,
    async stop() {
      for (const stop of stops) stop();
      await Promise.all([sip, rtp].map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))));
    },
  };
}

/** A second of a tone, then silence for ever. */
function sendTone(send: (packet: Buffer) => void): () => void {
  const tone = Int16Array.from({ length: FRAME }, (_, index) => 8_000 * Math.sin((2 * Math.PI * index * 400) / 8_000));
  let sequence = 0;
  return sendInTime(() => {
    const packet = Buffer.alloc(12 + FRAME);
    packet[0] = 0x80;
    packet.writeUInt16BE(sequence & 0xffff, 2);
    packet.writeUInt32BE((sequence * FRAME) >>> 0, 4);
    encodeG711('pcmu', sequence < SPEAKS_FRAMES ? tone : new Int16Array(FRAME), packet, 12);
    sequence++;
    send(packet);
  });
}
