// The real service for a bench or a test: `npm start`'s supervisor on free ports and a fresh data folder. Reads its
// ready line and waits for its end.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;

export const ADMIN = { email: 'admin@example.com', password: 'correct horse battery staple' };

export interface Service {
  apiUrl: string;
  sipUri: string;
  /** host:port of the SIP endpoint. */
  sipAddress: string;
  dataDir: string;
  readyMs: number;
  /** Everything printed so far. */
  output(): string;
  process: ChildProcess;
  /** A session token of the first admin. */
  login(): Promise<string>;
  /** SIGTERM, then SIGKILL if that does not end it; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Free ports, an admin whose password is known, and a number of calls: to measure it costs each start two seconds of a
 * core.
 */
export const freshEnvironment = (dataDir: string): Record<string, string> => ({
  DATA_DIR: dataDir,
  API_PORT: '0',
  SIP_PORT: '0',
  MEDIA_WS_PORT: '0',
  RTP_PORT_MIN: '0',
  RTP_PORT_MAX: '0',
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  RATE_LIMIT_PER_MINUTE: '1000000',
  MAX_CALLS: '20',
});

/** A session token of the first admin. */
export async function signIn(apiUrl: string): Promise<string> {
  const response = await fetch(`${apiUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  const body = (await response.json()) as { data?: { token?: string }; error?: string };
  if (!body.data?.token) throw new Error(`login: ${response.status} ${body.error}`);
  return body.data.token;
}

/**
 * `root`: of another version of the project.
 * @throws Error with the output if there is no ready line
 */
export async function startService(
  environment: Record<string, string> = {},
  dataDir?: string,
  root = ROOT,
): Promise<Service> {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'voice-'));
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(root, 'supervise.mjs'), 'start'], {
    cwd: root,
    // Linux divides a machine between sessions before it divides it between threads: the dozen threads of a service
    // that starts take no more than one of those that talk. Not by hand, where Ctrl C is for all processes.
    detached: process.env.CI !== undefined,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...freshEnvironment(folder),
      DRAIN_SECONDS: '2',
      LOG_LEVEL: 'info',
      ...environment,
    },
  });
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const ready = await new Promise<RegExpExecArray>((resolve, reject) => {
    const limit = setTimeout(
      () => reject(new Error(`no ready line within ${READY_TIMEOUT_MS} ms:\n${output}`)),
      READY_TIMEOUT_MS,
    );
    const read = (data: Buffer): void => {
      output = (output + data.toString()).slice(-2_000_000);
      const match = /^ready api=(\S+) sip=(sip:(\S+))$/m.exec(output);
      if (!match) return;
      clearTimeout(limit);
      resolve(match);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void exited.then((code) => {
      clearTimeout(limit);
      reject(new Error(`the service ended with ${code} before it was ready:\n${output}`));
    });
  });
  const [, apiUrl = '', sipUri = '', sipAddress = ''] = ready;
  return {
    apiUrl,
    sipUri,
    sipAddress,
    dataDir: folder,
    readyMs: performance.now() - startedAt,
    output: () => output,
    process: child,
    login: () => signIn(apiUrl),
    async stop() {
      child.kill('SIGTERM');
      const limit = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      const code = await exited;
      clearTimeout(limit);
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}
