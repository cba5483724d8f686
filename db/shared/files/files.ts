// The port of files that outlive a process: recordings and documents. `local` keeps them in DATA_DIR, `s3` in an object
// store, where every machine reaches them. With either, a key is the file's path below DATA_DIR.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';

type FilesErrorCode =
  /** There is no such file. */
  | 'missing'
  /** The store does not answer, answers too late, or asks to be left alone: try again later. */
  | 'unreachable'
  /** The store answers and refuses: a wrong key, a missing right, an unknown bucket. An operator must act. */
  | 'refused'
  /** The file is not what was stored. */
  | 'broken';

export class FilesError extends Error {
  readonly code: FilesErrorCode;
  constructor(code: FilesErrorCode, message: string) {
    super(message);
    this.name = 'FilesError';
    this.code = code;
  }
}

/** Inclusive at both ends, as in the header Range. */
export interface ByteRange {
  first: number;
  last: number;
}

export interface FileFacts {
  bytes: number;
  modifiedAt: Date;
  /** In hexadecimal digits; null where nobody has counted it. */
  sha256: string | null;
}

export interface OpenFile {
  body: Readable;
  /** Bytes that `body` gives. */
  bytes: number;
  modifiedAt: Date;
}

/** Every method throws FilesError; none waits for ever. */
export interface Files {
  readonly kind: 'local' | 's3';
  /** Stores the file at `path` under the key, in place of an earlier one. The file itself stays. */
  put(key: string, path: string, contentType: string): Promise<FileFacts>;
  /** The caller must read the body to its end or destroy it. */
  get(key: string, options?: { range?: ByteRange | null; signal?: AbortSignal }): Promise<OpenFile>;
  /** Null if there is none. */
  head(key: string): Promise<FileFacts | null>;
  /** Resolves when nothing is left of the file: no version of it either. A missing file is no error. */
  delete(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<{ key: string; bytes: number }>;
  /** Throws if files can be neither read nor written now. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** A key names a file below a folder, and nothing else. @throws {Error} */
export function checkedKey(key: string): string {
  const isPlain = /^[\w.-]+(\/[\w.-]+)*$/.test(key) && !key.split('/').some((part) => part === '.' || part === '..');
  if (!isPlain) throw new Error('a file has an impossible key');
  return key;
}

const TYPES = { wav: 'audio/wav', mp3: 'audio/mp3', pdf: 'application/pdf', png: 'image/png', jpg: 'image/jpeg' };

/** By the end of a name. */
export function contentTypeOf(name: string): string {
  const end = name.slice(name.lastIndexOf('.') + 1);
  return end in TYPES ? TYPES[end as keyof typeof TYPES] : 'application/octet-stream';
}

/** 0.1 ms of hashing at a time: the engine counts on the thread that conducts calls. */
const HASHED_BYTES = 64 * 1024;

/** The SHA-256 of a file in hexadecimal digits, and its length. */
export async function hashFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: HASHED_BYTES }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}
