// The API as a process of its own, as users start it, for tests that kill it.
import { type ChildProcess, fork } from 'node:child_process';

const PASSWORD = 'correct horse battery';

export interface ApiProcess {
  process: ChildProcess;
  /** As its ADMIN. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

export async function startApiProcess(dataDir: string, environment: Record<string, string>): Promise<ApiProcess> {
  const child = fork(new URL('../../../api/main.ts', import.meta.url), {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      API_PORT: '0',
      DEMO: '0',
      LOG_LEVEL: 'error',
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: PASSWORD,
      ...environment,
    },
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.on('message', (message: { type: string; address?: string }) => {
      if (message.type === 'ready') resolve(message.address ?? '');
    });
    child.on('exit', (code) => reject(new Error(`the API ended with ${code}`)));
  });
  const base = `${address}/api/v1`;
  const json = { 'content-type': 'application/json' };
  const login = await fetch(`${base}/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email: 'admin@example.com', password: PASSWORD }),
  });
  const { token } = ((await login.json()) as { data: { token: string } }).data;
  return {
    process: child,
    ask: (method, path, body, headers = {}) =>
      fetch(base + path, {
        method,
        headers: { ...(body === undefined ? {} : json), ...headers, authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}

/** Ends the process and waits for its end. */
export async function endApiProcess({ process: child }: ApiProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  child.kill(signal);
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => child.once('exit', () => resolve()));
}
