// Keeps the dashboard's bundle between starts: making it takes half a second of both cores, and esbuild's process. A
// kept one is used only if it is whole and each of its sources has the content that it was made of.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { type Bundle, bundleDashboard, type MadeBundle } from './bundle.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The folder of start-cache.mjs; null where no cache is wanted. */
const FOLDER =
  process.env.START_CACHE === 'off' ? null : process.env.START_CACHE || join(ROOT, 'node_modules', '.cache', 'start');
const SUM_BYTES = 32;

interface Kept {
  version: string;
  /** The sum of each source, by its path from the project's folder. */
  sources: ReadonlyMap<string, string>;
  bundle: Bundle;
}

/** @throws as `bundleDashboard` does; a cache that cannot be read or written is no error */
export async function keptBundle(
  folder: string | null = FOLDER,
  make: () => Promise<MadeBundle> = bundleDashboard,
  root = ROOT,
): Promise<Bundle> {
  if (folder === null) return (await make()).bundle;
  const file = join(folder, 'dashboard');
  const version = await versionOf(root);
  const kept = await read(file);
  if (kept !== null && kept.version === version && (await isOf(kept.sources, root))) return kept.bundle;
  const { bundle, sources } = await make();
  await keep(file, version, bundle, sources, root).catch(() => undefined);
  return bundle;
}

async function keep(file: string, version: string, bundle: Bundle, paths: readonly string[], root: string) {
  const sums = await Promise.all(paths.map(async (path) => [path, sumOf(await readFile(join(root, path)))] as const));
  const content = serialize({ version, sources: new Map(sums), bundle } satisfies Kept);
  await mkdir(join(file, '..'), { recursive: true });
  const passing = `${file}.${process.pid}`;
  await writeFile(passing, Buffer.concat([content, sumBytes(content)]));
  await rename(passing, file);
}

async function read(file: string): Promise<Kept | null> {
  const all = await readFile(file).catch(() => null);
  if (all === null || all.length <= SUM_BYTES) return null;
  const content = all.subarray(0, -SUM_BYTES);
  if (!sumBytes(content).equals(all.subarray(-SUM_BYTES))) return null;
  return deserialize(content) as Kept;
}

async function isOf(sources: ReadonlyMap<string, string>, root: string): Promise<boolean> {
  for (const [path, sum] of sources) {
    const content = await readFile(join(root, path)).catch(() => null);
    if (content === null || sumOf(content) !== sum) return false;
  }
  return true;
}

const MAKER = new URL('bundle.ts', import.meta.url);

/** Of the service, of Node, which reads what it wrote itself, and of what makes the bundle. */
async function versionOf(root: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return `${version} ${process.version} ${sumOf(await readFile(MAKER))}`;
}

const sumBytes = (content: Uint8Array): Buffer => createHash('sha256').update(content).digest();
const sumOf = (content: Uint8Array): string => sumBytes(content).toString('base64url');
