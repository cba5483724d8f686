// The keys of a DTLS 1.2 session with SHA-256 (RFC 5246 5 and 6.3, RFC 7627, RFC 5705), and of SRTP after it
// (RFC 5764 4.2).
import { createHash, createHmac } from 'node:crypto';

const MASTER_BYTES = 48;
const VERIFY_BYTES = 12;
const KEY_BYTES = 16;
const IV_BYTES = 4;
const SRTP_KEY_BYTES = 16;
const SRTP_SALT_BYTES = 14;

export interface DirectionKey {
  key: Buffer;
  iv: Buffer;
}

/** base64 of master key and salt, as SDES would say them. */
export interface SrtpKeys {
  client: string;
  server: string;
}

function prf(secret: Buffer, label: string, seed: Buffer, bytes: number): Buffer {
  const labelled = Buffer.concat([Buffer.from(label), seed]);
  const hmac = (...parts: Buffer[]): Buffer => {
    const hash = createHmac('sha256', secret);
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
  const blocks: Buffer[] = [];
  let a: Buffer = labelled;
  for (let length = 0; length < bytes; length += 32) {
    a = hmac(a);
    blocks.push(hmac(a, labelled));
  }
  return Buffer.concat(blocks).subarray(0, bytes);
}

const hashOf = (messages: readonly Buffer[]): Buffer => {
  const hash = createHash('sha256');
  for (const message of messages) hash.update(message);
  return hash.digest();
};

export class SessionKeys {
  readonly #master: Buffer;
  readonly #clientRandom: Buffer;
  readonly #serverRandom: Buffer;

  /** `messages`: all of the handshake up to the client's key exchange (RFC 7627 4). */
  constructor(secret: Buffer, messages: readonly Buffer[], randoms: { client: Buffer; server: Buffer }) {
    this.#master = prf(secret, 'extended master secret', hashOf(messages), MASTER_BYTES);
    this.#clientRandom = randoms.client;
    this.#serverRandom = randoms.server;
  }

  get records(): { client: DirectionKey; server: DirectionKey } {
    const seed = Buffer.concat([this.#serverRandom, this.#clientRandom]);
    const block = prf(this.#master, 'key expansion', seed, 2 * (KEY_BYTES + IV_BYTES));
    const ivs = block.subarray(2 * KEY_BYTES);
    return {
      client: { key: block.subarray(0, KEY_BYTES), iv: ivs.subarray(0, IV_BYTES) },
      server: { key: block.subarray(KEY_BYTES, 2 * KEY_BYTES), iv: ivs.subarray(IV_BYTES) },
    };
  }

  get srtp(): SrtpKeys {
    const seed = Buffer.concat([this.#clientRandom, this.#serverRandom]);
    const block = prf(this.#master, 'EXTRACTOR-dtls_srtp', seed, 2 * (SRTP_KEY_BYTES + SRTP_SALT_BYTES));
    const salts = block.subarray(2 * SRTP_KEY_BYTES);
    const keySalt = (index: number): string =>
      Buffer.concat([
        block.subarray(index * SRTP_KEY_BYTES, (index + 1) * SRTP_KEY_BYTES),
        salts.subarray(index * SRTP_SALT_BYTES, (index + 1) * SRTP_SALT_BYTES),
      ]).toString('base64');
    return { client: keySalt(0), server: keySalt(1) };
  }

  /** The content of that side's Finished, after these messages. */
  finished(side: 'client' | 'server', messages: readonly Buffer[]): Buffer {
    return prf(this.#master, `${side} finished`, hashOf(messages), VERIFY_BYTES);
  }
}
