// Loaded first in every thread of the service: takes what a start would make again each time from a cache. Node strips
// the types of each file at each start and in each thread, and three packages are a thousand files. The cache holds the
// stripped code, and each package as one file. start-cache-make.mjs writes it after a start. What is missing, older
// than the source or damaged is not used: Node then does the work itself.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = dirname(fileURLToPath(import.meta.url));

/** Raised when what is written changes. */
const FORMAT = '1';
const SUM_BYTES = 64;

/** The packages of many files, with the names by which our code imports them. */
export const PACKAGES = {
  kysely: ['kysely'],
  'libphonenumber-js': ['libphonenumber-js', 'libphonenumber-js/max'],
  typebox: ['typebox', 'typebox/value'],
};

export const cacheFolder = (root = ROOT) => process.env.START_CACHE || join(root, 'node_modules', '.cache', 'start');

/** Where the stripped code of `path`, relative to the project, is kept. */
export const strippedFile = (folder, path) => join(folder, 'code', `${path.split(sep).join('+')}.mjs`);

const sha256 = (...parts) => {
  const hash = createHash('sha256').update(FORMAT);
  for (const part of parts) hash.update('\0').update(part);
  return hash.digest('hex');
};

/** The file of a source and its stripped code; its end is the sum of both. */
export const sealed = (source, code) => `${code}\n//${sha256(source, code)}`;

/** The stripped code of that source, or null where the file is of another source, or damaged. */
export function unsealed(source, file) {
  const end = file.length - SUM_BYTES;
  if (end < 3) return null;
  const code = file.subarray(0, end - 3);
  return file.toString('latin1', end - 3) === `\n//${sha256(source, code)}` ? code : null;
}

/** Names the files of the packages as they are installed. */
export function packagesFolder(folder, root = ROOT) {
  const versions = Object.keys(PACKAGES).map((name) => {
    const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
    return `${name}@${version}`;
  });
  return join(folder, `packages-${sha256(...versions).slice(0, 16)}`);
}

/** The sum of each file of a package, by the file's name, as `sums.json` keeps it. */
export const sumOf = (content) => sha256(content);

/** The file's address for each import of a package; empty where one of the files is missing or damaged. */
export function bundledPackages(folder, root = ROOT) {
  try {
    const at = packagesFolder(folder, root);
    const { files, imports } = JSON.parse(readFileSync(join(at, 'sums.json'), 'utf8'));
    for (const [name, sum] of Object.entries(files)) {
      if (sumOf(readFileSync(join(at, name))) !== sum) return new Map();
    }
    return new Map(Object.entries(imports).map(([name, file]) => [name, pathToFileURL(join(at, file)).href]));
  } catch {
    return new Map();
  }
}

function readStripped(folder, url) {
  const path = fileURLToPath(url);
  if (!path.startsWith(ROOT + sep)) return null;
  try {
    return unsealed(readFileSync(path), readFileSync(strippedFile(folder, path.slice(ROOT.length + 1))));
  } catch {
    return null;
  }
}

/** Begins to take modules from the cache. */
function useCache(folder = cacheFolder()) {
  const wanted = new Set(Object.values(PACKAGES).flat());
  let packages = null;
  registerHooks({
    resolve(specifier, context, next) {
      if (!wanted.has(specifier) || context.conditions.includes('require')) return next(specifier, context);
      packages ??= bundledPackages(folder);
      const url = packages.get(specifier);
      return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true };
    },
    load(url, context, next) {
      if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
      const code = readStripped(folder, url);
      return code === null ? next(url, context) : { format: 'module', source: code, shortCircuit: true };
    },
  });
}

if (process.env.START_CACHE !== 'off' && process.execArgv.some((arg) => arg.endsWith('start-cache.mjs'))) useCache();
