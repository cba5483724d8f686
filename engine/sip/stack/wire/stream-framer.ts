// Splits the byte stream of a TCP or TLS connection into messages by Content-Length (RFC 3261 18.3), whatever the
// segmentation, and recognises keep-alives (RFC 5626 4.4.1). It touches no socket: bytes in, frames out.
import { contentLength, findHeadEnd, type Header, MAX_MESSAGE_BYTES } from './message.ts';

export type Frame =
  | { type: 'message'; bytes: Buffer }
  /** CRLFCRLF, or several of them in a row: answered by one CRLF. */
  | { type: 'ping' }
  /** The stream cannot be read any further; `bytes` may still be answered with 400. */
  | { type: 'broken'; reason: string; bytes: Buffer };

/** No regular expression: a stranger chooses the line, and 64 KiB of blanks in it must cost no more than one pass. */
function contentLengthOf(head: string): number | null | undefined {
  const headers: Header[] = [];
  for (const line of head.split('\n')) {
    const colon = line.indexOf(':');
    if (colon < 0) continue;
    const name = line.slice(0, colon).trimEnd().toLowerCase();
    if (name !== 'content-length' && name !== 'l') continue;
    headers.push({ name: 'content-length', value: line.slice(colon + 1).trim() });
  }
  return contentLength(headers);
}

interface Cut {
  frame: Frame | null;
  rest: Buffer;
  blank: number;
  needed: number | null;
}

function breakOff(reason: string, bytes: Buffer): Cut {
  return {
    frame: { type: 'broken', reason, bytes },
    rest: Buffer.alloc(0),
    blank: 0,
    needed: null,
  };
}

/** Takes the first frame off the front; `frame` is null and `rest` unchanged if it is incomplete. */
function cutOne(held: Buffer, blank: number): Cut {
  let start = 0;
  while (start < held.length && (held[start] === 13 || held[start] === 10)) start++;
  const blanks = blank + start;
  const rest = held.subarray(start);
  // A segment of 64 KiB of them is one: each would be a frame, and an answer.
  if (blanks >= 4) return { frame: { type: 'ping' }, rest, blank: blanks % 4, needed: null };
  if (rest.length === 0) return { frame: null, rest, blank: blanks, needed: null };
  const end = findHeadEnd(rest, 0);
  if (!end) {
    if (rest.length >= MAX_MESSAGE_BYTES) return breakOff('no end of headers within 64 KiB', rest);
    return { frame: null, rest, blank: 0, needed: null };
  }
  const length = contentLengthOf(rest.toString('latin1', 0, end.head));
  // RFC 3261 20.14: mandatory on a stream, where nothing else tells where the next message begins.
  if (length === null) return breakOff('bad Content-Length', rest);
  if (length === undefined) return breakOff('no Content-Length', rest);
  const total = end.body + length;
  if (total > MAX_MESSAGE_BYTES) return breakOff('message over 64 KiB', rest);
  if (rest.length < total) return { frame: null, rest, blank: 0, needed: total };
  return {
    frame: { type: 'message', bytes: rest.subarray(0, total) },
    rest: rest.subarray(total),
    blank: 0,
    needed: null,
  };
}

/** How far back an end of headers can begin: CR LF CR at the end of the previous segment. */
const OVERLAP_BYTES = 3;

export class StreamFramer {
  /** Bytes of an incomplete message, joined only when it may be complete: tiny segments then cost linear work. */
  #chunks: Buffer[] = [];
  #heldBytes = 0;
  /** Total length of the message at the front, once its head has been read. */
  #neededBytes: number | null = null;
  /** CRs and LFs seen between messages. */
  #blank = 0;
  #tail: Buffer = Buffer.alloc(0);
  #broken = false;

  /** Bytes of an incomplete message. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Returns the incomplete message of a peer that stopped sending, and reads nothing more. */
  abandon(): Buffer {
    this.#broken = true;
    const rest = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#heldBytes = 0;
    return rest;
  }

  /** Adds bytes of the stream and returns the frames that they complete; none after `broken`. */
  push(bytes: Buffer): Frame[] {
    if (this.#broken) return [];
    this.#chunks.push(bytes);
    this.#heldBytes += bytes.length;
    if (!this.#mayComplete(bytes)) return [];
    let held = this.#chunks.length === 1 ? bytes : Buffer.concat(this.#chunks);
    const frames: Frame[] = [];
    for (;;) {
      const cut = cutOne(held, this.#blank);
      this.#blank = cut.blank;
      held = cut.rest;
      this.#neededBytes = cut.needed;
      if (cut.frame === null) break;
      frames.push(cut.frame);
      if (cut.frame.type === 'broken') {
        this.#broken = true;
        held = Buffer.alloc(0);
        break;
      }
    }
    this.#chunks = held.length > 0 ? [held] : [];
    this.#heldBytes = held.length;
    this.#tail = held.subarray(Math.max(0, held.length - OVERLAP_BYTES));
    return frames;
  }

  #mayComplete(bytes: Buffer): boolean {
    if (this.#chunks.length === 1) return true;
    if (this.#neededBytes !== null) return this.#heldBytes >= this.#neededBytes;
    const probe = Buffer.concat([this.#tail, bytes]);
    this.#tail = probe.subarray(Math.max(0, probe.length - OVERLAP_BYTES));
    return this.#heldBytes >= MAX_MESSAGE_BYTES || findHeadEnd(probe, 0) !== null;
  }
}
