// Downloads weights and resumes broken downloads. Only a file with the right size and SHA-256 gets its final name, so a
// file with that name is always complete. Where size or sum are unknown, the size that the server reports must match.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../../db/domain/unexpected.ts';

type DownloadErrorCode = 'DOWNLOAD_FAILED' | 'DOWNLOAD_CORRUPT' | 'DOWNLOAD_UNCHECKED' | 'DOWNLOAD_CANCELLED';

export class DownloadError extends Error {
  readonly code: DownloadErrorCode;
  constructor(code: DownloadErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DownloadError';
    this.code = code;
  }
}

export interface DownloadOptions {
  /** Called with the bytes on disk and, once it is known, the size, at most once per chunk. */
  onProgress?: (bytes: number, totalBytes: number | null) => void;
  signal?: AbortSignal;
  /** Longest time without a byte. */
  stallTimeoutMs?: number;
  /** Pause before the second and third attempt, doubled each time. */
  retryDelayMs?: number;
}

/** Attempts to fetch or resume before giving up. */
const ATTEMPTS = 4;
const STALL_TIMEOUT_MS = 30_000;
const RETRY_DELAY_MS = 1_000;

interface Wanted {
  url: string;
  /** Null: the size that the server reports, up to `maxBytes`. */
  bytes: number | null;
  maxBytes?: number;
  /** Null: not known. */
  sha256: string | null;
}

/**
 * Downloads `wanted` to `path`, unless the right file is there already.
 * @throws {DownloadError} after removing a file with the wrong content
 */
export async function download(wanted: Wanted, path: string, options: DownloadOptions = {}): Promise<void> {
  if (await isIntact(wanted, path)) return;
  const part = `${path}.part`;
  await mkdir(dirname(path), { recursive: true });
  for (let attempt = 1; ; attempt++) {
    try {
      await fetchRest(wanted, part, options);
      break;
    } catch (error) {
      if (options.signal?.aborted) throw new DownloadError('DOWNLOAD_CANCELLED', 'the download was cancelled');
      const failure =
        error instanceof DownloadError
          ? error
          : new DownloadError('DOWNLOAD_FAILED', `${wanted.url}: ${reasonOf(error)}`, { cause: error });
      if (attempt === ATTEMPTS || failure.code !== 'DOWNLOAD_FAILED') throw failure;
      const delayMs = (options.retryDelayMs ?? RETRY_DELAY_MS) * 2 ** (attempt - 1);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  if (!(await isIntact(wanted, part))) {
    await rm(part, { force: true });
    throw new DownloadError('DOWNLOAD_CORRUPT', `${wanted.url} does not have the expected content`);
  }
  await rename(part, path);
}

/** `fetch failed` alone does not tell an unknown name from a refused connection. */
export function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof Error ? cause.message || messageOf(error) : messageOf(error);
}

/** Whether `path` exists with the right size and SHA-256, as far as they are known. */
export async function isIntact(wanted: Pick<Wanted, 'bytes' | 'sha256'>, path: string): Promise<boolean> {
  const size = await sizeOf(path);
  if (size === null || (wanted.bytes !== null && size !== wanted.bytes)) return false;
  return wanted.sha256 === null || (await sha256Of(path)) === wanted.sha256;
}

/** Lower-case hexadecimal SHA-256 of a file, read in pieces. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function fetchRest(wanted: Wanted, part: string, options: DownloadOptions): Promise<void> {
  let have = (await sizeOf(part)) ?? 0;
  if (wanted.bytes !== null && have > wanted.bytes) {
    await rm(part, { force: true });
    have = 0;
  }
  if (have > 0 && have === wanted.bytes) return;
  const stall = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stall.signal]) : stall.signal;
  const stallMs = options.stallTimeoutMs ?? STALL_TIMEOUT_MS;
  let timer = setTimeout(() => stall.abort(), stallMs);
  try {
    const response = await fetch(wanted.url, { signal, headers: have > 0 ? { range: `bytes=${have}-` } : {} });
    if (await isWhole(response, wanted, part, have)) return;
    // A server that ignores the range sends the whole file again.
    const isResumed = have > 0 && response.status === 206;
    let bytes = isResumed ? have : 0;
    const total = wanted.bytes ?? announced(response, bytes);
    const limit = total ?? wanted.maxBytes ?? Number.POSITIVE_INFINITY;
    if (limit > (wanted.maxBytes ?? limit)) throw tooLong(wanted);
    if (!response.body) throw new DownloadError('DOWNLOAD_FAILED', `${wanted.url} sent nothing`);
    const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
    body.on('data', (chunk: Buffer) => {
      clearTimeout(timer);
      timer = setTimeout(() => stall.abort(), stallMs);
      bytes += chunk.length;
      if (bytes > limit) body.destroy(tooLong(wanted));
      else options.onProgress?.(bytes, total);
    });
    await pipeline(body, createWriteStream(part, { flags: isResumed ? 'a' : 'w' }), { signal });
    if (total !== null && bytes < total) throw new Error(`it broke off after ${bytes} of ${total} bytes`);
  } finally {
    clearTimeout(timer);
  }
}

/** True when no bytes are missing. @throws for an answer without the missing bytes */
async function isWhole(response: Response, wanted: Wanted, part: string, have: number): Promise<boolean> {
  if (response.ok) return false;
  if (response.status === 416) {
    if (wanted.bytes === null && response.headers.get('content-range') === `bytes */${have}`) return true;
    await rm(part, { force: true });
    throw new Error('the server refused to resume');
  }
  // A retry does not change a 4xx.
  const code = response.status >= 400 && response.status < 500 ? 'DOWNLOAD_CORRUPT' : 'DOWNLOAD_FAILED';
  throw new DownloadError(code, `${wanted.url} answered ${response.status}`);
}

function announced(response: Response, have: number): number | null {
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  return Number.isInteger(length) && length > 0 ? have + length : null;
}

function tooLong({ url }: Wanted): DownloadError {
  return new DownloadError('DOWNLOAD_CORRUPT', `${url} is longer than expected`);
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch {
    return null;
  }
}
