// The task of a model worker. Each worker runs one long-lived task that hosts many sessions on their own MessagePorts; with
// one task per session, sessions beyond the number of threads would wait for ever.
import type { MessagePort } from 'node:worker_threads';

export interface WorkerTask {
  /** Takes `WorkerCommand`, answers `WorkerStatus`. */
  control: MessagePort;
  /** Built-in engine or `module:/absolute/path.ts`. */
  engine: string;
  environment: Record<string, string | undefined>;
}

export type WorkerCommand =
  /** The port of one shard; the worker answers `ready` on it. */
  { type: 'connect'; port: MessagePort } | { type: 'stop' };

export type WorkerStatus = { type: 'ready' } | { type: 'failed'; message: string };

/**
 * Calls `onConnect` with each new port. Resolves after `stop` or when the control port closes, so that the thread is never
 * ended inside a synchronous engine.
 */
export async function serveUntilStopped(task: WorkerTask, onConnect: (port: MessagePort) => void): Promise<void> {
  const ports: MessagePort[] = [];
  await new Promise<void>((resolve) => {
    task.control.on('message', (command: WorkerCommand) => {
      if (command.type === 'stop') return resolve();
      ports.push(command.port);
      onConnect(command.port);
    });
    task.control.on('close', resolve);
    task.control.postMessage({ type: 'ready' } satisfies WorkerStatus);
  });
  for (const port of ports) port.close();
  task.control.close();
}
