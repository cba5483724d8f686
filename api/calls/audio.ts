// The recording: streamed from disk, with Range (RFC 9110 section 14) so that a player can seek.

import type { ReadStream } from 'node:fs';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, resolve, sep } from 'node:path';
import type { ApiContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { callRow } from './service.ts';

export interface Recording {
  path: string;
  bytes: number;
  contentType: 'audio/wav' | 'audio/mp3';
  modifiedAt: Date;
}

export interface ByteRange {
  /** Inclusive, as in the header. */
  first: number;
  last: number;
}

/** The recording of an ended call. @throws {ApiError} 404 while there is none */
export async function findRecording(context: ApiContext, accountId: string, id: string): Promise<Recording> {
  const row = await callRow(context.read, accountId, id);
  if (row.endedAt === null || row.recordingPath === null) throw notFound('Recording');
  const { recordingsDir } = context.config;
  // DATA_DIR may have moved since the path was stored: a restored backup, another machine.
  const path =
    (await insideOf(recordingsDir, row.recordingPath)) ?? (await insideOf(recordingsDir, basename(row.recordingPath)));
  if (path === null) {
    context.log.error({ callId: id }, 'the recording is missing or outside of the recordings folder');
    throw notFound('Recording');
  }
  const { size, mtime } = await stat(path);
  return {
    path,
    bytes: size,
    contentType: path.endsWith('.mp3') ? 'audio/mp3' : 'audio/wav',
    modifiedAt: mtime,
  };
}

/** The real path of `path` if it is a file below `directory` after resolving links; else null. */
async function insideOf(directory: string, path: string): Promise<string | null> {
  try {
    const root = await realpath(directory);
    const real = await realpath(resolve(root, path));
    if (!real.startsWith(root + sep)) return null;
    return (await stat(real)).isFile() ? real : null;
  } catch {
    return null;
  }
}

/**
 * One range of `bytes` bytes. Null: the header is absent, malformed, has another unit or several ranges; then the whole
 * file is sent (RFC 9110 section 14.2 lets a server ignore them). `unsatisfiable`: 416.
 */
export function parseRange(header: string | undefined, bytes: number): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(' ', '') ?? '');
  if (match === null) return null;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return null;
  if (from === '') {
    const suffix = Number(to);
    if (suffix === 0 || bytes === 0) return 'unsatisfiable';
    return { first: Math.max(0, bytes - suffix), last: bytes - 1 };
  }
  const first = Number(from);
  const last = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (to !== '' && Number(to) < first) return null;
  return first >= bytes ? 'unsatisfiable' : { first, last };
}

export function openRecording(recording: Recording, range: ByteRange | null): ReadStream {
  return createReadStream(recording.path, range === null ? {} : { start: range.first, end: range.last });
}
