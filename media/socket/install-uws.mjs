// Installs uWebSockets.js 20.51 for Linux on x64, which media/socket/uws.ts takes where it is there: its makers' binary
// as the packages @uwsjs/* of the npm registry bring it, checked against the sums below. Elsewhere it does nothing, and
// `ws` serves. Plain JavaScript, because the image runs it before anything else is there.
//   node media/socket/install-uws.mjs [OPTION OF npm install…]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VERSION = '20.51.4';
const PACKAGES = [
  {
    as: 'uWebSockets.js',
    name: '@uwsjs/core',
    sha256: '2ac41d08f4c790f6009f9902f087134ecd6d9f7c96cc59be4402c2525dd45e5d',
  },
  {
    as: '@uwsjs/linux-x64-22',
    name: '@uwsjs/linux-x64-22',
    sha256: '802c1c2bc789a3e8199c2f63e7b535c53313dfd665519e9053e442603f1e63aa',
  },
];

/** @throws Error with npm's words */
function npm(args, cwd) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** The package as a file below `folder`, as npm installs it by its name. @throws Error where its sum is another */
function fetchChecked({ as, name, sha256 }, folder) {
  const file = join(folder, npm(['pack', '--silent', `${name}@${VERSION}`], folder));
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (sum !== sha256) throw new Error(`${name}@${VERSION} has the SHA-256 ${sum}, not ${sha256}: it is not installed`);
  return `${as}@file:${file}`;
}

function install() {
  const folder = mkdtempSync(join(tmpdir(), 'uws-'));
  try {
    const files = PACKAGES.map((each) => fetchChecked(each, folder));
    npm(['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', ...process.argv.slice(2), ...files]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.platform !== 'linux' || process.arch !== 'x64') {
  process.stdout.write(`no checked uWebSockets.js for ${process.platform} on ${process.arch}: ws serves\n`);
} else {
  try {
    install();
    process.stdout.write(`uWebSockets.js ${VERSION} is installed\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
