// SRTP and SRTCP with AES_CM_128_HMAC_SHA1_80 (RFC 3711), the suite that TLS trunks offer, with keys from SDES (RFC
// 4568). Key derivation rate 0, no MKI, an 80-bit tag, one context per direction. A window of 64 packets rejects
// replays.
import { type Cipher, createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { sequenceDistance } from './packet.ts';

export const SRTP_TAG_BYTES = 10;
const SRTCP_INDEX_BYTES = 4;
const REPLAY_WINDOW = 64n;

const BLOCK_BYTES = 16;
/** For G.711 in packets of 20 ms. */
const USUAL_BLOCKS = 10;

interface SessionKeys {
  cipher: Buffer;
  salt: Buffer;
  auth: Buffer;
}

/** Session keys of a master key and salt (RFC 3711, 4.3): labels 0-2 for SRTP, 3-5 for SRTCP. */
export function deriveSessionKeys(masterKey: Buffer, masterSalt: Buffer, firstLabel: 0 | 3): SessionKeys {
  const derive = (label: number, bytes: number) => {
    const counter = Buffer.alloc(16);
    masterSalt.copy(counter, 0, 0, 14);
    counter[7] = (counter[7] as number) ^ label;
    return createCipheriv('aes-128-ctr', masterKey, counter).update(Buffer.alloc(bytes));
  };
  return { cipher: derive(firstLabel, 16), auth: derive(firstLabel + 1, 20), salt: derive(firstLabel + 2, 14) };
}

/**
 * AES in counter mode (RFC 3711, 4.1.1). The counters are encrypted one by one with a cipher that lasts as long as the
 * call: a new cipher for each packet costs twice as much.
 */
class CounterCipher {
  readonly #cipher: Cipher;
  readonly #salt: [number, number, number, number];
  #counters = Buffer.alloc(0);

  constructor({ cipher, salt }: SessionKeys) {
    this.#cipher = createCipheriv('aes-128-ecb', cipher, null).setAutoPadding(false);
    this.#salt = [salt.readUInt32BE(0), salt.readUInt32BE(4), salt.readUInt32BE(8), salt.readUInt16BE(12)];
  }

  /** Encrypts or decrypts in place. `index` has 48 bits: the upper 32 and the lower 16. */
  apply(bytes: Buffer, ssrc: number, upper: number, lower: number): void {
    const count = Math.ceil(bytes.length / BLOCK_BYTES);
    const [, second, third, fourth] = this.#salt;
    const counters = this.#countersFor(count);
    for (let block = 0, at = 0; block < count; block++, at += BLOCK_BYTES) {
      counters.writeUInt32BE((second ^ ssrc) >>> 0, at + 4);
      counters.writeUInt32BE((third ^ upper) >>> 0, at + 8);
      counters.writeUInt16BE(fourth ^ lower, at + 12);
    }
    const keystream = this.#cipher.update(counters.subarray(0, count * BLOCK_BYTES));
    for (let i = 0; i < bytes.length; i++) bytes[i] = (bytes[i] as number) ^ (keystream[i] as number);
  }

  /** The first four and last two bytes of the counters are the same in every packet. */
  #countersFor(count: number): Buffer {
    if (this.#counters.length >= count * BLOCK_BYTES) return this.#counters;
    this.#counters = Buffer.alloc(Math.max(count, USUAL_BLOCKS) * BLOCK_BYTES);
    for (let block = 0; block * BLOCK_BYTES < this.#counters.length; block++) {
      this.#counters.writeUInt32BE(this.#salt[0], block * BLOCK_BYTES);
      this.#counters.writeUInt16BE(block, block * BLOCK_BYTES + 14);
    }
    return this.#counters;
  }
}

export class SrtpError extends Error {
  readonly code: 'SRTP_KEY_INVALID';
  constructor(message: string) {
    super(message);
    this.name = 'SrtpError';
    this.code = 'SRTP_KEY_INVALID';
  }
}

/** The state from which a later process goes on with the packets of one key (RFC 3711 3.2.1). */
export interface SrtpProgress {
  /** Of the last packet that was protected; null if there was none. */
  sent: { rollover: number; sequence: number } | null;
  /** Index of the next SRTCP packet. */
  rtcpIndex: number;
  /** The newest packet of each source of the peer. */
  received: ReadonlyArray<{ ssrc: number; rollover: number; sequence: number }>;
}

interface ReceiveState {
  rollover: number;
  highest: number;
  newest: bigint;
  seen: bigint;
}

const SOURCES_MAX = 64;
const ALL_SEEN = (1n << REPLAY_WINDOW) - 1n;

/** One direction of one call. A sender has one SSRC; a receiver follows the peer's when it changes. */
export class SrtpContext {
  readonly #rtp: CounterCipher;
  readonly #rtcp: CounterCipher;
  readonly #rtpAuth: Buffer;
  readonly #rtcpAuth: Buffer;
  /** By SSRC (RFC 3711 3.2.3), oldest first, so that packets of an earlier source stay old when a new one begins. */
  readonly #states = new Map<number, ReceiveState>();
  #sendRollover = 0;
  #lastSent = -1;
  #rtcpIndex = 0;
  #rtcpNewest = -1;

  /** @param keySalt base64 of the 16-byte master key and the 14-byte master salt. @throws {SrtpError} */
  constructor(keySalt: string) {
    const bytes = Buffer.from(keySalt, 'base64');
    if (bytes.length !== 30) throw new SrtpError(`key and salt must be 30 bytes, got ${bytes.length}`);
    const key = bytes.subarray(0, 16);
    const salt = bytes.subarray(16);
    const [rtp, rtcp] = [deriveSessionKeys(key, salt, 0), deriveSessionKeys(key, salt, 3)];
    [this.#rtp, this.#rtpAuth] = [new CounterCipher(rtp), rtp.auth];
    [this.#rtcp, this.#rtcpAuth] = [new CounterCipher(rtcp), rtcp.auth];
  }

  get progress(): SrtpProgress {
    return {
      sent: this.#lastSent < 0 ? null : { rollover: this.#sendRollover, sequence: this.#lastSent },
      rtcpIndex: this.#rtcpIndex,
      received: [...this.#states].map(([ssrc, { rollover, highest }]) => ({ ssrc, rollover, sequence: highest })),
    };
  }

  /** Goes on where another context of the same key has ended. Packets that it has received count as replays. */
  goOn({ sent, rtcpIndex, received }: SrtpProgress): void {
    if (sent) [this.#sendRollover, this.#lastSent] = [sent.rollover, sent.sequence];
    this.#rtcpIndex = rtcpIndex;
    for (const { ssrc, rollover, sequence } of received) {
      const newest = (BigInt(rollover) << 16n) | BigInt(sequence);
      this.#states.set(ssrc, { rollover, highest: sequence, newest, seen: ALL_SEEN });
    }
  }

  /** A copy of the RTP packet, encrypted from `payloadOffset` on and with its tag appended (RFC 3711, 3.1). */
  protect(packet: Buffer, payloadOffset: number): Buffer {
    const sequence = packet.readUInt16BE(2);
    if (this.#lastSent >= 0 && sequence < this.#lastSent && this.#lastSent - sequence > 0x8000) this.#sendRollover++;
    this.#lastSent = sequence;
    const secured = Buffer.allocUnsafe(packet.length + SRTP_TAG_BYTES);
    packet.copy(secured);
    const signed = secured.subarray(0, packet.length);
    this.#rtp.apply(signed.subarray(payloadOffset), packet.readUInt32BE(8), this.#sendRollover, sequence);
    this.#rtpTag(signed, this.#sendRollover).copy(secured, packet.length);
    return secured;
  }

  /** The decrypted packet without its tag (RFC 3711, 3.3), or null if it is forged or a replay. */
  unprotect(packet: Buffer, payloadOffset: number): Buffer | null {
    const end = packet.length - SRTP_TAG_BYTES;
    if (end < payloadOffset) return null;
    const sequence = packet.readUInt16BE(2);
    const ssrc = packet.readUInt32BE(8);
    const state = this.#states.get(ssrc) ?? { rollover: 0, highest: sequence, newest: -1n, seen: 0n };
    let rollover = state.rollover;
    // RFC 3711, appendix A: the rollover counter that places the packet nearest to the newest one.
    if (sequenceDistance(state.highest, sequence) > 0) {
      if (sequence < state.highest) rollover++;
    } else if (sequence > state.highest) rollover--;
    if (rollover < 0) return null;
    const index = (BigInt(rollover) << 16n) | BigInt(sequence);
    const age = state.newest - index;
    if (age >= REPLAY_WINDOW || (age >= 0n && (state.seen >> age) & 1n)) return null;
    const signed = packet.subarray(0, end);
    if (!timingSafeEqual(this.#rtpTag(signed, rollover), packet.subarray(end))) return null;
    if (age < 0n) {
      state.seen = state.newest < 0n ? 1n : ((state.seen << -age) | 1n) & ALL_SEEN;
      state.newest = index;
      state.rollover = rollover;
      state.highest = sequence;
    } else {
      state.seen |= 1n << age;
    }
    this.#remember(ssrc, state);
    const opened = Buffer.from(signed);
    this.#rtp.apply(opened.subarray(payloadOffset), ssrc, rollover, sequence);
    return opened;
  }

  #remember(ssrc: number, state: ReceiveState): void {
    if (this.#states.has(ssrc)) return;
    // Drops the least recent one: a call has two or three, and only an authenticated packet counts.
    const [oldest] = this.#states.keys();
    if (this.#states.size >= SOURCES_MAX && oldest !== undefined) this.#states.delete(oldest);
    this.#states.set(ssrc, state);
  }

  /** A copy of the compound RTCP packet, encrypted, with index and tag appended (RFC 3711, 3.4). */
  protectRtcp(packet: Buffer): Buffer {
    const index = this.#rtcpIndex;
    this.#rtcpIndex = (this.#rtcpIndex + 1) & 0x7fffffff;
    const signed = Buffer.allocUnsafe(packet.length + SRTCP_INDEX_BYTES);
    packet.copy(signed);
    this.#rtcp.apply(signed.subarray(8, packet.length), packet.readUInt32BE(4), index >>> 16, index & 0xffff);
    signed.writeUInt32BE((0x80000000 | index) >>> 0, packet.length);
    return Buffer.concat([signed, this.#rtcpTag(signed)]);
  }

  /** The decrypted compound packet (RFC 3711, 3.4), or null if it is forged or a replay. */
  unprotectRtcp(packet: Buffer): Buffer | null {
    const end = packet.length - SRTP_TAG_BYTES;
    if (end < 8 + SRTCP_INDEX_BYTES) return null;
    const signed = packet.subarray(0, end);
    if (!timingSafeEqual(this.#rtcpTag(signed), packet.subarray(end))) return null;
    const trailer = signed.readUInt32BE(end - SRTCP_INDEX_BYTES);
    const index = trailer & 0x7fffffff;
    if (index <= this.#rtcpNewest) return null;
    this.#rtcpNewest = index;
    const opened = Buffer.from(signed.subarray(0, end - SRTCP_INDEX_BYTES));
    if (trailer >>> 31 === 1)
      this.#rtcp.apply(opened.subarray(8), packet.readUInt32BE(4), index >>> 16, index & 0xffff);
    return opened;
  }

  #rtpTag(signed: Buffer, rollover: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(rollover >>> 0, 0);
    return createHmac('sha1', this.#rtpAuth).update(signed).update(counter).digest().subarray(0, SRTP_TAG_BYTES);
  }

  #rtcpTag(signed: Buffer): Buffer {
    return createHmac('sha1', this.#rtcpAuth).update(signed).digest().subarray(0, SRTP_TAG_BYTES);
  }
}
