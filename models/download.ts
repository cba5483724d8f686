// Downloads weights. A broken download is resumed. Only a file with the right size and SHA-256 gets its final name, so what
// has that name is always complete.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf } from './unexpected.ts';
import type { Download } from './weights.ts';

export type DownloadErrorCode = 'DOWNLOAD_FAILED' | 'DOWNLOAD_CORRUPT' | 'DOWNLOAD_CANCELLED';

export class DownloadError extends Error {
  readonly code: DownloadErrorCode;
  constructor(code: DownloadErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DownloadError';
    this.code = code;
  }
}

export interface DownloadOptions {
  /** Called with the bytes on disk, at most once per chunk. */
  onProgress?: (bytes: number) => void;
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

type Wanted = Pick<Download, 'url' | 'bytes' | 'sha256'>;

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
          : new DownloadError('DOWNLOAD_FAILED', messageOf(error), { cause: error });
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

/** Whether `path` exists with the right size and SHA-256. */
export async function isIntact(wanted: Pick<Download, 'bytes' | 'sha256'>, path: string): Promise<boolean> {
  const size = await sizeOf(path);
  return size === wanted.bytes && (await sha256Of(path)) === wanted.sha256;
}

/** Lower-case hexadecimal SHA-256 of a file, read in pieces. */
async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function fetchRest(wanted: Wanted, part: string, options: DownloadOptions): Promise<void> {
  let have = (await sizeOf(part)) ?? 0;
  if (have > wanted.bytes) {
    await rm(part, { force: true });
    have = 0;
  }
  if (have === wanted.bytes) return;
  const stall = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stall.signal]) : stall.signal;
  const stallMs = options.stallTimeoutMs ?? STALL_TIMEOUT_MS;
  let timer = setTimeout(() => stall.abort(), stallMs);
  try {
    const response = await fetch(wanted.url, { signal, headers: have > 0 ? { range: `bytes=${have}-` } : {} });
    // 4xx stays 4xx on a retry, except for a range that the server refuses.
    if (response.status === 416) {
      await rm(part, { force: true });
      throw new Error('the server refused to resume');
    }
    if (!response.ok || !response.body) {
      const code = response.status >= 400 && response.status < 500 ? 'DOWNLOAD_CORRUPT' : 'DOWNLOAD_FAILED';
      throw new DownloadError(code, `${wanted.url} answered ${response.status}`);
    }
    // A server that ignores the range sends the whole file again.
    const isResumed = have > 0 && response.status === 206;
    let bytes = isResumed ? have : 0;
    const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
    body.on('data', (chunk: Buffer) => {
      clearTimeout(timer);
      timer = setTimeout(() => stall.abort(), stallMs);
      bytes += chunk.length;
      if (bytes > wanted.bytes)
        body.destroy(new DownloadError('DOWNLOAD_CORRUPT', `${wanted.url} is longer than expected`));
      else options.onProgress?.(bytes);
    });
    await pipeline(body, createWriteStream(part, { flags: isResumed ? 'a' : 'w' }), { signal });
    if (bytes < wanted.bytes) throw new Error(`${wanted.url} broke off after ${bytes} of ${wanted.bytes} bytes`);
  } finally {
    clearTimeout(timer);
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch {
    return null;
  }
}
