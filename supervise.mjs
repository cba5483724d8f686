// The launcher: finds a Node that runs TypeScript unbuilt, and under `start` supervises the two processes.
// Plain JavaScript without dependencies: the only file that the machine's own Node (20 or newer) has to run.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const MIN_NODE = [22, 18];
const RESTART_DELAY_MIN_MS = 200;
// The contract promises a restart within 5 s; this maximum leaves room for the start itself.
const RESTART_DELAY_MAX_MS = 3_000;
const HEALTHY_AFTER_MS = 10_000;
const SAME_SIGNAL_MS = 1_000;

// Compiled (and type-stripped) code is cached between starts, which makes a restart after a crash about a quarter
// cheaper.
const NODE_COMPILE_CACHE = join(root, 'node_modules', '.cache', 'compile');

// The library that runs the local models counts its uses, keeps an id of the machine in the home folder and sends both
// to its maker, unless this stands in its environment when it is loaded.
process.env.ORT_DISABLE_TELEMETRY = '1';

// Media threads run in real time and must wait for no thread that does not. After a collection V8's sweeper asks again
// and again whether its helper has finished, and the helper does not run beside a thread in real time: one media thread
// took a whole core for up to a second, and the packets of the others were 80 to 100 ms late. Without helpers marking
// is spread over allocations: its tasks would post themselves again until all is marked, and hold up packets for 25 ms.
// A small young generation, because each thread's would grow to 16 MB and stay so: the engine's memory would rise while
// calls go on, without a leak (docs/decisions/0013).
const V8_FLAGS = {
  'engine/main.ts': ['--single-threaded-gc', '--no-incremental-marking-task', '--max-semi-space-size=4'],
};

// Of a host with several addresses Node gives each 250 ms to connect, and the next one its turn after that: a far
// receiver with an IPv4 and an IPv6 address was given up where this machine reaches only one of them.
const NETWORK_FLAGS = ['--network-family-autoselection-attempt-timeout=2500'];

/** The two processes take from a cache what each start would make again (start-cache.mjs). */
const CACHED = new Set(['engine/main.ts', 'api/main.ts']);
const CACHE_FLAGS = ['--import', pathToFileURL(join(root, 'start-cache.mjs')).href];
/** How long after the start the cache is written: by then nothing of the start is left to hold up. */
const MAKE_CACHE_AFTER_MS = 4_000;

/** What Node is given to run that file. */
const nodeArgs = (file) => [
  ...(V8_FLAGS[file] ?? []),
  ...(CACHED.has(file) ? CACHE_FLAGS : []),
  ...NETWORK_FLAGS,
  join(root, file),
];

const USAGE = `usage: node supervise.mjs start            engine and API, restarted when they die
       node supervise.mjs run FILE [ARG…]  one TypeScript file on the right Node`;

/** The Node binary that runs our TypeScript: the current one if new enough, else the one from the platform package. */
function findNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return process.execPath;
  const names = [`node-${process.platform}-${process.arch}`, `node-bin-${process.platform}-${process.arch}`];
  for (const name of names) {
    const path = join(root, 'node_modules', name, 'bin', 'node');
    if (existsSync(path)) return path;
  }
  fail(
    `Node ${MIN_NODE.join('.')} or newer is needed and this is ${process.versions.node}: run "npm install" (it brings one for ` +
      `${names[0]}), or install Node 22.`,
    1,
  );
}

function fail(message, code) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

function runOne(file, args) {
  const child = spawn(findNode(), [...nodeArgs(file), ...args], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${file} could not be started: ${error.message}`, 1));
  child.on('exit', (code, signal) => {
    if (signal) process.kill(process.pid, signal === 'SIGKILL' ? 'SIGKILL' : 'SIGTERM');
    process.exit(code ?? 1);
  });
  if (process.send) process.on('disconnect', () => child.kill('SIGTERM'));
}

/**
 * One supervised process. Its messages: {type:'ready', address}, and {type:'config-error', message} or
 * {type:'start-error', message} before it ends. It is sent 'stopping' and 'stop'.
 */
class Service {
  constructor(name, file, onReady) {
    Object.assign(this, {
      name,
      file,
      onReady,
      child: null,
      address: null,
      lastWords: null,
      restarts: 0,
      startedAt: 0,
      timer: null,
    });
  }

  start() {
    this.startedAt = Date.now();
    this.isUp = false;
    // Its own process group: a Ctrl-C in the terminal reaches only the supervisor, which forwards it once.
    this.child = spawn(findNode(), nodeArgs(this.file), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
      env: { NODE_COMPILE_CACHE, ...process.env, SUPERVISED: '1', ...this.pinnedPorts() },
    });
    this.child.on('message', (message) => this.onMessage(message));
    this.child.on('error', (error) => log('error', `${this.name} could not be started: ${error.message}`));
    this.child.on('exit', (code, signal) => this.onExit(code, signal));
  }

  /** Ports given as 0: a restart reuses the numbers of the first start. */
  pinnedPorts() {
    return this.ports ?? {};
  }

  onMessage(message) {
    if (message?.type === 'ready') {
      this.address = message.address;
      this.isUp = true;
      this.ports = message.ports;
      this.onReady();
    } else if (message?.type === 'config-error') {
      startErrors.add(message.message);
    } else if (message?.type === 'start-error') {
      this.lastWords = message.message;
    }
  }

  onExit(code, signal) {
    this.child = null;
    if (stopping) return finishStop();
    if (code === 2 && !announced) return stopForFault(2);
    // What never came up would not come up the next time either: a service manager sees the failure, and its reason.
    if (this.address === null) {
      startErrors.add(`the ${this.name} could not start: ${this.lastWords ?? `it ended with ${signal ?? code}`}`);
      return stopForFault(1);
    }
    if (Date.now() - this.startedAt > HEALTHY_AFTER_MS) this.restarts = 0;
    const delayMs = restartDelayMs(this.restarts++);
    log('error', `${this.name} ended`, { code, signal, restartInMs: delayMs });
    this.timer = setTimeout(() => this.start(), delayMs);
  }

  signal(name) {
    clearTimeout(this.timer);
    this.child?.kill(name);
  }

  say(message) {
    // The channel closes before the end of the child is known.
    if (this.child?.connected) this.child.send(message, () => undefined);
    // While it starts, nothing in it listens yet.
    if (message === 'stop' && !this.isUp) this.child?.kill('SIGTERM');
  }
}

/** At once where it was healthy: callers hear nothing until it is back. */
const restartDelayMs = (restarts) =>
  restarts === 0 ? 0 : Math.min(RESTART_DELAY_MAX_MS, RESTART_DELAY_MIN_MS * 2 ** (restarts - 1));

const startErrors = new Set();
let announced = false;
let stopping = false;
let stopSignalAt = Number.NEGATIVE_INFINITY;
/** The exit code of a start that failed. */
let failedWith = null;

const engine = new Service('engine', 'engine/main.ts', announce);
const api = new Service('api', 'api/main.ts', announce);

function log(level, msg, fields = {}) {
  const line = { level, time: new Date().toISOString(), name: 'supervisor', ...fields, msg };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function announce() {
  if (announced || !engine.address || !api.address) return;
  announced = true;
  process.stdout.write(`ready api=${api.address} sip=${engine.address}\n`);
  setTimeout(makeCache, MAKE_CACHE_AFTER_MS).unref();
}

/** Writes what the next start finds: a moment's work where nothing has changed, in the place of everybody else. */
function makeCache() {
  if (stopping || process.env.START_CACHE === 'off') return;
  const args = ['--disable-warning=ExperimentalWarning', join(root, 'start-cache-make.mjs')];
  const child = spawn(findNode(), args, { stdio: 'ignore' });
  child.on('error', () => undefined);
  process.once('exit', () => child.kill());
  try {
    setPriority(child.pid, 19);
  } catch {
    // It has ended, or could not be started.
  }
}

/**
 * An invalid environment, or a start that failed, ends both processes; each error is printed once, even if both report
 * it.
 */
function stopForFault(code) {
  stopping = true;
  failedWith ??= code;
  for (const service of [engine, api]) service.signal('SIGTERM');
  api.say('stop');
  setTimeout(() => {
    for (const service of [engine, api]) service.signal('SIGKILL');
  }, 2_000).unref();
  finishStop();
}

/** The engine drains first; the API keeps serving until the last call has ended and its events are written. */
function stop() {
  // npm passes a signal on that the whole process group has received: repeats within a second are one.
  if (performance.now() - stopSignalAt < SAME_SIGNAL_MS) return;
  stopSignalAt = performance.now();
  const again = stopping;
  stopping = true;
  api.say('stopping');
  if (engine.child) return engine.signal('SIGTERM');
  clearTimeout(engine.timer);
  if (api.child) return api.say('stop');
  if (!again) finishStop();
}

function finishStop() {
  clearTimeout(engine.timer);
  clearTimeout(api.timer);
  if (engine.child) return;
  if (api.child) return failedWith === null ? api.say('stop') : undefined;
  if (failedWith === null) process.exit(0);
  for (const message of startErrors) process.stderr.write(`${message}\n`);
  process.exit(failedWith);
}

const [command, file, ...args] = process.argv.slice(2);
if (command === 'run' && file) {
  runOne(file, args);
} else if (command === 'start') {
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  api.start();
  engine.start();
} else {
  fail(USAGE, command === '--help' || command === 'help' ? 0 : 2);
}
