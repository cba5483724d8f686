// Measures the wait of other API clients during an import: a separate thread sends requests at a steady pace, so that
// no figure contains the importing client's own work.
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { type LoadOptions, load } from '../rig/measure/http-load.ts';

/** Longest run without a stop. */
const SECONDS_MAX = 3_600;
const PAUSE_MS = 15;

export type ProbeTarget = Pick<LoadOptions, 'host' | 'port' | 'token'>;

interface Probe {
  /** Ends the probe; resolves with the latencies in ms. */
  stop(): Promise<number[]>;
}

export function startProbe(target: ProbeTarget, path: string): Probe {
  const worker = new Worker(new URL(import.meta.url), { workerData: { ...target, path } });
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  return {
    async stop() {
      const answer = new Promise<number[]>((resolve) => worker.once('message', resolve));
      worker.postMessage('stop');
      return Promise.race([answer, failed]);
    },
  };
}

if (parentPort !== null && workerData !== null && 'path' in workerData) {
  const port = parentPort;
  const { path, ...target } = workerData as ProbeTarget & { path: string };
  const stop = new AbortController();
  port.once('message', () => stop.abort());
  const { latenciesMs, failures } = await load({
    ...target,
    paths: [path],
    connections: 1,
    seconds: SECONDS_MAX,
    pauseMs: PAUSE_MS,
    signal: stop.signal,
  });
  if (failures > 0) throw new Error(`${failures} answers to ${path} were no success`);
  port.postMessage(latenciesMs);
}
