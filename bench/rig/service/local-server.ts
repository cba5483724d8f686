// A server with OpenAI's interface, started for one engine: a command of whoever runs the bench.
import { type ChildProcess, spawn } from 'node:child_process';
import { usageOfTree } from '../measure/process-usage.ts';
import { reservePort } from '../network/reserved-port.ts';

const READY_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 250;
const BYTES_A_MB = 1e6;

export class LocalServer {
  readonly base: string;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, base: string) {
    this.#process = process;
    this.base = base;
  }

  /**
   * @param command gets its port as its last word, and names the weights by `environment`
   * @throws Error when it ends or does not answer
   */
  static async start(command: string, environment: Record<string, string>): Promise<LocalServer> {
    const port = await reservePort();
    const [program = '', ...words] = command.split(' ');
    const child = spawn(program, [...words, String(port)], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...environment },
    });
    const server = new LocalServer(child, `http://127.0.0.1:${port}/v1`);
    for (const untilMs = performance.now() + READY_WITHIN_MS; performance.now() < untilMs; ) {
      if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
      const isUp = await fetch(`${server.base}/models`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isUp) return server;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    server.stop();
    throw new Error(`${command} did not answer within ${READY_WITHIN_MS} ms`);
  }

  /** Resident memory, MB of 1,000,000 bytes. */
  get megabytes(): number {
    return (usageOfTree(this.#process.pid ?? 0)?.rssBytes ?? 0) / BYTES_A_MB;
  }

  stop(): void {
    this.#process.kill();
  }
}
