// Recordings on the disks of engines that may be other machines: the engine of the disk that a call's row names is
// asked on its control port (engine/cluster/disk-server.ts). An engine that is away is expected back, for as long as
// nobody has given its disk up (`admin -- files lost`).
import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';
import { messageOf } from '../../../db/domain/unexpected.ts';
import { engineOfHome } from '../../../db/queries/engine/engines.ts';
import type { Db } from '../../../db/schema.ts';
import { type ByteRange, FilesError } from '../../../db/shared/files/files.ts';
import { controlKey, signControl } from '../../../db/shared/secrets/control-signature.ts';

const CONNECT_MS = 3_000;
const HEADERS_MS = 10_000;
/** Without a byte. A client that reads slowly does not count: its stream is paused, and the timer with it. */
const SILENT_MS = 20_000;

export interface EngineDisks {
  db: Db;
  secretKey: Buffer;
  now(): number;
}

/** Unused connections keep no process alive. */
const agent = new Agent({ connect: { timeout: CONNECT_MS }, headersTimeout: HEADERS_MS, bodyTimeout: SILENT_MS });

/** Length and time of a recording. @throws {FilesError} */
export async function headOnDisk(
  disks: EngineDisks,
  disk: string,
  name: string,
): Promise<{ bytes: number; modifiedAt: Date }> {
  const { headers, body } = await ask(disks, disk, { method: 'HEAD', path: pathOf(disk, name) });
  await body.dump();
  return { bytes: Number(headers['content-length']), modifiedAt: new Date(String(headers['last-modified'])) };
}

/** The caller must read the body to its end or destroy it. @throws {FilesError} */
export async function getOnDisk(
  disks: EngineDisks,
  disk: string,
  name: string,
  { range, bytes, signal }: { range: ByteRange | null; bytes: number; signal: AbortSignal },
): Promise<Readable> {
  const { headers, body } = await ask(disks, disk, {
    method: 'GET',
    path: pathOf(disk, name),
    headers: range === null ? {} : { range: `bytes=${range.first}-${range.last}` },
    signal,
  });
  if (Number(headers['content-length']) === bytes) return body;
  body.destroy();
  throw new FilesError('broken', `${name} on the disk ${disk} has another length than it had`);
}

/** Deletes what the disk has of a call's recording. @throws {FilesError} while that is not certain */
export async function deleteOnDisk(disks: EngineDisks, disk: string, callId: string): Promise<void> {
  const { body } = await ask(disks, disk, { method: 'DELETE', path: pathOf(disk, callId) });
  await body.dump();
}

const pathOf = (disk: string, name: string): string => `/disks/${disk}/recordings/${encodeURIComponent(name)}`;

interface Asked {
  method: 'GET' | 'HEAD' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

async function ask({ db, secretKey, now }: EngineDisks, disk: string, asked: Asked): Promise<Dispatcher.ResponseData> {
  const engine = await engineOfHome(db, disk);
  const away = (why: string): FilesError => new FilesError('unreachable', `the disk ${disk}: ${why}`);
  if (engine === undefined) throw away('its engine has not run for an hour');
  if (engine.state === 'stopped' || engine.state === 'dead' || engine.controlUrl === null)
    throw away(`its engine on ${engine.hostname} does not run`);
  const { method, path, headers = {}, signal } = asked;
  const answer = await request(engine.controlUrl + path, {
    dispatcher: agent,
    method,
    headers: { ...headers, authorization: signControl(controlKey(secretKey), { method, path }, now()) },
    signal: signal ?? null,
  }).catch((error: unknown) => {
    throw away(`no answer from its engine on ${engine.hostname}: ${messageOf(error)}`);
  });
  if (answer.statusCode >= 200 && answer.statusCode < 300) return answer;
  await answer.body.dump();
  if (answer.statusCode === 404) throw new FilesError('missing', `${path} does not exist`);
  throw away(`its engine on ${engine.hostname} answers ${answer.statusCode}`);
}
