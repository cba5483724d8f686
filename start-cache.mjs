// Loaded first in every thread of the service: takes what a start would make again each time from a cache. A start
// loads 2,400 files, each found, read, stripped of its types and linked in each thread anew. The cache holds the
// program of each thread, all that it loads in one file; for other files the stripped code, and three packages as one
// file each. start-cache-make.mjs writes it after a start. What is missing, older than the source or damaged is not
// used: Node then does the work itself.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

const ROOT = dirname(fileURLToPath(import.meta.url));

/** Raised when what is written changes. */
export const FORMAT = '3';
const SUM_BYTES = 64;

/** The packages of many files, with the names by which our code imports them. */
export const PACKAGES = {
  kysely: ['kysely'],
  'libphonenumber-js': ['libphonenumber-js', 'libphonenumber-js/max'],
  typebox: ['typebox', 'typebox/value'],
};

/** The first files of the two processes, and of the threads that a start begins. Each becomes one program. */
export const PROCESSES = ['engine/main.ts', 'api/main.ts'];
export const THREADS = [
  'api/calls/list/reader-thread.ts',
  'db/writing/writer-thread.ts',
  'engine/journal/journal-worker.ts',
  'engine/shard/worker.ts',
  'models/speech-to-speech/worker.ts',
  'models/stt/worker.ts',
  'models/tts/worker.ts',
  'models/turn-end/worker.ts',
  'models/vad/worker.ts',
];
/** By then a thread has run what it runs at a start: V8 keeps the code of it, and drops it later. */
const KEEP_CODE_AFTER_MS = 2_500;

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

/** A program is made of the sources as they are, and of the packages as npm has installed them. */
export const packagesSum = (root) => sumOf(readFileSync(join(root, 'node_modules', '.package-lock.json')));

/** A source by its size and its time, and where these differ, as in a copy, by its content. */
function isUnchanged(path, { size, mtimeMs, sum }) {
  const now = statSync(path);
  if (now.size !== size) return false;
  return now.mtimeMs === mtimeMs || sumOf(readFileSync(path)) === sum;
}

/** The description of the programs; null where there are none of the sources and packages as they are now. */
export function currentPrograms(folder, root = ROOT) {
  try {
    const programs = JSON.parse(readFileSync(join(folder, 'programs.json'), 'utf8'));
    if (programs.format !== FORMAT || programs.root !== root || programs.packages !== packagesSum(root)) return null;
    const areUnchanged = Object.entries(programs.sources).every(([path, was]) => isUnchanged(join(root, path), was));
    return areUnchanged ? programs : null;
  } catch {
    return null;
  }
}

/** The address of that file's program; null where one of its files is missing or damaged. */
export function programOf(folder, { at, files }, path) {
  const own = files[path];
  if (own === undefined) return null;
  try {
    for (const [name, sum] of Object.entries(own)) if (sumOf(readFileSync(join(folder, at, name))) !== sum) return null;
    return pathToFileURL(join(folder, at, Object.keys(own)[0])).href;
  } catch {
    return null;
  }
}

/** The programs of this process: the first thread looks whether they are current, and its threads believe it. */
function programsHere(folder) {
  if (!isMainThread) return getEnvironmentData('start-cache programs') ?? null;
  if (!PROCESSES.some((path) => process.argv[1]?.endsWith(join(sep, path)))) return null;
  const programs = currentPrograms(folder);
  if (programs !== null) setEnvironmentData('start-cache programs', { at: programs.at, files: programs.files });
  return programs;
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
  const programs = programsHere(folder);
  const programsUrl = programs && `${pathToFileURL(join(folder, programs.at)).href}/`;
  const rootUrl = `${pathToFileURL(ROOT).href}/`;
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const isOfProgram = programsUrl !== null && context.parentURL?.startsWith(programsUrl);
      // The cache's folder may lie where no package is found.
      if (isOfProgram) return next(specifier, specifier.startsWith('.') ? context : { ...context, parentURL: rootUrl });
      if (wanted.has(specifier) && !context.conditions.includes('require')) {
        packages ??= bundledPackages(folder);
        const url = packages.get(specifier);
        if (url !== undefined) return { url, format: 'module', shortCircuit: true };
      }
      const resolved = next(specifier, context);
      if (programs === null || !resolved.url.startsWith(rootUrl) || !resolved.url.endsWith('.ts')) return resolved;
      const path = relative(ROOT, fileURLToPath(resolved.url)).split(sep).join('/');
      const url = programOf(folder, programs, path);
      return url === null ? resolved : { url, format: 'module', shortCircuit: true };
    },
    load(url, context, next) {
      if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
      const code = readStripped(folder, url);
      return code === null ? next(url, context) : { format: 'module', source: code, shortCircuit: true };
    },
  });
  if (programs !== null) setTimeout(() => nodeModule.flushCompileCache?.(), KEEP_CODE_AFTER_MS).unref();
}

if (process.env.START_CACHE !== 'off' && process.execArgv.some((arg) => arg.endsWith('start-cache.mjs'))) useCache();
