// A file for the bytes of one request: on the disk, so that slow senders take no memory. It has no name there: whatever
// ends the process, nothing of it is left.
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiContext } from '../context.ts';

/** The file is there as long as `use` takes. */
export async function withUnnamedFile<T>(
  { config }: Pick<ApiContext, 'config'>,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const path = join(config.dataDir, `.upload-${randomBytes(12).toString('hex')}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    return await use(file);
  } finally {
    await file.close();
  }
}
