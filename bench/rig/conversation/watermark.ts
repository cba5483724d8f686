// A mark in each 20 ms frame of a scripted utterance, so that a scripted recogniser can identify its frames. It is in
// the lowest bits of the µ-law codes of 52 samples: inaudible, and destroyed when the frame is lost, concealed or
// changed.
import { encodeG711 } from '../../../media/g711.ts';

interface Mark {
  utterance: number;
  /** Of the utterance, from 0. */
  frame: number;
}

const SYNC = 0xb5c3;
const UTTERANCE_BITS = 16;
const FRAME_BITS = 12;
const CHECK_BITS = 8;
const BODY_BITS = UTTERANCE_BITS + FRAME_BITS + CHECK_BITS;
/** After the part of a frame that loss concealment blends. */
const OFFSET = 100;

export const MAX_MARKED_FRAMES = 2 ** FRAME_BITS;

/** Writes the mark into the µ-law codes of a 20 ms frame. */
export function writeMark(codes: Uint8Array, { utterance, frame }: Mark): void {
  let at = OFFSET;
  const write = (value: number, bits: number): void => {
    for (let bit = bits - 1; bit >= 0; bit--, at++) codes[at] = ((codes[at] ?? 0) & 0xfe) | ((value >> bit) & 1);
  };
  write(SYNC, 16);
  write(utterance, UTTERANCE_BITS);
  write(frame, FRAME_BITS);
  write(checkOf(utterance, frame), CHECK_BITS);
}

/** Finds the marks in a stream of samples, cut into any pieces. */
export class MarkReader {
  #head = 0;
  #body = 0;
  #codes = new Uint8Array(0);

  read(samples: Int16Array): Mark[] {
    if (this.#codes.length < samples.length) this.#codes = new Uint8Array(samples.length);
    encodeG711('pcmu', samples, this.#codes);
    const marks: Mark[] = [];
    for (let n = 0; n < samples.length; n++) {
      const carry = this.#body >= 2 ** (BODY_BITS - 1) ? 1 : 0;
      this.#body = (this.#body * 2 + ((this.#codes[n] ?? 0) & 1)) % 2 ** BODY_BITS;
      this.#head = ((this.#head << 1) | carry) & 0xffff;
      if (this.#head !== SYNC) continue;
      const utterance = Math.floor(this.#body / 2 ** (FRAME_BITS + CHECK_BITS));
      const frame = Math.floor(this.#body / 2 ** CHECK_BITS) % 2 ** FRAME_BITS;
      if (this.#body % 2 ** CHECK_BITS === checkOf(utterance, frame)) marks.push({ utterance, frame });
    }
    return marks;
  }
}

function checkOf(utterance: number, frame: number): number {
  return (Math.imul(utterance * 4_099 + frame + 1, 0x9e3779b1) >>> 24) & 0xff;
}
