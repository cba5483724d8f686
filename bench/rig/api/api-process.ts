// The API as a separate process without a supervisor, for tests of a start, a stop or a kill.
import { type ChildProcess, spawn } from 'node:child_process';

export interface ApiProcess {
  child: ChildProcess;
  address: string;
  host: string;
  port: number;
  output(): string;
  stop(): Promise<number | null>;
}

export async function startProcess(
  dataDir: string,
  environment: Record<string, string> = {},
  { program = 'api/main.ts', stdout = 'pipe' }: { program?: string; stdout?: 'pipe' | 'ignore' } = {},
): Promise<ApiProcess> {
  const child = spawn(process.execPath, ['--no-warnings', program], {
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, API_PORT: '0', ...environment },
  });
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += String(chunk);
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const address = await new Promise<string>((resolve, reject) => {
    child.on('message', (message: { type: string; address: string }) => {
      if (message.type === 'ready') resolve(message.address);
    });
    void exited.then((code) => reject(new Error(`exit ${code}: ${output}`)));
  });
  const { hostname: host, port } = new URL(address);
  return {
    child,
    address,
    host,
    port: Number(port),
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}
