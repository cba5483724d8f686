// Outbound calls by the running service: single ones and campaigns, over trunks whose far sides are sipp, baresip and
// our own phone. Checks the wire, and what is left of call and contact.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Call, Contact } from '../../api/dashboard/app/api-types.ts';
import { reservePort } from '../../bench/rig/network/reserved-port.ts';
import { addCampaign, addTrunk, type OutboundCampaign } from '../../bench/rig/service/outbound-setup.ts';
import { WEEKDAYS } from '../../db/domain/hours/weekdays.ts';
import { answers, Phone, refuses, rings, type Script } from '../../engine/test-runs/caller/phone/phone.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { rms } from '../../media/frame.ts';
import { decodeWav } from '../../media/wav.ts';
import { nightly } from '../support/nightly.ts';
import { answerWithBaresip } from '../support/sip/baresip-callee.ts';
import { missingPeer, spawnPeer } from '../support/sip/peers.ts';
import { useService } from '../support/use-service.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/sipp/${name}.xml`, import.meta.url));

/** The part of our phone, by the last digits of the number. It rings first, so that no other trunk is tried. */
const scriptFor = (number: string): Script => {
  switch (number.slice(-2)) {
    case '86':
      return refuses(486);
    case '80':
      return refuses(480, 19);
    case '03':
      return refuses(603);
    case '04':
      return refuses(404, 1);
    case '53':
      return refuses(503, 38);
    case '99':
      return rings;
    default:
      return answers({ afterMs: 100, hangUpAfterMs: 1_500 });
  }
};

let trunkId: string;
let single: OutboundCampaign;
const phone = await Phone.start({ script: (call) => scriptFor(call.number)(call) });
after(() => phone.stop());
const { rest } = useService(
  { MAX_CALLS: '40' },
  {
    prepare: async () => {
      trunkId = await addTrunk(rest, phone.port, { callsPerSecond: 100 });
      single = await addCampaign(rest, trunkId, '+12025550110');
    },
  },
);

const place = (toNumber: string, campaign = single) =>
  rest.request('POST', '/calls', {
    campaignId: campaign.id,
    fromPhoneNumberId: campaign.numberId,
    toNumber,
  });

const ended = (id: string): Promise<Call> =>
  rest.eventually(`the end of ${id}`, async () => {
    const { body } = await rest.request('GET', `/calls/${id}`);
    return body.data.endedAt !== null && body.data;
  });

async function dial(toNumber: string, campaign = single): Promise<Call> {
  const { status, body } = await place(toNumber, campaign);
  assert.equal(status, 201, body.error);
  assert.equal(body.data.status, 'RINGING');
  return ended(body.data.id);
}

const statusOf = async (campaign: OutboundCampaign): Promise<string> =>
  (await rest.request('GET', `/campaigns/${campaign.id}`)).body.data.status;

const contactsOf = async (campaign: OutboundCampaign): Promise<Map<string, Contact>> => {
  const { body } = await rest.request('GET', `/campaigns/${campaign.id}/contacts?limit=100`);
  return new Map(body.data.map((contact) => [contact.phoneNumber, contact]));
};

const upload = (campaign: OutboundCampaign, numbers: string[]) =>
  rest.request('POST', `/campaigns/${campaign.id}/contacts`, {
    contacts: numbers.map((phoneNumber) => ({ phoneNumber, name: `Contact ${phoneNumber.slice(-2)}` })),
  });

describe('outbound', { concurrency: 5, timeout: 180_000 }, () => {
  test('a single call is answered, talked to and hung up on', async () => {
    const call = await dial('+12025561201');
    assert.deepEqual([call.status, call.endReason, call.direction], ['COMPLETED', 'caller_hangup', 'outbound']);
    const invite = phone.callTo('+12025561201');
    assert.equal(invite?.from, '+12025550110');
  });

  test('what the far side answers becomes the documented outcome', async () => {
    const outcomes = {
      '+12025561286': ['FAILED', 'busy', 'busy', 486],
      '+12025561280': ['FAILED', 'no_answer', 'no_answer', 480],
      '+12025561203': ['FAILED', 'declined', 'declined', 603],
      '+12025561204': ['FAILED', 'unallocated', 'unallocated', 404],
      '+12025561253': ['FAILED', 'failed', 'network', 503],
    };
    await Promise.all(
      Object.entries(outcomes).map(async ([number, expected]) => {
        const call = await dial(number);
        assert.deepEqual([call.status, call.outcome, call.endReason, call.sipStatus], expected, number);
        assert.equal(call.durationSeconds, 0);
      }),
    );
  });

  test('a ringing call is ended by CANCEL on request', async () => {
    const { body } = await place('+12025561299');
    const invite = await rest.eventually('INVITE', async () => phone.callTo('+12025561299'));
    const answer = await rest.request('POST', `/calls/${body.data.id}/end`);
    assert.equal(answer.status, 200);
    const call = await ended(body.data.id);
    assert.deepEqual([call.status, call.outcome, call.endReason], ['FAILED', 'cancelled', 'api']);
    await rest.eventually('CANCEL', async () => invite.received.includes('CANCEL'));
  });

  test('a campaign gives its contacts their outcome, skips listed ones and completes', async () => {
    const campaign = await addCampaign(rest, trunkId, '+12025550111', { maxAttempts: 2, maxConcurrentCalls: 2 });
    const numbers = ['01', '02', '03', '04', '05'].map((last) => `+120255613${last}`);
    await upload(campaign, [...numbers, '+12025561306']);
    await rest.request('POST', '/do-not-call', { phoneNumber: '+12025561306', reason: 'asked by letter' });
    const started = await rest.request('POST', `/campaigns/${campaign.id}/start`);
    assert.deepEqual(started.body.data.preflight, { willCall: 5, willSkip: { do_not_call: 1 } });
    await rest.eventually('the campaign completes', async () => (await statusOf(campaign)) === 'COMPLETED');
    const contacts = await contactsOf(campaign);
    for (const [number, status, attempts] of [
      ['+12025561301', 'COMPLETED', 1],
      ['+12025561302', 'COMPLETED', 1],
      ['+12025561303', 'FAILED', 1],
      ['+12025561304', 'FAILED', 1],
      ['+12025561305', 'COMPLETED', 1],
      ['+12025561306', 'DO_NOT_CALL', 0],
    ] as const) {
      const contact = contacts.get(number);
      assert.deepEqual([contact?.status, contact?.attempts, contact?.nextAttemptAt], [status, attempts, null], number);
    }
    const invited = phone.calls.filter(({ number }) => number.startsWith('+120255613'));
    assert.deepEqual(invited.map(({ number }) => number).sort(), numbers);
    assert.ok(invited.every(({ from }) => from === campaign.phoneNumber));
    const stats = await rest.request('GET', `/campaigns/${campaign.id}/stats`);
    assert.deepEqual([stats.body.data.completedCalls, stats.body.data.failedCalls], [3, 2]);
  });

  test('busy and no answer wait for another attempt; a paused campaign dials no more', async () => {
    const campaign = await addCampaign(rest, trunkId, '+12025550112', { retryDelayMinutes: 30 });
    await upload(campaign, ['+12025561486', '+12025561480']);
    await rest.request('POST', `/campaigns/${campaign.id}/start`);
    const contacts = await rest.eventually('both were tried', async () => {
      const now = await contactsOf(campaign);
      return [...now.values()].every(({ attempts, status }) => attempts === 1 && status === 'PENDING') && now;
    });
    for (const { nextAttemptAt } of contacts.values()) {
      const waitMs = Date.parse(nextAttemptAt ?? '') - Date.now();
      assert.ok(waitMs > 25 * 60_000 && waitMs <= 31 * 60_000, `tried again in ${waitMs} ms`);
    }
    assert.equal(await statusOf(campaign), 'RUNNING');
    await rest.request('POST', `/campaigns/${campaign.id}/pause`);
    await upload(campaign, ['+12025561401']);
    // When another call has ended, the dialler has made another pass.
    await dial('+12025561402');
    assert.ok(!phone.callTo('+12025561401'));
  });

  test('outside the calling window nobody is called', async () => {
    const hour = (ahead: number) => `${String((new Date().getUTCHours() + ahead) % 24).padStart(2, '0')}:00`;
    const callingWindow = { timezone: 'UTC', days: WEEKDAYS, start: hour(2), end: hour(3) };
    const campaign = await addCampaign(rest, trunkId, '+12025550113', { callingWindow });
    await upload(campaign, ['+12025561501']);
    await rest.request('POST', `/campaigns/${campaign.id}/start`);
    const contact = await rest.eventually('the contact is put off', async () => {
      const { nextAttemptAt } = (await contactsOf(campaign)).get('+12025561501') ?? {};
      return nextAttemptAt ? { nextAttemptAt } : null;
    });
    assert.equal(contact.nextAttemptAt.slice(11), `${hour(2)}:00.000Z`);
    assert.ok(!phone.callTo('+12025561501'));
    // The window opens: deferrals by the old one are void.
    await rest.request('PATCH', `/campaigns/${campaign.id}`, {
      callingWindow: { timezone: 'UTC', days: WEEKDAYS, start: '00:00', end: '23:59' },
    });
    await rest.eventually('the call', async () => phone.callTo('+12025561501') !== undefined);
  });

  test('a scheduled campaign starts by itself', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const campaign = await addCampaign(rest, trunkId, '+12025550114', { status: 'SCHEDULED', scheduledAt: inAnHour });
    await upload(campaign, ['+12025561601']);
    // When another call has ended, the dialler has made another pass.
    await dial('+12025561602');
    assert.equal(await statusOf(campaign), 'SCHEDULED');
    assert.ok(!phone.callTo('+12025561601'));
    const scheduledAt = new Date(Date.now() + 1_000).toISOString();
    await rest.request('PATCH', `/campaigns/${campaign.id}`, { scheduledAt });
    await rest.eventually('the call', async () => phone.callTo('+12025561601') !== undefined);
    assert.ok(Date.now() >= Date.parse(scheduledAt));
    await rest.eventually('the campaign completes', async () => (await statusOf(campaign)) === 'COMPLETED');
  });

  test('sipp as the far side: an answered and a busy callee', { skip: missingPeer('sipp') }, async () => {
    const run = async (name: string, number: string, to: string): Promise<Call> => {
      const port = await reservePort();
      const peer = spawnPeer('sipp', ['-sf', fixture(name), '-i', '127.0.0.1', '-p', String(port), '-nostdin']);
      const limit = setTimeout(() => peer.kill('SIGKILL'), 90_000);
      peer.once('exit', () => clearTimeout(limit));
      const campaign = await addCampaign(rest, await addTrunk(rest, port), number);
      return dial(to, campaign).finally(() => peer.kill('SIGKILL'));
    };
    const [answered, busy] = await Promise.all([
      run('answer', '+12025550115', '+12025561701'),
      run('busy', '+12025550116', '+12025561702'),
    ]);
    assert.deepEqual([answered.status, answered.endReason], ['COMPLETED', 'caller_hangup']);
    assert.ok(answered.durationSeconds >= 2);
    assert.deepEqual([busy.status, busy.outcome], ['FAILED', 'busy']);
  });

  const callees = { PCMU: '+12025561801', G722: '+12025561802' } as const;
  for (const codec of ['PCMU', 'G722'] as const) {
    test(`a callee on baresip who takes ${codec} only hears the agent`, {
      skip: missingPeer('baresip') || (codec === 'G722' && nightly),
    }, async () => {
      const port = await reservePort();
      const hello = await renderSpeech('Hello?', 'flite-awb');
      const user = callees[codec];
      const peer = answerWithBaresip({ user, port, seconds: 60, microphone: hello, leadMs: 1_200, codec });
      const trunk = await addTrunk(rest, port, { dialFormat: 'e164', codecs: ['PCMU', 'PCMA', 'G722'] });
      const campaign = await addCampaign(rest, trunk, codec === 'PCMU' ? '+12025550117' : '+12025550118');
      const { body } = await place(user, campaign);
      const id = body.data.id;
      await rest.eventually('the agent speaks', async () => {
        const { body: transcript } = await rest.request('GET', `/calls/${id}/transcript`);
        // Its greeting, which the "Hello?" may have cut short, and its question whether anybody is there.
        return transcript.data.filter(({ speaker }) => speaker === 'agent').length >= 2;
      });
      await rest.request('POST', `/calls/${id}/end`);
      const call = await ended(id);
      assert.deepEqual([call.status, call.endReason], ['COMPLETED', 'api']);
      peer.stop();
      const { heard, output } = await peer.done;
      assert.ok(heard, output.slice(-800));
      const { channelsSamples, sampleRateHz } = decodeWav(heard);
      const samples = channelsSamples[0] ?? assert.fail();
      const { body: recording } = await rest.bytes(`/calls/${id}/audio`);
      assert.equal(decodeWav(recording).sampleRateHz, codec === 'PCMU' ? 8_000 : 16_000);
      const frame = sampleRateHz / 50;
      let loud = 0;
      for (let at = 0; at + frame <= samples.length; at += frame) {
        if (rms(samples.subarray(at, at + frame)) > 500) loud++;
      }
      assert.ok(loud > 50, `${loud} frames of 20 ms are loud`);
    });
  }
});
