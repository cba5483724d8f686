// Work beside running calls, and how evenly the agent's packets come meanwhile.

import { SENTENCES } from '../parts/turn-latency.ts';
import { chooseSilenceThreshold, INSTANT, pause, withService } from '../rig/conversation/scenario.ts';
import { type PhoneFigures, Phones } from '../rig/phone/phones.ts';
import type { Service } from '../rig/service/service.ts';

const GAP_MS = 50;
/** In a new process the compiler works during the first calls. */
const WARM_MS = 5_000;

/** `work` begins after the calls are warm; the figures are of its time alone. */
export async function besideCalls<T>(
  calls: number,
  work: (service: Service) => Promise<T>,
): Promise<{ pace: PhoneFigures['pace']; done: T }> {
  return withService(INSTANT, async (service) => {
    await chooseSilenceThreshold(service, 500);
    const phones = await Phones.start({ sipAddress: service.sipAddress, sentences: SENTENCES });
    try {
      await phones.begin(calls, GAP_MS);
      await pause(WARM_MS);
      await phones.figures();
      const done = await work(service);
      return { pace: (await phones.figures()).pace, done };
    } finally {
      await phones.stop();
    }
  });
}
