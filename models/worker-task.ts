// What every model worker is given and how it serves: one long-lived task a worker, which hosts many sessions on
// MessagePorts of their own (a task a session would leave the session after the last thread waiting for ever).
import type { MessagePort } from 'node:worker_threads';

export interface WorkerTask {
  /** Takes `WorkerCommand`, answers `WorkerStatus`. */
  control: MessagePort;
  /** Built-in engine or `module:/absolute/path.ts`. */
  engine: string;
  environment: Record<string, string | undefined>;
}

export type WorkerCommand =
  /** A shard's own port; the worker answers `ready` on it. */
  { type: 'connect'; port: MessagePort } | { type: 'stop' };

export type WorkerStatus = { type: 'ready' } | { type: 'failed'; message: string };

/**
 * Serves until `stop`: `onConnect` is called with each port. Resolves after `stop` or when the control port closes, so that
 * the thread is never ended inside a synchronous engine.
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
