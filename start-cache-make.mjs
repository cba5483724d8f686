// Writes the cache that start-cache.mjs reads: of what is there already, only what is missing, older than its source or
// damaged. Each file and the folder of the packages appear under their names when they are whole.
//   node start-cache-make.mjs
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  bundledPackages,
  cacheFolder,
  PACKAGES,
  packagesFolder,
  sealed,
  strippedFile,
  sumOf,
  unsealed,
} from './start-cache.mjs';

const ROOT = dirname(fileURLToPath(import.meta.url));
const OWN_CODE = ['api/**/*.ts', 'db/**/*.ts', 'engine/**/*.ts', 'media/**/*.ts', 'models/**/*.ts'];
const ELSEWHERE = (path) => path.startsWith('api/dashboard/app') || path.endsWith('.d.ts');

/** @returns how many files were written */
function stripCode(folder, root = ROOT) {
  mkdirSync(join(folder, 'code'), { recursive: true });
  let written = 0;
  for (const path of globSync(OWN_CODE, { cwd: root })) {
    if (ELSEWHERE(path)) continue;
    const source = readFileSync(join(root, path));
    const file = strippedFile(folder, path);
    if (existsSync(file) && unsealed(source, readFileSync(file)) !== null) continue;
    const passing = `${file}.${process.pid}`;
    writeFileSync(passing, sealed(source, stripTypeScriptTypes(source.toString())));
    renameSync(passing, file);
    written++;
  }
  return written;
}

/** @returns whether they were made: false where they are there, and whole */
async function bundlePackages(folder, root = ROOT) {
  if (bundledPackages(folder, root).size > 0) return false;
  const { build, stop } = await import('esbuild');
  const at = packagesFolder(folder, root);
  const names = new Map(
    Object.values(PACKAGES)
      .flat()
      .map((name) => [name, name.replace(/\W/g, '-')]),
  );
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries([...names].map(([name, file]) => [file, name])),
    absWorkingDir: root,
    outdir: at,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    write: false,
    logLevel: 'silent',
  }).finally(stop);
  const passing = `${at}.${process.pid}`;
  mkdirSync(passing, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(join(passing, basename(path)), contents);
  const sums = {
    files: Object.fromEntries(outputFiles.map(({ path, contents }) => [basename(path), sumOf(contents)])),
    imports: Object.fromEntries([...names].map(([name, file]) => [name, `${file}.mjs`])),
  };
  writeFileSync(join(passing, 'sums.json'), JSON.stringify(sums));
  rmSync(at, { recursive: true, force: true });
  renameSync(passing, at);
  for (const other of readdirSync(folder)) {
    if (other.startsWith('packages-') && other !== basename(at)) rmSync(join(folder, other), { recursive: true });
  }
  return true;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const folder = cacheFolder();
  try {
    stripCode(folder);
    await bundlePackages(folder);
  } catch (error) {
    // Where it cannot be written, each start does the work itself.
    process.stderr.write(`the cache of the start could not be written: ${error.message}\n`);
    process.exitCode = 1;
  }
}
