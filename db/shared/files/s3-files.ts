// Files in an S3-compatible object store. A file is one PUT with its length and its SHA-256, which is signed: the store
// refuses a body that was cut or changed on the way, and keeps the sum, by which a copy is compared later.
import { createReadStream } from 'node:fs';
import type { StoreSettings } from '../settings/environment.ts';
import {
  type ByteRange,
  checkedKey,
  contentTypeOf,
  type FileFacts,
  type Files,
  FilesError,
  hashFile,
  type OpenFile,
} from './files.ts';
import { readListing, readVersions } from './s3-listing.ts';
import { type Patience, type StoreAnswer, StoreRequests } from './s3-requests.ts';

/** Versions are listed by the thousand; no file of ours has as many. */
const DELETE_ROUNDS_MAX = 5;
/** Answers of stores that know no versions, to the question for them. */
const NO_VERSIONS = /\b(501|405)\b|NotImplemented|MethodNotAllowed/;

export class S3Files implements Files {
  readonly kind = 's3';
  readonly #requests: StoreRequests;
  #knowsVersions = true;

  constructor(settings: StoreSettings, patience?: Patience) {
    this.#requests = new StoreRequests(settings, patience);
  }

  async put(key: string, path: string, contentType = contentTypeOf(key)): Promise<FileFacts> {
    checkedKey(key);
    const { sha256, bytes } = await hashFile(path).catch((error: NodeJS.ErrnoException) => {
      throw new FilesError(error.code === 'ENOENT' ? 'missing' : 'broken', `${path}: ${error.message}`);
    });
    const body = bytes === 0 ? [] : createReadStream(path, { end: bytes - 1 });
    await this.#requests.sendAndDrop({
      method: 'PUT',
      key,
      headers: { 'content-type': contentType, 'x-amz-meta-sha256': sha256 },
      upload: { body: body as AsyncIterable<Buffer>, bytes, sha256 },
    });
    return { bytes, sha256, modifiedAt: new Date() };
  }

  async get(
    key: string,
    { range = null, signal }: { range?: ByteRange | null; signal?: AbortSignal } = {},
  ): Promise<OpenFile> {
    const answer = await this.#requests.send({
      method: 'GET',
      key: checkedKey(key),
      ...(range === null ? {} : { headers: { range: `bytes=${range.first}-${range.last}` } }),
      ...(signal === undefined ? {} : { signal }),
    });
    const { bytes, modifiedAt } = factsOf(answer);
    if (range !== null && answer.statusCode !== 206) {
      answer.body.destroy();
      throw new FilesError('broken', `object store: GET ${key}: it does not honour Range`);
    }
    return { body: answer.body, bytes, modifiedAt };
  }

  async head(key: string): Promise<FileFacts | null> {
    try {
      const answer = await this.#requests.send({ method: 'HEAD', key: checkedKey(key) });
      await answer.body.dump();
      return factsOf(answer);
    } catch (error) {
      if (error instanceof FilesError && error.code === 'missing') return null;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    checkedKey(key);
    // The second look finds what a deletion left: a mark, an earlier version, a store that only says that it deletes.
    for (let round = 0; round < DELETE_ROUNDS_MAX; round++) {
      const versions = await this.#versionsOf(key);
      if (versions === null) return this.#deleteUnversioned(key);
      if (versions.length === 0) return;
      for (const versionId of versions) {
        await this.#requests.sendAndDrop({ method: 'DELETE', key, query: { versionId } });
      }
    }
    throw new FilesError('refused', `object store: DELETE ${key}: it is still there`);
  }

  async *list(prefix: string): AsyncGenerator<{ key: string; bytes: number }> {
    const own = this.#requests.keyOf('');
    for (let token: string | null = ''; token !== null; ) {
      const xml = await this.#requests.sendForText({
        method: 'GET',
        key: null,
        query: { 'list-type': '2', prefix: own + prefix, ...(token === '' ? {} : { 'continuation-token': token }) },
      });
      const page = readListing(xml);
      for (const { key, bytes } of page.objects) yield { key: key.slice(own.length), bytes };
      token = page.next;
    }
  }

  async check(): Promise<void> {
    await this.#requests.sendForText({
      method: 'GET',
      key: null,
      query: { 'list-type': '2', 'max-keys': '1', prefix: this.#requests.keyOf('') },
    });
  }

  close(): Promise<void> {
    return this.#requests.close();
  }

  /** The ids of all versions and marks of this very key; null where the store knows no versions. */
  async #versionsOf(key: string): Promise<string[] | null> {
    if (!this.#knowsVersions) return null;
    const full = this.#requests.keyOf(key);
    try {
      const xml = await this.#requests.sendForText({
        method: 'GET',
        key: null,
        query: { versions: '', prefix: full },
      });
      return readVersions(xml)
        .versions.filter((version) => version.key === full)
        .map(({ versionId }) => versionId);
    } catch (error) {
      if (!(error instanceof FilesError) || !NO_VERSIONS.test(error.message)) throw error;
      this.#knowsVersions = false;
      return null;
    }
  }

  async #deleteUnversioned(key: string): Promise<void> {
    await this.#requests.sendAndDrop({ method: 'DELETE', key });
    if ((await this.head(key)) !== null) {
      throw new FilesError('refused', `object store: DELETE ${key}: it is still there`);
    }
  }
}

function factsOf({ headers }: StoreAnswer): FileFacts {
  const one = (name: string): string => String(headers[name] ?? '');
  const modifiedAt = new Date(one('last-modified'));
  return {
    bytes: Number(one('content-length')),
    modifiedAt: Number.isNaN(modifiedAt.getTime()) ? new Date(0) : modifiedAt,
    sha256: one('x-amz-meta-sha256') || null,
  };
}
