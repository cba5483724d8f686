// The journal on the disk: a file for each call and one for the pulse of all, sealed, each replaced as a whole. A
// killed process leaves every file complete, as it was or as it became. Nothing is synchronised: a call does not
// outlive the machine, and the kernel keeps what a process has written.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { sealBytes, unsealBytes } from '../../db/shared/secret-box.ts';

const PULSE = 'pulse';
const SUSPECT = 'suspect';
const SUFFIX = '.call';
/** Longer ones shrink to a third of their length. */
const PLAIN_MAX_BYTES = 7_000;
const DEFLATE = { level: 1 };
/** Of a stored block that is the last one (RFC 1951 3.2.4). */
const STORED = 1;
const BLOCK_HEADER_BYTES = 5;

/**
 * In the format of deflate (RFC 1951). What is short is stored in it as it is: to inflate takes a window of 32 KB each
 * time, and the garbage of many calls took as long as all the rest of going on with them.
 */
function pack(json: string): Buffer {
  const bytes = Buffer.from(json);
  if (bytes.length > PLAIN_MAX_BYTES) return deflateRawSync(bytes, DEFLATE);
  const header = Buffer.alloc(BLOCK_HEADER_BYTES);
  header.writeUInt8(STORED, 0);
  header.writeUInt16LE(bytes.length, 1);
  header.writeUInt16LE(bytes.length ^ 0xffff, 3);
  return Buffer.concat([header, bytes]);
}

function unpack(packed: Buffer): string {
  const isStored = packed[0] === STORED && packed.readUInt16LE(1) === packed.length - BLOCK_HEADER_BYTES;
  return (isStored ? packed.subarray(BLOCK_HEADER_BYTES) : inflateRawSync(packed)).toString('utf8');
}

export class JournalFiles {
  readonly #folder: string;
  readonly #key: Buffer;

  constructor(folder: string, key: Buffer) {
    this.#folder = folder;
    this.#key = key;
  }

  /** @throws if the disk refuses */
  writeCall(callId: string, json: string): void {
    this.#write(`${callId}${SUFFIX}`, json);
  }

  writePulse(json: string): void {
    this.#write(PULSE, json);
  }

  /** The process is dying: the call that it was busy with. */
  writeSuspect(callId: string): void {
    this.#write(SUSPECT, JSON.stringify(callId));
  }

  /** Takes the note away. */
  takeSuspect(): unknown {
    const suspect = this.#read(SUSPECT);
    rmSync(join(this.#folder, SUSPECT), { force: true });
    return suspect;
  }

  forget(callId: string): void {
    rmSync(join(this.#folder, `${callId}${SUFFIX}`), { force: true });
  }

  /** Ids of the calls that have a file. */
  calls(): string[] {
    const names = readdirSync(this.#folder).filter((name) => name.endsWith(SUFFIX));
    return names.map((name) => name.slice(0, -SUFFIX.length));
  }

  /** Null if the file is missing, damaged, or sealed with another key. */
  readCall(callId: string): unknown {
    return this.#read(`${callId}${SUFFIX}`);
  }

  readPulse(): unknown {
    return this.#read(PULSE);
  }

  #write(name: string, json: string): void {
    const path = join(this.#folder, name);
    const draft = `${path}.new`;
    writeFileSync(draft, sealBytes(this.#key, name, pack(json)), { mode: 0o600 });
    renameSync(draft, path);
  }

  #read(name: string): unknown {
    try {
      const box = readFileSync(join(this.#folder, name));
      return JSON.parse(unpack(unsealBytes(this.#key, name, box)));
    } catch {
      return null;
    }
  }
}
