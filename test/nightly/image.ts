// The image of the Dockerfile, built and run without Docker and without a registry of images: buildah builds it on a
// Debian that debootstrap makes, with the Node of this folder. It runs as its user: it is ready, answers requests, and
// ends at SIGTERM. Needs root, buildah and debootstrap (apt), and some minutes.
//
//   node supervise.mjs run test/nightly/image.ts
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freshEnvironment, signIn } from '../../bench/rig/service/service.ts';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BASE = 'localhost/voice-node';
const IMAGE = 'localhost/voice-image';
/** One that npm reaches with the machine's own certificates, as behind a company's proxy. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const READY_MS = 60_000;

function run(command: string, ...args: string[]): string {
  process.stdout.write(`$ ${command} ${args.join(' ')}\n`);
  const { status, stdout, error } = spawnSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${command} ended with ${status ?? error?.message}:\n${stdout}`);
  return stdout.trim();
}

/** As `node:22-bookworm-slim`: Debian, Node, npm and the user `node`. */
function makeBase(folder: string): void {
  const debian = join(folder, 'debian');
  run('debootstrap', '--variant=minbase', '--include=ca-certificates', 'bookworm', debian);
  const local = join(debian, 'usr/local');
  copyFileSync(process.execPath, join(local, 'bin/node'));
  chmodSync(join(local, 'bin/node'), 0o755);
  const npm = resolve(dirname(realpathSync(run('which', 'npm'))), '..');
  mkdirSync(join(local, 'lib/node_modules'), { recursive: true });
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
  copyFileSync(CERTIFICATES, join(debian, CERTIFICATES));
  run('chroot', debian, 'useradd', '--create-home', '--uid', '1000', 'node');
  const container = run('buildah', 'from', 'scratch');
  run('buildah', 'add', '--quiet', container, debian, '/');
  run('buildah', 'config', '--env', `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, container);
  run('buildah', 'commit', '--quiet', '--rm', container, BASE);
  rmSync(debian, { recursive: true });
}

/** Runs the image's own command; resolves with its exit code after SIGTERM. */
async function serve(container: string): Promise<number | null> {
  const environment = Object.entries({ ...freshEnvironment('/data'), DRAIN_SECONDS: '2' });
  const options = environment.flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const args = ['run', '--isolation', 'chroot', '--user', 'node', ...options, container, '--', 'node', 'supervise.mjs'];
  const child = spawn('buildah', [...args, 'start'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((end) => child.once('exit', end));
  let output = '';
  const apiUrl = await new Promise<string>((ready, fail) => {
    const limit = setTimeout(() => fail(new Error(`no ready line:\n${output}`)), READY_MS);
    child.stdout.on('data', (data: Buffer) => {
      output += data;
      const [, url] = /^ready api=(\S+)/m.exec(output) ?? [];
      if (url === undefined) return;
      clearTimeout(limit);
      ready(url);
    });
    void ended.then((code) => fail(new Error(`it ended with ${code}:\n${output}`)));
  });
  try {
    const token = await signIn(apiUrl);
    for (const path of ['/readyz', '/api/v1/campaigns', '/', '/widget.js', '/openapi.json']) {
      const response = await fetch(apiUrl + path, { headers: { authorization: `Bearer ${token}` } });
      process.stdout.write(`${response.status} ${path}, ${(await response.arrayBuffer()).byteLength} bytes\n`);
      if (!response.ok) throw new Error(`${path} is ${response.status}`);
    }
  } finally {
    child.kill('SIGTERM');
  }
  return ended;
}

const folder = temporaryFolder('voice-image');
makeBase(folder);
const commit = run('git', 'rev-parse', '--short', 'HEAD');
const source = join(folder, 'source');
run('git', 'clone', '--quiet', '--no-hardlinks', ROOT, source);
run(
  'buildah',
  'bud',
  '--format',
  'docker',
  '--isolation',
  'chroot',
  '--build-arg',
  `NODE_IMAGE=${BASE}`,
  '--tag',
  IMAGE,
  source,
);
const container = run('buildah', 'from', IMAGE);
try {
  const code = await serve(container);
  const size = run('buildah', 'images', '--format', '{{.Size}}', IMAGE);
  process.stdout.write(`image of ${commit}: ${size} with its Debian; served as user node, ended with ${code}\n`);
  process.exitCode = code === 0 ? 0 : 1;
} finally {
  run('buildah', 'rm', container);
  run('buildah', 'rmi', '--force', IMAGE, BASE);
}
