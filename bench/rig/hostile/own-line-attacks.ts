// Attacks by a caller with a browser call of one's own: its address is proved, so that what it sends is read further
// than a stranger's. An honest browser talks beside it by WebRTC.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { OPUS_RATE_HZ } from '../../../media/opus.ts';
import { writeRtpHeader } from '../../../media/rtp/packet.ts';
import { SrtpContext } from '../../../media/rtp/srtp.ts';
import { number } from '../../../media/webrtc/dtls/bytes.ts';
import { makeCertificate } from '../../../media/webrtc/dtls/certificate.ts';
import { CERTIFICATE_VERIFY } from '../../../media/webrtc/dtls/dtls-server.ts';
import { HANDSHAKE, plainRecord } from '../../../media/webrtc/dtls/records.ts';
import { bindingRequest } from '../../../media/webrtc/stun.ts';
import { pause } from '../conversation/scenario.ts';
import { summarise } from '../measure/statistics.ts';
import { BrowserCaller, type Frame } from '../webrtc/browser-caller.ts';
import { everyFrame, framesOf } from '../webrtc/frames.ts';
import { OPUS_TYPE, WebRtcPhone } from '../webrtc/webrtc-phone.ts';
import { type Attack, isOver, must, type Target, type Tenant, within } from './attack.ts';

const V1 = '/api/v1';
const EVERY_MS = 20;
/** As long as UDP carries it, and as a path carries it whole. */
const LENGTHS = [60_000, 1_200];
/** Of frames that an honest browser must get, in a row or not. */
const FRAMES_DUE = 0.8;
/** Where the honest browser's call took long to begin. */
const SHORTEST_MS = 2_000;
const BEGIN_LOOKS = 300;

async function socketOf(target: Target, { token, campaignId }: Tenant): Promise<string> {
  const request = { method: 'POST', path: `${V1}/calls/web`, token, body: { campaignId } };
  return (await must<{ socketUrl: string }>(target, request)).socketUrl;
}

const joined = async (target: Target, tenant: Tenant, phone: WebRtcPhone): Promise<BrowserCaller> =>
  BrowserCaller.join(await socketOf(target, tenant), phone);

interface Beside {
  words: string;
  isServed: boolean;
}

/** Strikes while an honest browser is on the line, and says how it fared. */
async function beside(target: Target, beforeMs: number, strike: (untilMs: number) => Promise<string>): Promise<Beside> {
  const honest = await joined(target, target.secondTenant, await WebRtcPhone.open());
  const [silence] = await framesOf(new Int16Array(OPUS_RATE_HZ / 50));
  const stop = everyFrame(() => honest.send(silence as Frame));
  try {
    for (let looks = 0; honest.path !== 'webrtc' && looks < BEGIN_LOOKS; looks++) await pause(50);
    honest.arrivals = [];
    const beganMs = performance.now();
    const words = await strike(Math.max(beforeMs, beganMs + SHORTEST_MS));
    const due = (performance.now() - beganMs) / 20;
    const { arrivals, path } = honest;
    const unevenMs = arrivals.slice(1).map((atMs, index) => Math.abs(atMs - (arrivals[index] as number) - 20));
    const { p99, max } = summarise(unevenMs);
    return {
      words: `${words}; an honest browser by ${path}: ${arrivals.length} of ${Math.round(due)} frames, uneven by ${p99} ms (p99), ${max} ms (max)`,
      isServed: path === 'webrtc' && arrivals.length > due * FRAMES_DUE,
    };
  } finally {
    stop();
    honest.close();
  }
}

/** As many of it as fit into a datagram. */
const filled = (piece: Buffer, bytes: number): Buffer =>
  Buffer.concat(Array<Buffer>(Math.max(1, Math.floor(bytes / piece.length))).fill(piece));

/** The first byte of a proof of so many bytes, which is never sent whole. */
const piece = (length: number): Buffer => {
  const header = [number(CERTIFICATE_VERIFY, 1), number(length, 3), number(3, 2), number(0, 3), number(1, 3)];
  return plainRecord(HANDSHAKE, 0, Buffer.concat([...header, Buffer.from([1])]));
};

export const forgedProofs: Attack = {
  name: 'a caller forges proofs, pieces and records of a handshake on a line of its own',
  async strike(target, beforeMs) {
    const { words, isServed } = await beside(target, beforeMs, async (untilMs) => {
      let [sent, connected] = [0, 0];
      while (!isOver(untilMs)) {
        let proof: Buffer | null = null;
        const stranger = makeCertificate();
        const phone: WebRtcPhone = await WebRtcPhone.open({
          otherKey: stranger.privateKey,
          send: (datagram) => {
            if (datagram[13] === CERTIFICATE_VERIFY) proof = datagram;
            phone.send(datagram);
          },
        });
        const caller = await joined(target, target.tenant, phone);
        for (let n = 0; n < 200 && proof === null && !isOver(untilMs); n++) await pause(EVERY_MS);
        const pieces = Buffer.concat([piece(8_000), piece(7_999)]);
        const empty = plainRecord(HANDSHAKE, 0, Buffer.alloc(0));
        for (let n = 0; n < 100 && !isOver(untilMs); n++) {
          for (const each of [proof ?? empty, pieces, empty])
            for (const bytes of LENGTHS) {
              phone.send(filled(each, bytes));
              sent++;
            }
          await pause(EVERY_MS);
        }
        if (phone.keys !== null) connected++;
        caller.close();
      }
      return `${sent} datagrams, keys ${connected} times`;
    });
    return { words, succeeded: !isServed };
  },
};

/** Of noise, which costs a decoder most. */
async function noise(): Promise<Buffer> {
  const samples = Int16Array.from({ length: OPUS_RATE_HZ / 50 }, () => (Math.random() - 0.5) * 30_000);
  return ((await framesOf(samples))[0] as Frame).opus;
}

export const ownFlood: Attack = {
  name: 'a caller floods a connected line of its own with audio, true and forged, replays and records',
  async strike(target, beforeMs) {
    const { words, isServed } = await beside(target, beforeMs, async (untilMs) => {
      const phone = await WebRtcPhone.open();
      const caller = await joined(target, target.tenant, phone);
      while (phone.keys === null && !isOver(untilMs)) await pause(EVERY_MS);
      if (phone.keys === null) throw new Error('no keys');
      const payload = await noise();
      const srtp = new SrtpContext(phone.keys.client);
      const sound = (sequence: number): Buffer => {
        const packet = Buffer.alloc(12 + payload.length);
        writeRtpHeader(packet, false, OPUS_TYPE, sequence & 0xffff, (sequence * 960) >>> 0, 7);
        payload.copy(packet, 12);
        return Buffer.from(srtp.protect(packet, 12));
      };
      const replay = sound(0);
      const record = Buffer.concat([Buffer.from('17fefd0001000000000009001a', 'hex'), randomBytes(26)]);
      let sent = 0;
      while (!isOver(untilMs)) {
        for (let n = 0; n < 100; n++) {
          const right = sound(++sent);
          const forged = Buffer.from(right);
          forged[14] = (forged[14] as number) ^ 1;
          for (const datagram of [forged, right, replay]) phone.send(datagram);
        }
        for (const bytes of LENGTHS) phone.send(filled(record, bytes));
        await pause(EVERY_MS);
      }
      caller.close();
      return `${sent} packets of audio, each forged and replayed too`;
    });
    return { words, succeeded: !isServed };
  },
};

const FLOODING_SOCKETS = 4;

export const socketFlood: Attack = {
  name: 'a caller floods sockets of its own with samples, nothing, texts and pings',
  async strike(target, beforeMs) {
    let [sent, opened, ended, refused] = [0, 0, 0, 0];
    const { words, isServed } = await beside(target, beforeMs, async (untilMs) => {
      const flood = async (): Promise<void> => {
        while (!isOver(untilMs)) {
          const socketUrl = await socketOf(target, target.tenant).catch(() => null);
          if (socketUrl === null) {
            refused++;
            await pause(500);
            continue;
          }
          const socket = new WebSocket(socketUrl, { perMessageDeflate: false }).on('error', () => {});
          await within(
            3_000,
            once(socket, 'open').catch(() => null),
            null,
          );
          if (socket.readyState !== WebSocket.OPEN) refused++;
          else opened++;
          while (socket.readyState === WebSocket.OPEN && !isOver(untilMs)) {
            for (let n = 0; n < 1_000; n++) {
              socket.send(Buffer.alloc(n % 2));
              socket.send('{"type":"digit","digit":"x"}');
              socket.ping();
              sent += 3;
            }
            // As fast as it is read, or soon again.
            do await pause(1);
            while (socket.bufferedAmount > 1_000_000 && socket.readyState === WebSocket.OPEN && !isOver(untilMs));
          }
          if (!isOver(untilMs)) ended++;
          socket.terminate();
        }
      };
      await Promise.all(Array.from({ length: FLOODING_SOCKETS }, flood));
      return `${sent} messages by ${opened} sockets, of which ${ended} were closed; ${refused} were refused`;
    });
    return { words, succeeded: !isServed };
  },
};

const LINES = 20;

export const halfOpen: Attack = {
  name: 'a caller offers WebRTC without end, and leaves every connection half open',
  async strike(target, beforeMs) {
    const { words, isServed } = await beside(target, beforeMs, async (untilMs) => {
      const phones = await Promise.all(Array.from({ length: LINES }, () => WebRtcPhone.open({ send: () => {} })));
      const callers: BrowserCaller[] = [];
      for (const phone of phones) callers.push(await joined(target, target.tenant, phone));
      let offers = 0;
      while (!isOver(untilMs)) {
        for (const [index, caller] of callers.entries()) {
          const phone = phones[index] as WebRtcPhone;
          caller.say({ type: 'offer', sdp: phone.offer });
          offers++;
          // Right checks, and some of another line's name.
          for (let n = 0; n < 3; n++) phone.check();
          phone.send(bindingRequest(`${phone.ufrag}:${phone.ufrag}`, phone.password).datagram);
        }
        await pause(EVERY_MS);
      }
      for (const caller of callers) caller.close();
      return `${offers} offers on ${LINES} calls`;
    });
    return { words, succeeded: !isServed };
  },
};
