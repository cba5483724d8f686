// Requests `/healthz` at a steady pace, on a separate thread so that only the service's delays are measured. A request
// is sent when it is due, whether or not the previous one is answered. Posts its times in ms; a failure counts as
// infinite.
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

export interface HealthProbe {
  url: string;
  forMs: number;
}

const EVERY_MS = 8;

const { url, forMs } = workerData as HealthProbe;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const latenciesMs: number[] = [];
const startedAt = performance.now();
let sent = 0;

function ask(): Promise<void> {
  const sentAt = performance.now();
  return new Promise((resolve) => {
    const done = (ok: boolean): void => {
      latenciesMs.push(ok ? performance.now() - sentAt : Number.POSITIVE_INFINITY);
      resolve();
    };
    get(url, { agent }, (response) => {
      response.resume().on('end', () => done(response.statusCode === 200));
    }).on('error', () => done(false));
  });
}

const asked: Array<Promise<void>> = [];
const timer = setInterval(() => {
  const elapsedMs = performance.now() - startedAt;
  while (sent * EVERY_MS < Math.min(elapsedMs, forMs)) {
    sent++;
    asked.push(ask());
  }
  if (elapsedMs < forMs) return;
  clearInterval(timer);
  void Promise.all(asked).then(() => {
    agent.destroy();
    parentPort?.postMessage(latenciesMs);
  });
}, EVERY_MS / 2);
