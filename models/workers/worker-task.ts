// The task of a model worker. Each worker runs one long-lived task that hosts many sessions on their own MessagePorts;
// with one task per session, sessions beyond the number of threads would wait for ever.
import type { MessagePort } from 'node:worker_threads';
import { joinQuietMemory } from '../../db/shared/process/quiet-memory.ts';
import type { Voice } from '../tts/tts.ts';

export interface WorkerTask {
  /** Takes `WorkerCommand`, answers `WorkerStatus`. */
  control: MessagePort;
  /** Built-in engine or `module:/absolute/path.ts`. */
  engine: string;
  environment: Record<string, string | undefined>;
  /** Voice activity detection: the thread should run in real time. */
  realTime: boolean;
  /** Number of workers of this kind; they share the concurrency that a remote engine allows. */
  workers: number;
}

/** A loaded engine, as its worker describes it. Each kind sets its own fields. */
export interface EngineDescription {
  /** STT and TTS: the cost that the engine declares, as `SttEngine.realTimeFactor`. */
  realTimeFactor?: number | undefined;
  /** STT: whether it recognises free speech, which languages (null: not known), and how long it may take. */
  freeText?: boolean;
  givesPartials?: boolean;
  givesInterims?: boolean;
  hearsTurns?: boolean;
  languages?: readonly string[] | null;
  patienceMs?: number;
  blockMs?: number;
  /** TTS: the available voices, those of the chosen engine first. */
  voices?: readonly Voice[];
  /** TTS: requests at a time that a remote engine allows; null for a local one. */
  concurrency?: number | null;
}

/** How often a recogniser's worker reports its backlog. */
export const BACKLOG_EVERY_MS = 250;

type WorkerCommand =
  /** The port of one shard; the worker answers `ready` on it. */
  | { type: 'connect'; port: MessagePort }
  /** Answered by `pong`: the worker's thread is not stuck. */
  | { type: 'ping' }
  /** STT and TTS: answered by `measured`. */
  | { type: 'measure' }
  /** Ends the worker when the last port is closed. */
  | { type: 'retire' }
  | { type: 'stop' };

export type WorkerStatus =
  | { type: 'ready'; engine: EngineDescription }
  | { type: 'pong' }
  /** STT, four times a second: the longest audio that waits to be decoded, including the thread's own lateness. */
  | { type: 'backlog'; ms: number }
  /** Seconds of one core per second of audio; null: the trial was disturbed, or failed. */
  | { type: 'measured'; factor: number | null }
  | { type: 'failed'; message: string };

/**
 * Calls `onConnect` with each new port, and `measure` for each trial of what the engine costs. Resolves after `stop`,
 * when the control port closes, or after `retire` when nobody is connected any more, so that the thread is never ended
 * inside a synchronous engine.
 */
export async function serveUntilStopped(
  task: WorkerTask,
  onConnect: (port: MessagePort) => void,
  engine: EngineDescription = {},
  measure: () => Promise<number | null> = async () => null,
): Promise<void> {
  joinQuietMemory();
  const ports = new Set<MessagePort>();
  let isRetired = false;
  let isMeasuring = false;
  await new Promise<void>((resolve) => {
    const endIfUnused = (): void => {
      if (isRetired && ports.size === 0) resolve();
    };
    task.control.on('message', (command: WorkerCommand) => {
      if (command.type === 'stop') return resolve();
      if (command.type === 'retire') {
        isRetired = true;
        return endIfUnused();
      }
      if (command.type === 'ping') {
        task.control.postMessage({ type: 'pong' } satisfies WorkerStatus);
        return;
      }
      if (command.type === 'measure') {
        const tell = (factor: number | null): void =>
          task.control.postMessage({ type: 'measured', factor } satisfies WorkerStatus);
        // Two trials at a time would count each other's work.
        if (isMeasuring) return tell(null);
        isMeasuring = true;
        void measure()
          .catch(() => null)
          .then((factor) => {
            isMeasuring = false;
            tell(factor);
          });
        return;
      }
      const { port } = command;
      ports.add(port);
      onConnect(port);
      port.on('close', () => {
        ports.delete(port);
        endIfUnused();
      });
    });
    task.control.on('close', resolve);
    task.control.postMessage({ type: 'ready', engine } satisfies WorkerStatus);
  });
  for (const port of ports) port.close();
  task.control.close();
}
