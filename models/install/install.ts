// Installs a model in DATA_DIR/models/NAME: downloads it, checks it, unpacks an archive, and writes a manifest of the
// files for later checks by `verify`. The folder gets its name when it is complete.
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DownloadError, type DownloadOptions, download, reasonOf, sha256Of } from './download.ts';
import { downloadPath, isInstalled } from './local-models.ts';
import { UnpackError, type UnpackedFile, unpackTarBz2 } from './unpack.ts';

const MANIFEST = '.manifest.json';
const CHECKSUM_TIMEOUT_MS = 15_000;
const MAX_CHECKSUM_BYTES = 2_000_000;
const MAX_FILES = 5_000;
/** The sizes in the catalogue are approximate. */
const MAX_ARCHIVE_FACTOR = 3;
/** Weights hardly shrink; eSpeak's data do by a factor of three. */
const MAX_UNPACKED_FACTOR = 10;
const SLACK_BYTES = 50_000_000;

interface Manifest {
  name: string;
  url: string;
  /** Of the downloaded file. */
  sha256: string;
  /** Whose sum it was checked against: an address, or `given`; null where the operator wanted it unchecked. */
  checkedAgainst: string | null;
  files: UnpackedFile[];
}

interface Wanted {
  name: string;
  url: string;
  checksumUrl: string;
  /** The sum that counts, before the publisher's. */
  sha256?: string;
  /** About. */
  bytes: number;
  /** The name of the model's only file; left out if the download is an archive. */
  file?: string;
}

interface InstallOptions extends DownloadOptions {
  onStep?: (step: 'download' | 'unpack') => void;
  /** Takes what nobody knows the sum of. */
  unchecked?: boolean;
}

/** @throws {DownloadError} {UnpackError} */
export async function installModel(
  model: Wanted,
  modelsDir: string,
  options: InstallOptions = {},
): Promise<Manifest | null> {
  if (isInstalled(modelsDir, model.name)) return readManifest(modelsDir, model.name);
  await mkdir(modelsDir, { recursive: true });
  const archive = downloadPath(modelsDir, model);
  const maxBytes = model.bytes * MAX_ARCHIVE_FACTOR + SLACK_BYTES;
  const expected = model.sha256 ?? (await publishedSum(model, options.signal));
  if (expected === null && !options.unchecked) {
    throw new DownloadError(
      'DOWNLOAD_UNCHECKED',
      `${model.checksumUrl} gives no SHA-256 of ${model.name}, so nothing was downloaded: ` +
        `"npm run models -- download ${model.name} --sha256 SUM" checks it against a sum that you trust, ` +
        '"--unchecked" takes what the server gives',
    );
  }
  options.onStep?.('download');
  await download({ url: model.url, bytes: null, maxBytes, sha256: expected }, archive, options);
  options.onStep?.('unpack');
  const sha256 = expected ?? (await sha256Of(archive));
  const part = join(modelsDir, `${model.name}.part`);
  await rm(part, { recursive: true, force: true });
  try {
    const files = await filesOf(model, archive, part, sha256);
    const checkedAgainst = model.sha256 ? 'given' : expected === null ? null : model.checksumUrl;
    const manifest: Manifest = { name: model.name, url: model.url, sha256, checkedAgainst, files };
    await writeFile(join(part, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`);
    await rename(part, join(modelsDir, model.name));
    await rm(archive, { force: true });
    return manifest;
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    // The same archive would fail again.
    if (error instanceof UnpackError) await rm(archive, { force: true });
    throw error;
  }
}

/** Puts the model's files into the folder `part`. */
async function filesOf(model: Wanted, archive: string, part: string, sha256: string): Promise<UnpackedFile[]> {
  const { file, bytes } = model;
  if (file === undefined) {
    return unpackTarBz2(archive, part, { maxBytes: bytes * MAX_UNPACKED_FACTOR + SLACK_BYTES, maxFiles: MAX_FILES });
  }
  await mkdir(part, { recursive: true });
  await copyFile(archive, join(part, file));
  return [{ path: file, bytes: (await stat(archive)).size, sha256 }];
}

interface Verdict {
  /** Paths of files that differ from the manifest or are missing. */
  broken: string[];
  /** False for a folder that the operator put there: there is nothing to compare it with. */
  hasManifest: boolean;
}

export async function verifyModel(modelsDir: string, name: string): Promise<Verdict> {
  const manifest = await readManifest(modelsDir, name);
  if (manifest === null) return { broken: [], hasManifest: false };
  const broken: string[] = [];
  for (const file of manifest.files) {
    const path = join(modelsDir, name, file.path);
    const isWhole = existsSync(path) && (await sha256Of(path)) === file.sha256;
    if (!isWhole) broken.push(file.path);
  }
  return { broken, hasManifest: true };
}

/** Removes the model and an unfinished download. False when there was neither. */
export async function removeModel(modelsDir: string, name: string): Promise<boolean> {
  const downloads = [downloadPath(modelsDir, { name }), downloadPath(modelsDir, { name, file: name })];
  const paths = [name, `${name}.part`].map((folder) => join(modelsDir, folder));
  paths.push(...downloads.flatMap((download) => [download, `${download}.part`]));
  const found = paths.filter((path) => existsSync(path));
  for (const path of found) await rm(path, { recursive: true, force: true });
  return found.length > 0;
}

/** Null for a folder that was not downloaded by this program. */
async function readManifest(modelsDir: string, name: string): Promise<Manifest | null> {
  try {
    return JSON.parse(await readFile(join(modelsDir, name, MANIFEST), 'utf8')) as Manifest;
  } catch {
    return null;
  }
}

/** The publisher's SHA-256 of the download; null when it gives none. @throws {DownloadError} when the request fails */
async function publishedSum({ url, checksumUrl }: Wanted, cancelled?: AbortSignal): Promise<string | null> {
  const late = AbortSignal.timeout(CHECKSUM_TIMEOUT_MS);
  const file = url.slice(url.lastIndexOf('/') + 1);
  let text: string;
  try {
    const response = await fetch(checksumUrl, { signal: cancelled ? AbortSignal.any([cancelled, late]) : late });
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    text = (await response.text()).slice(0, MAX_CHECKSUM_BYTES);
  } catch (error) {
    if (cancelled?.aborted) throw new DownloadError('DOWNLOAD_CANCELLED', 'the download was cancelled');
    throw new DownloadError('DOWNLOAD_FAILED', `${checksumUrl}: ${reasonOf(error)}`, { cause: error });
  }
  return sumOf(text, file);
}

/** Lines are `FILE SUM` or, as sha256sum writes them, `SUM FILE`; or the text is Git LFS's pointer to the file. */
function sumOf(text: string, file: string): string | null {
  const [, pointed] = /^oid sha256:([0-9a-f]{64})$/m.exec(text) ?? [];
  if (pointed) return pointed;
  for (const line of text.split('\n')) {
    const fields = line.trim().split(/\s+\*?/);
    if (!fields.includes(file)) continue;
    const sum = fields.find((field) => /^[0-9a-f]{64}$/i.test(field));
    if (sum) return sum.toLowerCase();
  }
  return null;
}
