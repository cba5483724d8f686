// Unpacks a .tar.bz2 into a folder. The archive is not trusted: only plain files and folders inside its own top folder
// are accepted, within the given limits.
import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Parser, type ReadEntry } from 'tar';
import unbzip2 from 'unbzip2-stream';

export class UnpackError extends Error {
  readonly code = 'ARCHIVE_REFUSED';
}

export interface UnpackedFile {
  /** Below the folder, with slashes. */
  path: string;
  bytes: number;
  /** Lower-case hexadecimal. */
  sha256: string;
}

interface UnpackLimits {
  /** Of all files together. */
  maxBytes: number;
  maxFiles: number;
}

/** Headers and padding of a tar, for each file. */
const OVERHEAD_BYTES = 4_096;

/**
 * Unpacks the archive's top folder as `into`.
 * @returns the files, in the archive's order
 * @throws {UnpackError} for an archive that is broken or has unexpected entries; files unpacked so far stay
 */
export async function unpackTarBz2(archive: string, into: string, limits: UnpackLimits): Promise<UnpackedFile[]> {
  const unpacking = new Unpacking(into, limits);
  const parser = new Parser({ strict: true, onReadEntry: (entry) => unpacking.take(entry) });
  parser.on('error', (error: unknown) => unpacking.fail(error));
  const maxTarBytes = limits.maxBytes + limits.maxFiles * OVERHEAD_BYTES;
  for await (const block of unzipped(archive, maxTarBytes)) {
    if (!parser.write(block)) await drained(parser, unpacking);
    unpacking.check();
  }
  const ended = once(parser, 'end');
  parser.end();
  await Promise.race([ended, unpacking.failed]);
  return unpacking.finish();
}

async function drained(parser: Parser, unpacking: Unpacking): Promise<void> {
  await Promise.race([once(parser, 'drain'), unpacking.failed]);
}

class Unpacking {
  /** Rejects with the first failure. */
  readonly failed: Promise<never>;
  readonly #into: string;
  readonly #limits: UnpackLimits;
  readonly #files: UnpackedFile[] = [];
  #top: string | null = null;
  #bytes = 0;
  #work: Promise<void> = Promise.resolve();
  #failure: Error | null = null;
  #reject: (error: Error) => void = () => {};

  constructor(into: string, limits: UnpackLimits) {
    this.#into = into;
    this.#limits = limits;
    this.failed = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.failed.catch(() => undefined);
  }

  take(entry: ReadEntry): void {
    this.#work = this.#work.then(async () => {
      if (this.#failure === null) await this.#unpack(entry);
      else entry.resume();
    });
    this.#work = this.#work.catch((error: unknown) => {
      this.fail(error);
      entry.resume();
    });
  }

  fail(error: unknown): void {
    if (this.#failure !== null) return;
    this.#failure = error instanceof Error ? error : new UnpackError(String(error));
    this.#reject(this.#failure);
  }

  check(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  async finish(): Promise<UnpackedFile[]> {
    await this.#work;
    this.check();
    if (this.#files.length === 0) throw new UnpackError('the archive is empty');
    return this.#files;
  }

  async #unpack(entry: ReadEntry): Promise<void> {
    const path = this.#pathOf(entry.path);
    if (path === null || entry.type === 'Directory') {
      if (path !== null) await mkdir(join(this.#into, path), { recursive: true });
      entry.resume();
      return;
    }
    if (entry.type !== 'File' && entry.type !== 'OldFile')
      throw new UnpackError(`the archive holds ${entry.path}, which is a ${entry.type}, not a file`);
    this.#bytes += entry.size;
    if (this.#bytes > this.#limits.maxBytes || this.#files.length >= this.#limits.maxFiles)
      throw new UnpackError('the archive holds more than expected');
    const target = join(this.#into, path);
    await mkdir(dirname(target), { recursive: true });
    const hash = createHash('sha256');
    await pipeline(hashed(entry, hash), createWriteStream(target, { flags: 'wx' }));
    this.#files.push({ path, bytes: entry.size, sha256: hash.digest('hex') });
  }

  /** The path below the archive's top folder; null for that folder and for macOS metadata files. */
  #pathOf(name: string): string | null {
    const parts = name.split('/').filter((part) => part !== '' && part !== '.');
    const isUnsafe = name.startsWith('/') || /[\\\0]|^[A-Za-z]:/.test(name) || parts.includes('..');
    if (isUnsafe) throw new UnpackError(`the archive holds ${JSON.stringify(name)}, which leaves its folder`);
    if (parts.at(-1)?.startsWith('._')) return null;
    const [top = null, ...rest] = parts;
    this.#top ??= top;
    if (top !== this.#top) throw new UnpackError(`the archive holds ${JSON.stringify(name)} beside ${this.#top}`);
    return rest.length === 0 ? null : rest.join('/');
  }
}

async function* hashed(entry: ReadEntry, hash: Hash): AsyncGenerator<Buffer> {
  for await (const data of entry) {
    hash.update(data);
    yield data;
  }
}

async function* unzipped(path: string, maxBytes: number): AsyncGenerator<Buffer> {
  const stream = unbzip2() as unknown as NodeJS.ReadWriteStream;
  const blocks: Buffer[] = [];
  let bytes = 0;
  let failure: Error | null = null;
  stream.on('data', (block: Buffer) => {
    bytes += block.length;
    // One write may unzip many blocks; an error thrown here stops it after this one.
    if (bytes > maxBytes) throw new UnpackError(`${path} is larger than expected`);
    blocks.push(block);
  });
  stream.on('error', (error: Error) => {
    failure ??=
      error instanceof UnpackError ? error : new UnpackError(`${path} is not a complete .tar.bz2: ${error.message}`);
  });
  const ready = (): Buffer[] => {
    if (failure !== null) throw failure;
    return blocks.splice(0);
  };
  for await (const chunk of createReadStream(path)) {
    stream.write(chunk as Buffer);
    yield* ready();
  }
  stream.end();
  yield* ready();
}
