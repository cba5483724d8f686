// SRTP and SRTCP with AES_CM_128_HMAC_SHA1_80 (RFC 3711), keyed by SDES (RFC 4568), the suite that TLS trunks offer. Key
// derivation rate 0, no MKI, an 80-bit tag, one context per direction. Replays are rejected by a window of 64 packets.
import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { sequenceDistance } from './packet.ts';

export const SRTP_TAG_BYTES = 10;
const SRTCP_INDEX_BYTES = 4;
const REPLAY_WINDOW = 64n;

interface SessionKeys {
  cipher: Buffer;
  salt: Buffer;
  auth: Buffer;
}

/** AES in counter mode from a 16-byte initial counter block. */
function keystream(key: Buffer, counter: Buffer, input: Buffer): Buffer {
  return createCipheriv('aes-128-ctr', key, counter).update(input);
}

/** Session keys of a master key and salt (RFC 3711, 4.3): labels 0-2 for SRTP, 3-5 for SRTCP. */
export function deriveSessionKeys(masterKey: Buffer, masterSalt: Buffer, firstLabel: 0 | 3): SessionKeys {
  const derive = (label: number, bytes: number) => {
    const counter = Buffer.alloc(16);
    masterSalt.copy(counter, 0, 0, 14);
    counter[7] = (counter[7] as number) ^ label;
    return keystream(masterKey, counter, Buffer.alloc(bytes));
  };
  return { cipher: derive(firstLabel, 16), auth: derive(firstLabel + 1, 20), salt: derive(firstLabel + 2, 14) };
}

/** The initial counter block (RFC 3711, 4.1.1): salt·2^16 ⊕ SSRC·2^64 ⊕ index·2^16. */
function counterBlock(salt: Buffer, ssrc: number, index: bigint): Buffer {
  const counter = Buffer.alloc(16);
  salt.copy(counter, 0, 0, 14);
  counter.writeUInt32BE((counter.readUInt32BE(4) ^ ssrc) >>> 0, 4);
  const high = Number((index >> 32n) & 0xffffn);
  const low = Number(index & 0xffffffffn);
  counter.writeUInt16BE(counter.readUInt16BE(8) ^ high, 8);
  counter.writeUInt32BE((counter.readUInt32BE(10) ^ low) >>> 0, 10);
  return counter;
}

export class SrtpError extends Error {
  readonly code: 'SRTP_KEY_INVALID';
  constructor(message: string) {
    super(message);
    this.name = 'SrtpError';
    this.code = 'SRTP_KEY_INVALID';
  }
}

interface ReceiveState {
  rollover: number;
  highest: number;
  newest: bigint;
  seen: bigint;
}

/** One direction of one call. A sender has one SSRC; a receiver follows the peer's when it changes. */
export class SrtpContext {
  readonly #rtp: SessionKeys;
  readonly #rtcp: SessionKeys;
  #ssrc: number | null = null;
  #state: ReceiveState = { rollover: 0, highest: 0, newest: -1n, seen: 0n };
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
    this.#rtp = deriveSessionKeys(key, salt, 0);
    this.#rtcp = deriveSessionKeys(key, salt, 3);
  }

  /** A copy of the RTP packet, encrypted from `payloadOffset` on and with its tag appended (RFC 3711, 3.1). */
  protect(packet: Buffer, payloadOffset: number): Buffer {
    const sequence = packet.readUInt16BE(2);
    if (this.#lastSent >= 0 && sequence < this.#lastSent && this.#lastSent - sequence > 0x8000) this.#sendRollover++;
    this.#lastSent = sequence;
    const index = (BigInt(this.#sendRollover) << 16n) | BigInt(sequence);
    const counter = counterBlock(this.#rtp.salt, packet.readUInt32BE(8), index);
    const body = keystream(this.#rtp.cipher, counter, packet.subarray(payloadOffset));
    const signed = Buffer.concat([packet.subarray(0, payloadOffset), body]);
    return Buffer.concat([signed, this.#rtpTag(signed, this.#sendRollover)]);
  }

  /** The decrypted packet without its tag (RFC 3711, 3.3), or null when it is forged or a replay. */
  unprotect(packet: Buffer, payloadOffset: number): Buffer | null {
    const end = packet.length - SRTP_TAG_BYTES;
    if (end < payloadOffset) return null;
    const sequence = packet.readUInt16BE(2);
    const ssrc = packet.readUInt32BE(8);
    const fresh = this.#ssrc !== ssrc;
    const state = fresh ? { rollover: 0, highest: sequence, newest: -1n, seen: 0n } : this.#state;
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
      state.seen = state.newest < 0n ? 1n : ((state.seen << -age) | 1n) & ((1n << REPLAY_WINDOW) - 1n);
      state.newest = index;
      state.rollover = rollover;
      state.highest = sequence;
    } else {
      state.seen |= 1n << age;
    }
    this.#ssrc = ssrc;
    this.#state = state;
    const counter = counterBlock(this.#rtp.salt, ssrc, index);
    return Buffer.concat([
      packet.subarray(0, payloadOffset),
      keystream(this.#rtp.cipher, counter, signed.subarray(payloadOffset)),
    ]);
  }

  /** A copy of the compound RTCP packet, encrypted, with index and tag appended (RFC 3711, 3.4). */
  protectRtcp(packet: Buffer): Buffer {
    const index = this.#rtcpIndex;
    this.#rtcpIndex = (this.#rtcpIndex + 1) & 0x7fffffff;
    const counter = counterBlock(this.#rtcp.salt, packet.readUInt32BE(4), BigInt(index));
    const trailer = Buffer.alloc(SRTCP_INDEX_BYTES);
    trailer.writeUInt32BE((0x80000000 | index) >>> 0, 0);
    const signed = Buffer.concat([
      packet.subarray(0, 8),
      keystream(this.#rtcp.cipher, counter, packet.subarray(8)),
      trailer,
    ]);
    return Buffer.concat([signed, this.#rtcpTag(signed)]);
  }

  /** The decrypted compound packet (RFC 3711, 3.4), or null when it is forged or a replay. */
  unprotectRtcp(packet: Buffer): Buffer | null {
    const end = packet.length - SRTP_TAG_BYTES;
    if (end < 8 + SRTCP_INDEX_BYTES) return null;
    const signed = packet.subarray(0, end);
    if (!timingSafeEqual(this.#rtcpTag(signed), packet.subarray(end))) return null;
    const trailer = signed.readUInt32BE(end - SRTCP_INDEX_BYTES);
    const index = trailer & 0x7fffffff;
    if (index <= this.#rtcpNewest) return null;
    this.#rtcpNewest = index;
    const body = signed.subarray(8, end - SRTCP_INDEX_BYTES);
    if (trailer >>> 31 === 0) return Buffer.concat([signed.subarray(0, 8), body]);
    const counter = counterBlock(this.#rtcp.salt, packet.readUInt32BE(4), BigInt(index));
    return Buffer.concat([signed.subarray(0, 8), keystream(this.#rtcp.cipher, counter, body)]);
  }

  #rtpTag(signed: Buffer, rollover: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(rollover >>> 0, 0);
    return createHmac('sha1', this.#rtp.auth).update(signed).update(counter).digest().subarray(0, SRTP_TAG_BYTES);
  }

  #rtcpTag(signed: Buffer): Buffer {
    return createHmac('sha1', this.#rtcp.auth).update(signed).digest().subarray(0, SRTP_TAG_BYTES);
  }
}
