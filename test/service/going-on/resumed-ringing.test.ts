// The engine is killed with -9 while phones ring, and later an upgrade replaces it: they ring on, and whoever picks up
// hears the greeting, as if nothing had been.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Call, Contact } from '../../../api/dashboard/app/api-types.ts';
import { processesOf } from '../../../bench/rig/service/engine-threads.ts';
import { addCampaign, addTrunk, type OutboundCampaign } from '../../../bench/rig/service/outbound-setup.ts';
import { Phone, type Script } from '../../../engine/test-runs/caller/phone/phone.ts';
import type { PhoneCall } from '../../../engine/test-runs/caller/phone/phone-call.ts';
import { rms } from '../../../media/frame.ts';
import { upgrade } from '../../support/upgrade.ts';
import { useService } from '../../support/use-service.ts';

const MUTE = '+12025561299';
/** Says nothing at all to its INVITE; any other number rings. */
const script: Script = (call) => {
  if (call.number !== MUTE) call.ring();
};
const phone = await Phone.start({ script, talks: true });
after(() => phone.stop());
let trunkId: string;
let campaign: OutboundCampaign;
const { service, rest } = useService(
  {},
  {
    prepare: async () => {
      trunkId = await addTrunk(rest, phone.port, { callsPerSecond: 100 });
      campaign = await addCampaign(rest, trunkId, '+12025550110');
    },
  },
);

const rung = (toNumber: string): Promise<PhoneCall> =>
  rest.eventually(`the INVITE to ${toNumber}`, async () => phone.callTo(toNumber));

async function dial(toNumber: string): Promise<PhoneCall> {
  const placed = { campaignId: campaign.id, fromPhoneNumberId: campaign.numberId, toNumber };
  await rest.must('POST', '/calls', placed);
  return rung(toNumber);
}

/** Its only row, once it has ended. */
async function ended({ number }: PhoneCall): Promise<Call> {
  const call = await rest.eventually(`the end of the call to ${number}`, async () => {
    const to = (await rest.must('GET', '/calls?limit=100')).filter(({ toNumber }) => toNumber === number);
    assert.equal(to.length, 1);
    return to[0]?.endedAt ? to[0] : null;
  });
  return rest.must('GET', `/calls/${call.id}`);
}

/** As a telephone says it, until it has its ACK. */
async function picksUp(call: PhoneCall): Promise<void> {
  while (!call.isAcknowledged) {
    call.answer();
    await call.pause(500);
  }
}

/** Hears the greeting, and hangs up. */
async function listens(call: PhoneCall): Promise<void> {
  const from = performance.now();
  await rest.eventually('the greeting', async () =>
    phone.audio.heard.some(({ atMs, samples }) => atMs > from && rms(samples) > 500),
  );
  await call.pause(3_000);
  call.hangUp();
}

function assertGreeted(call: Call, cause: 'crash' | 'upgrade'): void {
  assert.deepEqual([call.status, call.endReason, call.sipStatus], ['COMPLETED', 'caller_hangup', null]);
  assert.deepEqual(
    call.resumptions?.map((resumption) => [resumption.atMs, resumption.cause]),
    [[0, cause]],
  );
  const said = call.transcript.filter(({ speaker }) => speaker === 'agent').map(({ text }) => text);
  assert.notEqual(said.length, 0);
  assert.doesNotMatch(said.join(' '), /lost you/);
}

const invitesTo = (number: string): number => phone.calls.filter((call) => call.number === number).length;

describe('the engine is killed once while four phones ring', () => {
  let calls: Record<'later' | 'meanwhile' | 'mute' | 'busy', PhoneCall>;
  let busyOnes: OutboundCampaign;
  let repeated = 0;

  before(async () => {
    busyOnes = await addCampaign(rest, trunkId, '+12025550111', { retryDelayMinutes: 30, maxAttempts: 2 });
    await rest.must('POST', `/campaigns/${busyOnes.id}/contacts`, { contacts: [{ phoneNumber: '+12025561386' }] });
    await rest.must('POST', `/campaigns/${busyOnes.id}/start`, {});
    calls = {
      later: await dial('+12025561201'),
      meanwhile: await dial('+12025561202'),
      mute: await dial(MUTE),
      busy: await rung('+12025561386'),
    };
    // They have rung for a moment, and the engine has written down that they do.
    await calls.later.pause(1_500);
    const { engine } = processesOf(service.process.pid ?? 0);
    process.kill(engine, 'SIGKILL');
    repeated = calls.mute.received.length;
    const isReady = async (): Promise<boolean> => (await fetch(`${service.apiUrl}/readyz`)).status === 200;
    await rest.eventually('no engine', async () => !(await isReady()));
    // It says so again and again; only the next engine answers.
    void picksUp(calls.meanwhile);
    await rest.eventually('another engine', isReady);
  });

  test('who picked up meanwhile hears the greeting: one INVITE, one row, one end', async () => {
    const { meanwhile } = calls;
    await meanwhile.got('ACK');
    await listens(meanwhile);
    assertGreeted(await ended(meanwhile), 'crash');
    assert.deepEqual([invitesTo(meanwhile.number), meanwhile.received.includes('CANCEL')], [1, false]);
  });

  test('who picks up afterwards hears it, too', async () => {
    const { later } = calls;
    assert.equal(later.state, 'ringing');
    await picksUp(later);
    await listens(later);
    assertGreeted(await ended(later), 'crash');
    assert.deepEqual([invitesTo(later.number), later.received.includes('CANCEL')], [1, false]);
  });

  test('whose phone had said nothing gets the same INVITE again, and is greeted', async () => {
    const { mute } = calls;
    assert.ok(mute.received.length > repeated, 'it was sent again');
    mute.ring();
    await picksUp(mute);
    await listens(mute);
    assertGreeted(await ended(mute), 'crash');
    assert.deepEqual(
      [invitesTo(MUTE), new Set(mute.received.filter((each) => each !== 'INVITE')).has('CANCEL')],
      [1, false],
    );
  });

  test('a contact who is busy after all waits for another attempt, and was dialled once', async () => {
    const { busy } = calls;
    busy.refuse(486);
    await busy.got('ACK');
    const call = await ended(busy);
    assert.deepEqual([call.status, call.endReason, call.sipStatus], ['FAILED', 'busy', 486]);
    const { body } = await rest.request('GET', `/campaigns/${busyOnes.id}/contacts`);
    const [contact] = body.data as Contact[];
    assert.deepEqual([contact?.status, contact?.attempts], ['PENDING', 1]);
    assert.ok(contact?.nextAttemptAt);
    assert.equal(invitesTo(busy.number), 1);
  });
});

test('an upgrade does not wait for a phone that rings, and who picks up then is greeted', async () => {
  const call = await dial('+12025561203');
  await call.pause(500);
  const before = processesOf(service.process.pid ?? 0);
  const { code, output } = await upgrade(service);
  assert.equal(code, 0, output);
  // The one before may not be gone yet.
  await rest.eventually('the next engine', async () => processesOf(service.process.pid ?? 0).engine !== before.engine);
  assert.equal(call.state, 'ringing');
  await picksUp(call);
  await listens(call);
  await rest.login();
  assertGreeted(await ended(call), 'upgrade');
  assert.equal(invitesTo(call.number), 1);
});
