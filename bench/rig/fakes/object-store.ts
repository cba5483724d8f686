// An S3-compatible object store in memory, with versions, and with what can go wrong with one. It checks the signature
// and the sum of every request.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type StoreKey, sha256, signatureFault } from './object-store-signature.ts';

export type StoreFault =
  /** Connections are closed without an answer. */
  | 'away'
  /** Takes requests and answers none. */
  | 'hang'
  /** 503 SlowDown. */
  | 'slow-down'
  /** 403 AccessDenied. */
  | 'denied'
  /** Half of a file's body, then the connection ends. */
  | 'cut-body'
  /** Half of a file's body, then nothing. */
  | 'hang-in-body'
  /** Takes a file, stores it, and closes the connection in place of an answer. */
  | 'lost-answer'
  /** Says that it deletes, and does not. */
  | 'keeps-all';

interface Version {
  id: string;
  /** Null: the mark of a deletion. */
  data: Buffer | null;
  contentType: string;
  metadata: Record<string, string>;
  modifiedAt: Date;
}

interface ObjectStoreOptions {
  bucket?: string;
  /** `none`: the store does not know what versions are; default: the bucket has none. */
  versions?: 'kept' | 'off' | 'none';
}

const KEY: StoreKey = { accessKeyId: 'AKTEST', secretAccessKey: 'a+secret/of=tests', region: 'eu-test-1' };
const PAGE_KEYS = 1_000;

export class ObjectStore {
  readonly bucket: string;
  readonly requests: string[] = [];
  /** The fault that the next requests meet; null: none. */
  fault: StoreFault | null = null;
  /** Limits the fault to requests of this method. */
  faultMethod: string | null = null;
  /** Responses of files that were begun and not finished. */
  openBodies = 0;
  /** Requests without a complete answer whose client is still there. */
  openRequests = 0;
  readonly #versions: NonNullable<ObjectStoreOptions['versions']>;
  readonly #objects = new Map<string, Version[]>();
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch(() => response.destroy());
  });
  #versionsMade = 0;

  constructor({ bucket = 'voice', versions = 'off' }: ObjectStoreOptions = {}) {
    this.bucket = bucket;
    this.#versions = versions;
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The environment for the service. */
  get environment(): Record<string, string> {
    return {
      S3_ENDPOINT: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`,
      S3_BUCKET: this.bucket,
      S3_REGION: KEY.region,
      S3_ACCESS_KEY_ID: KEY.accessKeyId,
      S3_SECRET_ACCESS_KEY: KEY.secretAccessKey,
      S3_PREFIX: 'phone',
    };
  }

  /** Keys of current objects. */
  keys(): string[] {
    return [...this.#objects].flatMap(([key, versions]) => (versions.at(-1)?.data ? [key] : [])).sort();
  }

  /** Every stored version and mark. */
  versionCount(key: string): number {
    return this.#objects.get(key)?.length ?? 0;
  }

  read(key: string): Buffer | null {
    return this.#objects.get(key)?.at(-1)?.data ?? null;
  }

  /** All bytes that the store has of anything, whether current or not. */
  everything(): Buffer {
    return Buffer.concat([...this.#objects.values()].flat().flatMap(({ data }) => (data === null ? [] : [data])));
  }

  store(key: string, data: Buffer, contentType = 'application/octet-stream', metadata: Version['metadata'] = {}): void {
    const version = { id: this.#newId(), data, contentType, metadata, modifiedAt: new Date() };
    const earlier = this.#versions === 'kept' ? (this.#objects.get(key) ?? []) : [];
    this.#objects.set(key, [...earlier, version]);
  }

  #newId(): string {
    return this.#versions === 'kept' ? `v${++this.#versionsMade}` : 'null';
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    this.requests.push(`${method} ${url}`);
    this.openRequests++;
    response.once('close', () => this.openRequests--);
    const fault = this.faultMethod === null || this.faultMethod === method ? this.fault : null;
    if (fault === 'away') return void request.socket.destroy();
    if (fault === 'hang') return;
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk as Buffer);
    const data = Buffer.concat(body);
    if (fault === 'slow-down') return refuse(response, 503, 'SlowDown');
    if (fault === 'denied') return refuse(response, 403, 'AccessDenied');
    const wrong = signatureFault(request, KEY);
    if (wrong !== null) return refuse(response, 403, wrong);
    const sum = request.headers['x-amz-content-sha256'];
    if (sum !== 'UNSIGNED-PAYLOAD' && sum !== sha256(data)) return refuse(response, 400, 'XAmzContentSHA256Mismatch');
    const { pathname, searchParams } = new URL(url, 'http://store');
    const [, bucket = '', ...rest] = pathname.split('/').map(decodeURIComponent);
    if (bucket !== this.bucket) return refuse(response, 404, 'NoSuchBucket');
    const key = rest.join('/');
    if (key === '') return this.#list(response, searchParams);
    if (method === 'PUT') return this.#put(request, response, key, data, fault);
    if (method === 'DELETE') return this.#delete(response, key, searchParams.get('versionId'), fault);
    return this.#get(request, response, key, fault);
  }

  #put(
    { headers }: IncomingMessage,
    response: ServerResponse,
    key: string,
    data: Buffer,
    fault: StoreFault | null,
  ): void {
    if (headers['content-length'] === undefined) return refuse(response, 411, 'MissingContentLength');
    const metadata = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-'));
    this.store(key, data, headers['content-type'], Object.fromEntries(metadata) as Version['metadata']);
    if (fault === 'lost-answer') return void response.destroy();
    response.writeHead(200, { etag: '"x"' }).end();
  }

  #delete(response: ServerResponse, key: string, versionId: string | null, fault: StoreFault | null): void {
    const versions = this.#objects.get(key) ?? [];
    if (fault !== 'keeps-all') {
      if (versionId !== null) {
        const left = versions.filter(({ id }) => id !== versionId);
        if (left.length === 0) this.#objects.delete(key);
        else this.#objects.set(key, left);
      } else if (this.#versions === 'kept') {
        const mark = { id: this.#newId(), data: null, contentType: '', metadata: {}, modifiedAt: new Date() };
        this.#objects.set(key, [...versions, mark]);
      } else this.#objects.delete(key);
    }
    response.writeHead(204).end();
  }

  #get({ method, headers }: IncomingMessage, response: ServerResponse, key: string, fault: StoreFault | null): void {
    const found = this.#objects.get(key)?.at(-1);
    if (!found?.data) return refuse(response, 404, 'NoSuchKey', method === 'HEAD');
    const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '');
    const bytes = found.data.length;
    const first = range ? Number(range[1]) : 0;
    if (first >= bytes && range) return refuse(response, 416, 'InvalidRange');
    const part = found.data.subarray(first, range ? Number(range[2]) + 1 : bytes);
    response.writeHead(range ? 206 : 200, {
      ...found.metadata,
      'content-type': found.contentType,
      'content-length': part.length,
      'last-modified': found.modifiedAt.toUTCString(),
      ...(range ? { 'content-range': `bytes ${first}-${first + part.length - 1}/${bytes}` } : {}),
    });
    if (method === 'HEAD') return void response.end();
    this.openBodies++;
    response.once('close', () => this.openBodies--);
    if (fault === 'cut-body' || fault === 'hang-in-body') {
      response.write(part.subarray(0, part.length >> 1), () => {
        if (fault === 'cut-body') response.destroy();
      });
    } else response.end(part);
  }

  #list(response: ServerResponse, query: URLSearchParams): void {
    const prefix = query.get('prefix') ?? '';
    const keys = [...this.#objects.keys()].filter((key) => key.startsWith(prefix)).sort();
    if (query.has('versions')) {
      if (this.#versions === 'none') return refuse(response, 501, 'NotImplemented');
      const items = keys.flatMap((key) =>
        (this.#objects.get(key) ?? []).map(({ id, data }) => {
          const name = data === null ? 'DeleteMarker' : 'Version';
          return `<${name}><Key>${escaped(key)}</Key><VersionId>${id}</VersionId></${name}>`;
        }),
      );
      return sendXml(
        response,
        200,
        `<ListVersionsResult><IsTruncated>false</IsTruncated>${items.join('')}</ListVersionsResult>`,
      );
    }
    const after = query.get('continuation-token') ?? '';
    const limit = Math.min(PAGE_KEYS, Number(query.get('max-keys') ?? PAGE_KEYS));
    const current = keys.filter((key) => this.read(key) !== null && key > after);
    const page = current.slice(0, limit);
    const items = page.map(
      (key) => `<Contents><Key>${escaped(key)}</Key><Size>${this.read(key)?.length ?? 0}</Size></Contents>`,
    );
    const isMore = current.length > limit;
    const next = isMore ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>` : '';
    sendXml(
      response,
      200,
      `<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${items.join('')}</ListBucketResult>`,
    );
  }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function refuse(response: ServerResponse, status: number, code: string, isHead = false): void {
  if (isHead) return void response.writeHead(status).end();
  sendXml(response, status, `<Error><Code>${code}</Code><Message>no</Message></Error>`);
}

function sendXml(response: ServerResponse, status: number, xml: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`);
}
