// Reads a WebAssembly module from its file, apart in code and data (WebAssembly core specification, 5.5: binary
// modules). V8 keeps the bytes that a module was made of for as long as the module lives. Of flite's 21 MB 17 are the
// voices, which each instance has once more in its memory, and 4 are names for debuggers.
import { readSync } from 'node:fs';

const HEADER = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const CUSTOM_SECTION = 0;
const DATA_SECTION = 11;
/** A segment that is copied to a constant address of the first memory when the module is instantiated. */
const ACTIVE = 0;
const I32_CONST = 0x41;
/** The head of a section or segment is shorter: a few numbers of at most five bytes. */
const HEAD_BYTES = 32;

/** Data that an instance has in its memory before it runs. */
export interface Segment {
  /** In the memory of an instance. */
  address: number;
  /** In the file. */
  position: number;
  length: number;
}

interface WasmFile {
  /** The module without its data and its custom sections. */
  code: Uint8Array<ArrayBuffer>;
  /**
   * In the order of their addresses. The linker (wasm-ld) writes constants first and then what the program may change;
   * zeros, stack and heap come behind it. So a run changes nothing that lies before the last one.
   */
  segments: readonly Segment[];
}

/** @throws TypeError for a module without data, or with data that is not copied at once */
export function readWasmFile(file: number): WasmFile {
  const kept: Uint8Array[] = [HEADER];
  let segments: Segment[] = [];
  let at = HEADER.length;
  for (;;) {
    const head = readHead(file, at);
    const id = head.byte();
    if (id === null) break;
    const bytes = head.integer();
    const begin = at + head.read;
    const end = begin + bytes;
    if (id === DATA_SECTION) segments = readSegments(file, begin);
    else if (id !== CUSTOM_SECTION) kept.push(readAt(file, at, end - at));
    at = end;
  }
  if (segments.length === 0) throw new TypeError('the module has no data that is copied when it is instantiated');
  return { code: new Uint8Array(Buffer.concat(kept)), segments };
}

/** Puts a segment where it belongs in `memory`. @throws RangeError when the file has become shorter */
export function readSegment(file: number, { address, position, length }: Segment, memory: Uint8Array): void {
  if (readSync(file, memory, address, length, position) < length)
    throw new RangeError("the module's file has become shorter");
}

function readSegments(file: number, position: number): Segment[] {
  const segments: Segment[] = [];
  const start = readHead(file, position);
  const count = start.integer();
  let at = position + start.read;
  while (segments.length < count) {
    const head = readHead(file, at);
    if (head.integer() !== ACTIVE || head.byte() !== I32_CONST) return [];
    const address = head.integer();
    head.byte(); // end of the expression
    const length = head.integer();
    segments.push({ address, position: at + head.read, length });
    at += head.read + length;
  }
  return segments.sort((a, b) => a.address - b.address);
}

interface Head {
  /** Null behind the end of the file. */
  byte(): number | null;
  /** In LEB128. Addresses are below 2 GB: signed and unsigned ones differ in their last bits alone. */
  integer(): number;
  /** Bytes taken so far. */
  readonly read: number;
}

function readHead(file: number, position: number): Head {
  const bytes = readAt(file, position, HEAD_BYTES);
  let read = 0;
  const byte = (): number | null => bytes[read++] ?? null;
  const integer = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const next = byte() ?? 0;
      value |= (next & 0x7f) << shift;
      if ((next & 0x80) === 0) return value;
    }
  };
  return {
    byte,
    integer,
    get read() {
      return read;
    },
  };
}

/** Fewer bytes at the end of the file. */
function readAt(file: number, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}
