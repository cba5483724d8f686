// Gives the recordings on this engine's disk to the installation's APIs, and deletes those of erased calls. Whether a
// client may have one is what the API has decided by the call's row: here only names of recordings are known.
import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { contentTypeOf } from '../../db/shared/files/files.ts';

/** A name of ours has neither a slash nor two dots. */
const PATH = /^\/disks\/(\w{1,64})\/recordings\/([\w-]{1,64})(\.wav|\.mp3)?$/;
const ENDS = ['.wav', '.mp3'];

export interface Disk {
  id: string;
  recordingsDir: string;
}

/** False if something else is asked. */
export async function serveDisk(disk: Disk, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const { method = '', url = '' } = request;
  const [, diskId, callId, end] = PATH.exec(url) ?? [];
  if (diskId === undefined || callId === undefined) return false;
  const isRead = (method === 'GET' || method === 'HEAD') && end !== undefined;
  if (!isRead && !(method === 'DELETE' && end === undefined)) return false;
  if (diskId !== disk.id) {
    // Another engine had this address before.
    response.writeHead(421).end();
  } else if (isRead) await send(join(disk.recordingsDir, callId + end), request, response);
  else {
    for (const each of ENDS) await rm(join(disk.recordingsDir, callId + each), { force: true });
    response.writeHead(204).end();
  }
  return true;
}

async function send(path: string, { method, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = await openFile(path);
  if (file === null) {
    response.writeHead(404).end();
    return;
  }
  try {
    const { size, mtime } = await file.stat();
    const [, from, to] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(headers.range ?? '') ?? [];
    const first = Number(from ?? 0);
    const last = Math.min(Number(to ?? size - 1), size - 1);
    const isPart = from !== undefined;
    if (isPart && first > last) {
      response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
      return;
    }
    response.writeHead(isPart ? 206 : 200, {
      'content-type': contentTypeOf(path),
      'content-length': last - first + 1,
      'last-modified': mtime.toUTCString(),
      ...(isPart ? { 'content-range': `bytes ${first}-${last}/${size}` } : {}),
    });
    if (method === 'HEAD' || size === 0) response.end();
    // An API that goes away ends the reading.
    else await pipeline(file.createReadStream({ start: first, end: last, autoClose: false }), response);
  } finally {
    await file.close();
  }
}

/** Null if there is no such file; a link is none. */
async function openFile(path: string): Promise<FileHandle | null> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    if ((await file.stat()).isFile()) return file;
    await file.close();
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ELOOP') return null;
    throw error;
  }
}
