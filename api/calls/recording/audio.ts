// The recording: streamed from the disk, or through this process from the object store or the engine whose disk has it,
// with Range (RFC 9110 section 14) so that a player can seek.

import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { diskOf, STORED } from '../../../db/domain/calls/recording-state.ts';
import type { CallTable } from '../../../db/schema/call-columns.ts';
import { knownDiskId } from '../../../db/shared/files/disk-id.ts';
import { type ByteRange, FilesError } from '../../../db/shared/files/files.ts';
import type { ApiContext } from '../../context.ts';
import { notFound } from '../../frame/errors.ts';
import { fromEngine, fromStore } from '../../frame/files.ts';
import { callRow } from '../service.ts';
import { getOnDisk, headOnDisk } from './engine-disks.ts';

export interface Recording {
  bytes: number;
  contentType: 'audio/wav' | 'audio/mp3';
  modifiedAt: Date;
  /** `signal`: the client is gone. @throws {ApiError} 404, 503 */
  open(range: ByteRange | null, signal: AbortSignal): Promise<Readable>;
}

/** The recording of an ended call. @throws {ApiError} 404 while there is none, 503 while its engine is away */
export async function findRecording(context: ApiContext, accountId: string, id: string): Promise<Recording> {
  const row = await callRow(context.read, accountId, id);
  if (row.endedAt === null || row.recordingPath === null) throw notFound('Recording');
  const { recordingsDir } = context.config;
  // DATA_DIR may have moved since the path was stored: a restored backup, another machine.
  const path =
    (await insideOf(recordingsDir, row.recordingPath)) ?? (await insideOf(recordingsDir, basename(row.recordingPath)));
  const local = path === null ? null : await onDisk(path);
  if (local !== null && isWhole(context, row, local)) return local;
  const disk = diskOf(row.recordingState);
  return disk === null ? inStore(context, row, row.recordingPath) : onEngine(context, disk, row.recordingPath);
}

/**
 * False for what an engine of this folder had recorded of a call before it was lost, and another one went on with it:
 * the recording is the other one's file of that name (engine/succession/by-database.ts).
 */
function isWhole({ config, files }: ApiContext, row: CallTable, { bytes }: Recording): boolean {
  const disk = diskOf(row.recordingState);
  if (disk !== null) return [null, disk].includes(knownDiskId(config.recordingsDir));
  return files.kind !== 's3' || row.recordingState !== STORED || bytes === row.recordingBytes;
}

const contentTypeOf = (path: string): Recording['contentType'] => (path.endsWith('.mp3') ? 'audio/mp3' : 'audio/wav');

/** Null if it has just been stored and removed. */
async function onDisk(path: string): Promise<Recording | null> {
  const file = await stat(path).catch(() => null);
  return (
    file && {
      bytes: file.size,
      contentType: contentTypeOf(path),
      modifiedAt: file.mtime,
      open: async (range) => createReadStream(path, range === null ? {} : { start: range.first, end: range.last }),
    }
  );
}

async function onEngine(context: ApiContext, disk: string, path: string): Promise<Recording> {
  const disks = { ...context, db: context.read };
  const name = basename(path);
  const { bytes, modifiedAt } = await fromEngine(context, 'Recording', () => headOnDisk(disks, disk, name));
  return {
    bytes,
    contentType: contentTypeOf(path),
    modifiedAt,
    open: (range, signal) =>
      fromEngine(context, 'Recording', () => {
        const expected = range === null ? bytes : range.last - range.first + 1;
        return getOnDisk(disks, disk, name, { range, bytes: expected, signal });
      }),
  };
}

function inStore(
  context: ApiContext,
  { id, recordingState, recordingKey: key, recordingBytes, endedAt }: CallTable,
  path: string,
): Recording {
  const { files, log } = context;
  if (files.kind !== 's3' || recordingState !== STORED || key === null || recordingBytes === null) {
    const isElsewhere = recordingState !== null;
    log.error(
      { callId: id },
      isElsewhere
        ? 'the recording is in an object store: S3_ENDPOINT is not set'
        : 'the recording is missing or outside of the recordings folder',
    );
    throw notFound('Recording');
  }
  return {
    bytes: recordingBytes,
    contentType: contentTypeOf(path),
    modifiedAt: new Date(endedAt ?? 0),
    open: (range, signal) =>
      fromStore(context, 'Recording', async () => {
        const { body, bytes } = await files.get(key, { range, signal });
        const expected = range === null ? recordingBytes : range.last - range.first + 1;
        if (bytes === expected) return body;
        body.destroy();
        throw new FilesError('broken', `object store: ${key} has another length than was stored`);
      }),
  };
}

/**
 * A strong validator (RFC 9110 8.8.3): the same address gives the WAV and later the MP3, and a recording may be masked
 * in place. It changes when the file moves to the store too, which costs a client no more than the beginning again.
 */
export function entityTag({ bytes, contentType, modifiedAt }: Recording): string {
  return `"${contentType.slice(-3)}-${bytes.toString(36)}-${modifiedAt.getTime().toString(36)}"`;
}

/** Whether a part of this recording continues what the client has (RFC 9110 13.1.5); without the header it does. */
export function isSame(recording: Recording, ifRange: string | string[] | undefined): boolean {
  if (ifRange === undefined) return true;
  if (typeof ifRange !== 'string') return false;
  return ifRange.includes('"') ? ifRange === entityTag(recording) : ifRange === recording.modifiedAt.toUTCString();
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
