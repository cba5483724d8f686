// Measures the API's other answers while it gets writes that cannot succeed.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { pause } from '../conversation/scenario.ts';
import type { Scene } from './fault-run.ts';
import type { HealthProbe } from './health-probe.ts';

export interface HealthUnderFault {
  latenciesMs: number[];
  /** Answers to the posted writes by status. */
  writes: Record<string, number>;
}

const WRITE_EVERY_MS = 100;

export async function measureHealth({ apiUrl, client }: Scene, forMs: number): Promise<HealthUnderFault> {
  const workerData: HealthProbe = { url: `${apiUrl}/healthz`, forMs };
  const probe = new Worker(new URL('./health-probe.ts', import.meta.url), { workerData });
  const probed = once(probe, 'message');
  const writes: Record<string, number> = {};
  const posted: Array<Promise<void>> = [];
  const until = performance.now() + forMs;
  for (let number = 0; performance.now() < until; number++) {
    const body = { phoneNumber: `+1415${String(7_000_000 + number)}` };
    const write = client.request('POST', '/do-not-call', body).then(({ status }) => {
      writes[status] = (writes[status] ?? 0) + 1;
    });
    posted.push(write);
    await pause(WRITE_EVERY_MS);
  }
  await Promise.all(posted);
  const [latenciesMs] = await probed;
  await probe.terminate();
  return { latenciesMs, writes };
}
