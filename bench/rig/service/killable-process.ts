// The processes of the service, each restarted as soon as it ends, unless told otherwise. No supervisor back-off, so
// that a bench that kills them spends its time on kills. Ports given as 0 keep their first assignment.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** The cache of the start, as under the supervisor: without it a start costs half as much again of the processor. */
const CACHED = ['--import', new URL('../../../start-cache.mjs', import.meta.url).href];
const NODE_COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'compile');

export class KillableProcess {
  readonly name: 'engine' | 'api';
  readonly #environment: Record<string, string>;
  readonly #startedBy: readonly string[];
  #child: ChildProcess | null = null;
  #ports: Record<string, string> = {};
  #stopping = false;
  /** Whether it is started again when it ends. */
  restarts = true;
  #output = '';
  readonly #waiting = new Set<() => void>();
  address: string | null = null;
  starts = 0;

  /** `startedBy`: a program, with its arguments, that becomes the one whose command follows (`ip netns exec`). */
  constructor(name: 'engine' | 'api', environment: Record<string, string>, startedBy: readonly string[] = []) {
    this.name = name;
    this.#environment = environment;
    this.#startedBy = startedBy;
  }

  start(): void {
    this.restarts = true;
    this.starts++;
    const main = join(ROOT, this.name, 'main.ts');
    const command = [...this.#startedBy, process.execPath, '--no-warnings', ...CACHED, main];
    const child = spawn(command[0] ?? '', command.slice(1), {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { NODE_COMPILE_CACHE, ...process.env, ...this.#environment, ...this.#ports, SUPERVISED: '1' },
    });
    this.#child = child;
    const keep = (data: Buffer): void => {
      this.#output = (this.#output + data.toString()).slice(-200_000);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('message', (message: { type?: string; address?: string; ports?: Record<string, string> }) => {
      if (message.type !== 'ready') return;
      this.address = message.address ?? null;
      this.#ports = { ...this.#ports, ...message.ports };
      for (const wake of [...this.#waiting]) wake();
    });
    child.on('exit', () => {
      this.#child = null;
      this.address = null;
      if (!this.#stopping && this.restarts) this.start();
    });
  }

  /** @throws Error while it is not running */
  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error(`the ${this.name} is not running`);
    return pid;
  }

  /** kill -9; the process is restarted at once. */
  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  /** kill -9; it is not started again before `start`. */
  async end(): Promise<void> {
    this.restarts = false;
    const child = this.#child;
    if (child === null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  }

  /** Stops all its threads, as a stalled machine would; SIGCONT lets them go on. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /** @throws Error with the output so far when it is not ready within `timeoutMs` */
  ready(timeoutMs = 60_000): Promise<string> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        if (this.address === null) return;
        clearTimeout(limit);
        this.#waiting.delete(check);
        resolve(this.address);
      };
      const limit = setTimeout(() => {
        this.#waiting.delete(check);
        reject(new Error(`the ${this.name} is not ready after ${timeoutMs} ms:\n${this.#output.slice(-4_000)}`));
      }, timeoutMs);
      this.#waiting.add(check);
      check();
    });
  }

  /** SIGTERM, as at an upgrade; it is not started again before `start`. Resolves when it has ended by itself. */
  async drain(): Promise<void> {
    this.restarts = false;
    const child = this.#child;
    if (child === null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await exited;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (!child) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const limit = setTimeout(() => child.kill('SIGKILL'), 15_000);
    await exited;
    clearTimeout(limit);
  }

  output(): string {
    return this.#output;
  }
}
