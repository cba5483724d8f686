// Chooses the adapter. The object store's code is loaded only where one is configured.
import type { SharedConfig } from '../settings/environment.ts';
import type { Files } from './files.ts';
import { LocalFiles } from './local-files.ts';

export async function openFiles({ dataDir, store }: Pick<SharedConfig, 'dataDir' | 'store'>): Promise<Files> {
  if (store === null) return new LocalFiles(dataDir);
  const { S3Files } = await import('./s3-files.ts');
  return new S3Files(store);
}
