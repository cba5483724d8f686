// Makes an installation for production smaller: removes from node_modules what this machine cannot use (binaries of
// other platforms) and what only development needs (declarations, source maps, C headers and sources).
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const USAGE = `usage: npm run slim [-- --own-node] [--dry-run]
Removes from node_modules what a running service on this platform does not need; with --own-node also the Node that came as a
package, where the machine's own is new enough. To undo it: rm -rf node_modules && npm install`;

const DEVELOPMENT_FILE = /\.(d\.[cm]?ts|map)$/;

/** Each binary or folder of another platform, and each folder that only a compiler reads. */
function unusedFolders(modules, { platform, arch, ownNode }) {
  const found = [];
  const onnx = join(modules, 'onnxruntime-node', 'bin');
  for (const abi of entries(onnx)) {
    for (const other of entries(join(onnx, abi))) {
      for (const processor of entries(join(onnx, abi, other))) {
        if (other !== platform || processor !== arch) found.push(join(onnx, abi, other, processor));
      }
    }
  }
  const sqlite = join(modules, 'better-sqlite3');
  for (const prebuild of entries(join(sqlite, 'prebuilds'))) {
    // `linuxmusl` stays on Linux: which of the two libraries the machine has is found out at run time.
    if (!new RegExp(`^${platform}(musl)?-${arch}\\.node$`).test(prebuild))
      found.push(join(sqlite, 'prebuilds', prebuild));
  }
  found.push(join(sqlite, 'deps'), join(sqlite, 'src'));
  // uWebSockets.js brings every platform's binary for every version of Node.
  const own = new RegExp(`^uws_${platform}_${arch}_${ownNode ? process.versions.modules : '\\d+'}\\.node$`);
  const uws = join(modules, 'uWebSockets.js');
  for (const binary of entries(uws)) {
    if (/^uws_.*\.node$/.test(binary) && !own.test(binary)) found.push(join(uws, binary));
  }
  for (const name of [`node-${platform}-${arch}`, `node-bin-${platform}-${arch}`]) {
    if (ownNode) found.push(join(modules, name));
    else found.push(join(modules, name, 'include'), join(modules, name, 'share'));
  }
  return found.filter((path) => existsSync(path));
}

function entries(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function* filesIn(path) {
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) yield* filesIn(inner);
    else if (entry.isFile()) yield inner;
  }
}

/** Paths that can go. */
export function unused(modules, machine) {
  const folders = unusedFolders(modules, machine);
  const inFolder = (path) => folders.some((folder) => path.startsWith(folder));
  const files = [...filesIn(modules)].filter((path) => DEVELOPMENT_FILE.test(path) && !inFolder(path));
  return [...folders, ...files];
}

function main(args) {
  const [isDry, ownNode] = [args.includes('--dry-run'), args.includes('--own-node')];
  if (args.some((arg) => arg !== '--dry-run' && arg !== '--own-node')) {
    process.stdout.write(`${USAGE}\n`);
    return args.includes('--help') ? 0 : 1;
  }
  const modules = join(dirname(fileURLToPath(import.meta.url)), 'node_modules');
  if (existsSync(join(modules, 'typescript'))) {
    process.stderr.write(
      'This installation is for development. Install with: rm -rf node_modules && npm install --omit=dev\n',
    );
    return 1;
  }
  // Set in each Node that runs TypeScript unbuilt and unasked: what supervise.mjs looks for.
  if (ownNode && !process.features.typescript) {
    process.stderr.write(`--own-node needs Node 22.18 or newer, this is ${process.versions.node}.\n`);
    return 1;
  }
  let bytes = 0;
  for (const path of unused(modules, { platform: process.platform, arch: process.arch, ownNode })) {
    for (const file of filesIn(path)) bytes += statSync(file).size;
    if (!isDry) rmSync(path, { recursive: true });
  }
  process.stdout.write(`${isDry ? 'would remove' : 'removed'} ${Math.round(bytes / 1e6)} MB\n`);
  return 0;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = main(process.argv.slice(2));
}
