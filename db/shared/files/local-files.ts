// Files in a folder: DATA_DIR, as long as one machine is enough.
import { randomBytes } from 'node:crypto';
import { copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../../domain/unexpected.ts';
import { type ByteRange, checkedKey, type FileFacts, type Files, FilesError, type OpenFile } from './files.ts';

export class LocalFiles implements Files {
  readonly kind = 'local';
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  pathOf(key: string): string {
    return join(this.#root, checkedKey(key));
  }

  async put(key: string, path: string): Promise<FileFacts> {
    const target = this.pathOf(key);
    const draft = `${target}.${randomBytes(6).toString('hex')}.part`;
    try {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      // Not every file system has hard links.
      await link(path, draft).catch(() => copyFile(path, draft));
      await rename(draft, target);
    } catch (error) {
      throw asFilesError(error, key);
    } finally {
      await rm(draft, { force: true }).catch(() => undefined);
    }
    return factsOf(await stat(target));
  }

  async get(key: string, { range = null }: { range?: ByteRange | null } = {}): Promise<OpenFile> {
    try {
      const file = await open(this.pathOf(key), 'r');
      const { size, mtime } = await file.stat();
      const last = Math.min(range?.last ?? size - 1, size - 1);
      const first = Math.min(range?.first ?? 0, size);
      // `end` below `start` would read the whole file.
      const bytes = Math.max(0, last - first + 1);
      const body = file.createReadStream(bytes === 0 ? { start: size } : { start: first, end: last });
      return { body, bytes, modifiedAt: mtime };
    } catch (error) {
      throw asFilesError(error, key);
    }
  }

  async head(key: string): Promise<FileFacts | null> {
    try {
      return factsOf(await stat(this.pathOf(key)));
    } catch (error) {
      const failure = asFilesError(error, key);
      if (failure.code === 'missing') return null;
      throw failure;
    }
  }

  async delete(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true }).catch((error: unknown) => {
      throw asFilesError(error, key);
    });
  }

  async *list(prefix: string): AsyncGenerator<{ key: string; bytes: number }> {
    const folder = prefix.includes('/') ? prefix.slice(0, prefix.lastIndexOf('/')) : '';
    const entries = await readdir(join(this.#root, folder), { withFileTypes: true }).catch((error: unknown) => {
      const failure = asFilesError(error, prefix);
      if (failure.code === 'missing') return [];
      throw failure;
    });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const key = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isFile() || entry.name.endsWith('.part') || !key.startsWith(prefix)) continue;
      const facts = await this.head(key);
      if (facts !== null) yield { key, bytes: facts.bytes };
    }
  }

  async check(): Promise<void> {
    await stat(this.#root).catch((error: unknown) => {
      throw asFilesError(error, 'DATA_DIR');
    });
  }

  async close(): Promise<void> {}
}

const factsOf = ({ size, mtime }: { size: number; mtime: Date }): FileFacts => ({
  bytes: size,
  modifiedAt: mtime,
  sha256: null,
});

function asFilesError(error: unknown, key: string): FilesError {
  const { code } = error as { code?: unknown };
  if (code === 'ENOENT' || code === 'ENOTDIR') return new FilesError('missing', `${key} does not exist`);
  return new FilesError(code === 'EACCES' || code === 'EPERM' ? 'refused' : 'unreachable', messageOf(error));
}
