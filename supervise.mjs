// The launcher: finds a Node that runs TypeScript unbuilt, and under `start` supervises the two processes.
// Plain JavaScript without dependencies: the only file that the machine's own Node (20 or newer) has to run.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { freemem, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { askForUpgrade, serveUpgrades } from './upgrade.mjs';
import { killLater, runAlone, Watchdog } from './watchdog.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const MIN_NODE = [22, 18];
const RESTART_DELAY_MIN_MS = 200;
// The contract promises a restart within 5 s; this maximum leaves room for the start itself.
const RESTART_DELAY_MAX_MS = 3_000;
const HEALTHY_AFTER_MS = 10_000;
const SAME_SIGNAL_MS = 1_000;
/** Beyond the time that each gives itself for its end: 10 s for the last writes of an engine, 5 s for an API. */
const END_MARGIN_MS = 10_000;
const ENGINE_END_MS = (Number(process.env.DRAIN_SECONDS) || 30) * 1_000 + 10_000 + END_MARGIN_MS;
const API_END_MS = 5_000 + END_MARGIN_MS;

// The library that runs the local models counts its uses, keeps an id of the machine in the home folder and sends both
// to its maker, unless this stands in its environment when it is loaded.
process.env.ORT_DISABLE_TELEMETRY = '1';

// Both processes switch optimised code on once they are up (db/shared/process/optimisation.ts).
const UNOPTIMISED = ['--no-opt'];

// Media threads run in real time and must wait for no thread that does not. After a collection V8's sweeper asks again
// and again whether its helper has finished, and the helper does not run beside a thread in real time: one media thread
// took a whole core for up to a second, and the packets of the others were 80 to 100 ms late. Without helpers marking
// is spread over allocations: its tasks would post themselves again until all is marked, and hold up packets for 25 ms.
// A small young generation, because each thread's would grow to 16 MB and stay so: the engine's memory would rise while
// calls go on, without a leak (docs/decisions/0013).
const V8_FLAGS = {
  'engine/main.ts': [
    '--single-threaded-gc',
    '--no-incremental-marking-task',
    '--max-semi-space-size=4',
    ...UNOPTIMISED,
  ],
  'api/main.ts': UNOPTIMISED,
};

// Each process collects its garbage while it has nothing to do (db/shared/process/quiet-memory.ts).
const MEMORY_FLAGS = ['--expose-gc'];
// The C library raises this limit by itself and then keeps what was freed: 30 MB of an engine at rest.
process.env.MALLOC_TRIM_THRESHOLD_ ??= '131072';

// Of a host with several addresses Node gives each 250 ms to connect, and the next one its turn after that: a far
// receiver with an IPv4 and an IPv6 address was given up where this machine reaches only one of them.
const NETWORK_FLAGS = ['--network-family-autoselection-attempt-timeout=2500'];

/** Loaded before a process's own code: what it takes from a cache instead of making it again, and its first threads. */
const LOADED_FIRST = { 'engine/main.ts': ['start-cache.mjs', 'first-threads.mjs'], 'api/main.ts': ['start-cache.mjs'] };
/** How long after the start the cache is written: by then nothing of the start is left to hold up. */
const MAKE_CACHE_AFTER_MS = 4_000;

/** The arguments with which Node runs that file of a release, which may be an older one. */
const nodeArgs = (file, release = root) => [
  ...(V8_FLAGS[file] ?? []),
  ...(LOADED_FIRST[file] ?? [])
    .map((name) => join(release, name))
    .filter((path) => existsSync(path))
    .flatMap((path) => ['--import', pathToFileURL(path).href]),
  ...MEMORY_FLAGS,
  ...NETWORK_FLAGS,
  join(release, file),
];

const USAGE = `usage: node supervise.mjs start            engine and API, restarted when they die
       node supervise.mjs upgrade [--to DIR]  another release in its place, without ending a call
       node supervise.mjs run FILE [ARG…]  one TypeScript file on the right Node`;

/** The Node binary that runs our TypeScript: the current one if new enough, else the one from the platform package. */
function findNode(release = root) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return process.execPath;
  const names = [`node-${process.platform}-${process.arch}`, `node-bin-${process.platform}-${process.arch}`];
  for (const name of names) {
    const path = join(release, 'node_modules', name, 'bin', 'node');
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

const runOne = (file, args) =>
  runAlone({ command: findNode(), args: [...nodeArgs(file), ...args], file, isWatched: file in LOADED_FIRST, fail });

/**
 * One supervised process. Its messages: {type:'ready', address}, and {type:'config-error', message} or
 * {type:'start-error', message} before it ends; and {type:'beat'} each second while it turns. It is sent 'stopping' and
 * 'stop'. At an upgrade an engine says
 * {type:'standby'} when everything is loaded and is sent 'take'; the one before is sent 'hand-over', and says
 * {type:'handed-over'} or {type:'hand-over-refused', message}.
 */
class Service {
  constructor(name, file, onReady, release = root) {
    Object.assign(this, {
      name,
      file,
      onReady,
      /** The folder of its release, and of the one before until this one has proved itself. */
      release,
      former: null,
      /** Another process has taken its place. */
      isRetired: false,
      /** Its next start is another release's, and no failure. */
      isReplaced: false,
      /** Wait for a message: resolve by its type, or reject when it ends. */
      waiting: [],
      /** It stands by, with everything loaded. */
      isWarm: false,
      child: null,
      address: null,
      lastWords: null,
      restarts: 0,
      startedAt: 0,
      timer: null,
    });
  }

  start(environment = {}) {
    this.startedAt = Date.now();
    this.isUp = false;
    // Its own process group: a Ctrl-C in the terminal reaches only the supervisor, which forwards it once.
    // Compiled (and type-stripped) code is cached between starts, which makes a restart a quarter cheaper.
    const NODE_COMPILE_CACHE = join(this.release, 'node_modules', '.cache', 'compile');
    this.child = spawn(findNode(this.release), nodeArgs(this.file, this.release), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
      env: { NODE_COMPILE_CACHE, ...process.env, SUPERVISED: '1', ...this.pinnedPorts(), ...environment },
    });
    const { child } = this;
    this.watchdog = new Watchdog(() => {
      log('error', `${this.name} stands still: it is killed`, { pid: child.pid });
      child.kill('SIGKILL');
    });
    this.child.on('message', (message) => this.onMessage(message));
    this.child.on('error', (error) => log('error', `${this.name} could not be started: ${error.message}`));
    this.child.on('exit', (code, signal) => this.onExit(code, signal));
  }

  /** Ports given as 0: a restart reuses the numbers of the first start. */
  pinnedPorts() {
    return this.ports ?? {};
  }

  /** Resolves with the next message of one of these types. @throws Error if it ends before, or the time is over */
  said(types, withinMs) {
    return new Promise((resolve, reject) => {
      const wait = { types, resolve, reject };
      const over = (settle) => (value) => {
        clearTimeout(limit);
        this.waiting = this.waiting.filter((each) => each !== wait);
        settle(value);
      };
      const limit = setTimeout(() => wait.reject(new Error(`the ${this.name} did not answer`)), withinMs);
      wait.resolve = over(resolve);
      wait.reject = over(reject);
      this.waiting.push(wait);
    });
  }

  onMessage(message) {
    if (message?.type === 'beat') return this.watchdog.beat();
    for (const wait of this.waiting) if (wait.types.includes(message?.type)) wait.resolve(message);
    if (message?.type === 'ready') {
      this.address = message.address;
      this.isUp = true;
      this.ports = message.ports;
      this.onReady();
      if (this === engine) setTimeout(keepSpare, SPARE_AFTER_MS).unref();
    } else if (message?.type === 'config-error' && this.former === null) {
      startErrors.add(message.message);
    } else if (message?.type === 'start-error') {
      this.lastWords = message.message;
    }
  }

  onExit(code, signal) {
    this.child = null;
    this.watchdog.stop();
    for (const { reject } of this.waiting) reject(new Error(this.lastWords ?? `it ended with ${signal ?? code}`));
    if (stopping) return finishStop();
    if (this.isRetired) return;
    if (this.isReplaced) {
      this.isReplaced = false;
      return this.start();
    }
    if (code === 2 && !announced) return stopForFault(2);
    // A process that never came up would not come up the next time either: a service manager sees the failure, and its
    // reason.
    if (this.address === null) {
      startErrors.add(`the ${this.name} could not start: ${this.lastWords ?? `it ended with ${signal ?? code}`}`);
      return stopForFault(1);
    }
    if (this.former !== null) {
      log('error', `${this.name} of the new release ended: the former one takes its place`, { code, signal });
      [this.release, this.former] = [this.former, null];
      return this.start();
    }
    if (this === engine && takeSpare(code, signal)) return;
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
    if (message === 'stop') this.endWithin(API_END_MS);
  }

  endWithin(ms) {
    if (this.child === null || this.isEnding === this.child) return;
    this.isEnding = this.child;
    killLater(this.child, ms, () => log('error', `${this.name} does not end: it is killed`));
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

let engine = new Service('engine', 'engine/main.ts', announce);
const api = new Service('api', 'api/main.ts', announce);

const STANDBY_WITHIN_MS = 60_000;
/** Longer than the old engine waits for a good moment. */
const HAND_OVER_WITHIN_MS = 90_000;
const READY_WITHIN_MS = 10_000;
/** For this long the former release takes the place of one that fails. */
const PROBATION_MS = 30_000;
let isUpgrading = false;
/** An engine that has everything loaded, and waits for the other one's death. */
const WARM_STANDBY = process.env.WARM_STANDBY || 'auto';
/** Several times what an engine takes. */
const SPARE_NEEDS_BYTES = 1.5e9;
const SPARE_AFTER_MS = 3_000;
let spare = null;

function wantsSpare() {
  if (WARM_STANDBY !== 'auto') return WARM_STANDBY === 'on';
  // A container's limit counts; earlier Nodes know the machine's memory only.
  const availableBytes = process.availableMemory?.() ?? freemem();
  // On a shared database other engines stand by.
  const isAlone = !process.env.DATABASE_URL;
  return isAlone && process.env.APP_ENV === 'production' && availableBytes >= SPARE_NEEDS_BYTES;
}

function keepSpare() {
  if (stopping || isUpgrading || spare !== null || !engine.isUp || !wantsSpare()) return;
  const next = new Service('engine', 'engine/main.ts', announce, engine.release);
  [next.ports, next.isRetired, spare] = [engine.ports, true, next];
  next.start({ STANDBY: '1' });
  next.said(['standby'], STANDBY_WITHIN_MS).then(
    () => {
      next.isWarm = true;
      log('info', 'an engine stands by', { pid: next.child?.pid });
    },
    (error) => {
      log('warn', 'no engine stands by', { error: error.message });
      dropSpare();
    },
  );
}

function dropSpare() {
  spare?.signal('SIGKILL');
  spare = null;
}

/** The engine has died: the one that stands by takes its place. False if there is none. */
function takeSpare(code, signal) {
  if (!spare?.isWarm || !spare.child) return false;
  log('error', 'engine ended', { code, signal, next: 'stands by' });
  [engine, spare] = [spare, null];
  engine.isRetired = false;
  engine.say('take');
  return true;
}

/**
 * Replaces engine and API by those of `release`. Calls go on: the new engine has everything loaded before it takes
 * them.
 * @throws Error why nothing has changed
 */
async function upgrade(release, tell) {
  if (isUpgrading || stopping || !announced) throw new Error(isUpgrading ? 'an upgrade is under way' : 'it is not up');
  isUpgrading = true;
  dropSpare();
  try {
    tell('the new engine is loading');
    const former = engine;
    const next = new Service('engine', 'engine/main.ts', announce, release);
    [next.ports, next.isRetired] = [former.ports, true];
    next.start({ STANDBY: '1' });
    const end = () => next.signal('SIGKILL');
    await next.said(['standby'], STANDBY_WITHIN_MS).catch((error) => {
      end();
      throw new Error(`the new engine cannot start: ${error.message}`);
    });
    tell('the new engine is loaded; the calls change hands between two turns');
    former.isRetired = true;
    former.say('hand-over');
    const answer = await former.said(['handed-over', 'hand-over-refused'], HAND_OVER_WITHIN_MS).catch((error) => error);
    if (answer.type === 'hand-over-refused') {
      former.isRetired = false;
      end();
      throw new Error(answer.message);
    }
    const beganAt = Date.now();
    // An engine that died meanwhile has left its calls as well.
    if (answer.type !== 'handed-over') former.signal('SIGKILL');
    engine = next;
    [next.isRetired, next.former] = [false, former.release];
    next.say('take');
    await next.said(['ready'], READY_WITHIN_MS).catch((error) => {
      // The former release takes its place.
      end();
      throw new Error(`the new engine did not come up: ${error.message}`);
    });
    tell(`the new engine has the calls, after ${Date.now() - beganAt} ms`);
    setTimeout(() => {
      next.former = null;
    }, PROBATION_MS).unref();
    [api.release, api.isReplaced] = [release, true];
    api.say('stop');
    await api.said(['ready'], STANDBY_WITHIN_MS).catch(() => api.said(['ready'], STANDBY_WITHIN_MS));
    tell('the new API answers');
    log('info', 'upgraded', { release });
  } finally {
    isUpgrading = false;
    keepSpare();
  }
}

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
  dropSpare();
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
  dropSpare();
  api.say('stopping');
  if (engine.child) {
    engine.endWithin(ENGINE_END_MS);
    return engine.signal('SIGTERM');
  }
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
  if (!['auto', 'on', 'off'].includes(WARM_STANDBY)) fail('WARM_STANDBY: must be auto, on or off', 2);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const onFault = (error) => log('warn', 'npm run upgrade cannot be served', { error });
  process.on('exit', serveUpgrades(upgrade, onFault));
  process.on('SIGUSR2', () => {
    upgrade(engine.release, (progress) => log('info', progress)).catch((error) => {
      log('error', 'not upgraded', { error: error.message });
    });
  });
  api.start();
  engine.start();
} else if (command === 'upgrade') {
  process.exitCode = await askForUpgrade(process.argv.slice(3), root);
} else {
  fail(USAGE, command === '--help' || command === 'help' ? 0 : 2);
}
