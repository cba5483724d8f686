// Pacing: the interval between the agent's packets by the kernel's clock. The callers (`phones.c`) are no Node and read
// the time stamp that the kernel gives each packet on its arrival, so what they do themselves does not count. The first
// two seconds of a call are reported apart.

import { chooseSilenceThreshold, INSTANT, pause, withService } from '../rig/conversation/scenario.ts';
import type { Row } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';
import { type PhoneFigures, Phones, sampleBins, summariseBins } from '../rig/phone/phones.ts';
import { SENTENCES } from './turn-latency.ts';

const USAGE = `usage: npm run bench -- pacing [--calls N,…] [--seconds N]
  N calls at once (default 1,20,100), measured for N seconds each (default 20)
  needs: a C compiler`;

const GAP_MS = 50;
/** In a new process the compiler works during the first calls. */
const WARM_MS = 5_000;

/** Deviations from 20 ms between the agent's packets in `count` calls, which talk with it. */
export async function measurePacing(
  count: number,
  seconds: number,
  environment: Record<string, string>,
): Promise<PhoneFigures> {
  return withService({ ...INSTANT, ...environment }, async (service) => {
    await chooseSilenceThreshold(service, 500);
    const phones = await Phones.start({ sipAddress: service.sipAddress, sentences: SENTENCES });
    try {
      await phones.begin(count, GAP_MS);
      await pause(WARM_MS);
      const { startPace } = await phones.figures();
      await pause(seconds * 1_000);
      return { ...(await phones.figures()), startPace };
    } finally {
      await phones.stop();
    }
  });
}

export default part(USAGE, { calls: [1, 20, 100], seconds: 20 }, async ({ calls, seconds }) => {
  const rows: Row[] = [];
  const samples: Record<string, number[]> = {};
  for (const count of calls) {
    const { pace, startPace } = await measurePacing(count, seconds, {});
    const name = `pacing error, ${count} call${count === 1 ? '' : 's'}`;
    samples[name] = sampleBins(pace);
    rows.push({ name, summary: summariseBins(pace), target: 'p99 <= 2, max <= 10' });
    rows.push({ name: 'the first two seconds of a call', summary: summariseBins(startPace), target: 'none' });
  }
  const blocked = await measurePacing(20, seconds, { FAKE_BLOCK_CONTROL_MS: '40' });
  rows.push({
    name: '20 calls, control thread blocked 40 of 250 ms',
    summary: summariseBins(blocked.pace),
    target: 'p99 <= 5',
  });
  const lines = ["By the kernel's clock (SO_TIMESTAMPNS at the caller's socket)."];
  return { title: 'Pacing: |interval - 20 ms|', rows, samples, lines };
});
