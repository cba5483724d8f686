// Outbound: from the accepted POST /calls to its INVITE on the wire, against the bench's own phone on loopback.

import { answers, Phone } from '../../engine/test-runs/caller/phone/phone.ts';
import type { PhoneCall } from '../../engine/test-runs/caller/phone/phone-call.ts';
import { INSTANT, withService } from '../rig/conversation/scenario.ts';
import { rowOf } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';
import { addCampaign, addTrunk } from '../rig/service/outbound-setup.ts';
import { Rest } from '../rig/service/rest.ts';

const USAGE = `usage: npm run bench -- outbound [--calls N] [--rate CALLS_PER_SECOND]
  N calls (default 200) at a steady rate (default 10 a second)`;

const INVITE_TIMEOUT_MS = 10_000;

export default part(USAGE, { calls: 200, rate: 10 }, async ({ calls: count, rate }) => {
  const arrived = new Map<string, (invite: PhoneCall) => void>();
  const answer = answers({ afterMs: 50, hangUpAfterMs: 1_000 });
  const phone = await Phone.start({
    script(call) {
      arrived.get(call.number)?.(call);
      return answer(call);
    },
  });
  const fromAccepted: number[] = [];
  const fromRequest: number[] = [];
  await withService(INSTANT, async (service) => {
    const client = await new Rest(service).login();
    const trunkId = await addTrunk(client, phone.port, { callsPerSecond: 1_000, maxConcurrentCalls: 1_000 });
    const campaign = await addCampaign(client, trunkId, '+12025550142');
    const place = async (index: number): Promise<void> => {
      const toNumber = `+1202556${String(1_000 + index)}`;
      const invite = new Promise<PhoneCall>((resolve, reject) => {
        arrived.set(toNumber, resolve);
        setTimeout(() => reject(new Error(`no INVITE for ${toNumber}`)), INVITE_TIMEOUT_MS).unref();
      });
      const askedAt = performance.now();
      await client.must('POST', '/calls', {
        campaignId: campaign.id,
        fromPhoneNumberId: campaign.numberId,
        toNumber,
      });
      const acceptedAt = performance.now();
      const { atMs } = await invite;
      // The INVITE may be on the wire before this client has read its answer.
      fromAccepted.push(Math.max(0, atMs - acceptedAt));
      fromRequest.push(atMs - askedAt);
    };
    await place(0);
    fromAccepted.length = 0;
    fromRequest.length = 0;
    const placed: Promise<void>[] = [];
    for (let index = 1; index <= count; index++) {
      placed.push(place(index));
      await new Promise((resolve) => setTimeout(resolve, 1000 / rate));
    }
    await Promise.all(placed);
  });
  phone.stop();
  return {
    title: `Outbound calls, ${rate} a second`,
    rows: [
      rowOf('POST /calls accepted → INVITE', fromAccepted, 'p99 <= 250'),
      rowOf('POST /calls sent → INVITE', fromRequest),
    ],
    samples: { 'accepted to INVITE': fromAccepted, 'sent to INVITE': fromRequest },
  };
});
