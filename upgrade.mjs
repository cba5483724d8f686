// `npm run upgrade`: asks the running supervisor to replace the service by another release, or by this one, without
// ending a call. Plain JavaScript without dependencies, like the supervisor, which serves the other end.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const USAGE = `usage: npm run upgrade [-- --to DIR]
Replaces the running engine and API by those of DIR (default: this folder, as it is now on the disk), without ending a call.
The service of DATA_DIR must run under npm start. Signal SIGUSR2 to its supervisor does the same for this folder.`;

const SOCKET = 'supervisor.sock';
/** Longer paths are no addresses of a socket. */
const PATH_MAX = 100;
const dataDir = () => resolve(process.env.DATA_DIR ?? './data');

/**
 * Serves `npm run upgrade`. `upgrade(root, tell)` resolves when it is done; `tell` takes a line about its progress.
 * Returns what ends it.
 */
export function serveUpgrades(upgrade, onFault) {
  const path = join(dataDir(), SOCKET);
  if (path.length > PATH_MAX) return () => undefined;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const tell = (line) => socket.writable && socket.write(`${JSON.stringify(line)}\n`);
    createInterface({ input: socket }).once('line', async (line) => {
      try {
        const { root } = JSON.parse(line);
        await upgrade(root, (progress) => tell({ progress }));
        tell({ done: true });
      } catch (error) {
        tell({ error: error instanceof Error ? error.message : String(error) });
      }
      socket.end();
    });
  });
  server.on('error', (error) => onFault(error.message));
  try {
    mkdirSync(dataDir(), { recursive: true });
    // Of an earlier supervisor; only one has the folder.
    rmSync(path, { force: true });
  } catch (error) {
    onFault(error.message);
  }
  const mask = process.umask(0o177);
  server.listen(path);
  process.umask(mask);
  return () => server.close();
}

/** The command. Resolves with its exit code. */
export async function askForUpgrade(args, here) {
  const [option, value] = args;
  if (option === '--help') {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  if ((option !== undefined && option !== '--to') || (option === '--to' && value === undefined) || args.length > 2) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const root = resolve(value ?? here);
  if (!existsSync(join(root, 'supervise.mjs')) || !existsSync(join(root, 'node_modules'))) {
    process.stderr.write(`--to: ${root} is no installed release: copy it there and run "npm install" in it\n`);
    return 2;
  }
  const path = join(dataDir(), SOCKET);
  const socket = connect(path);
  return new Promise((done) => {
    socket.once('error', (error) => {
      process.stderr.write(`DATA_DIR: no service runs in ${dataDir()} (${error.code}): start it with "npm start"\n`);
      done(1);
    });
    socket.once('connect', () => socket.write(`${JSON.stringify({ root })}\n`));
    let code = 1;
    const lines = createInterface({ input: socket });
    lines.on('line', (line) => {
      const { progress, error, done: isDone } = JSON.parse(line);
      if (progress !== undefined) process.stdout.write(`${progress}\n`);
      if (error !== undefined) process.stderr.write(`not upgraded: ${error}\n`);
      if (isDone) code = 0;
    });
    lines.once('close', () => done(code));
  });
}
