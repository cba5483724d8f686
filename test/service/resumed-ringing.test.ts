// The engine is killed with -9 while a phone rings: the phone rings on, and whoever picks up hears the greeting, as if
// nothing had been.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Call } from '../../api/dashboard/app/api-types.ts';
import { processesOf } from '../../bench/rig/engine-threads.ts';
import { addCampaign, addTrunk, type OutboundCampaign } from '../../bench/rig/outbound-setup.ts';
import { Phone, type Script } from '../../bench/rig/phone/phone.ts';
import type { PhoneCall } from '../../bench/rig/phone/phone-call.ts';
import { rms } from '../../media/frame.ts';
import { useService } from '../support/use-service.ts';

/** What the phone does, by number, beside ringing. */
const scripts = new Map<string, Script>();
const phone = await Phone.start({
  script: (call) => {
    call.ring();
    return scripts.get(call.number)?.(call);
  },
  talks: true,
});
after(() => phone.stop());
let campaign: OutboundCampaign;
const { service, rest } = useService(
  {},
  {
    prepare: async () => {
      campaign = await addCampaign(rest, await addTrunk(rest, phone.port), '+12025550110');
    },
  },
);

/** It has rung for a moment. */
async function ringing(toNumber: string): Promise<{ id: string; call: PhoneCall }> {
  const placed = { campaignId: campaign.id, fromPhoneNumberId: campaign.numberId, toNumber };
  const { id } = await rest.must('POST', '/calls', placed);
  const call = await rest.eventually('the INVITE', async () => phone.callTo(toNumber));
  await call.pause(500);
  return { id, call };
}

/** Returns when there is another engine. */
async function killEngine(): Promise<void> {
  const { engine } = processesOf(service.process.pid ?? 0);
  process.kill(engine, 'SIGKILL');
  const isReady = async (): Promise<boolean> => (await fetch(`${service.apiUrl}/readyz`)).status === 200;
  await rest.eventually('no engine', async () => !(await isReady()));
  await rest.eventually('another engine', isReady);
}

/** As a telephone says it, until it has its ACK. */
const picksUp: Script = async (call) => {
  while (!call.isAcknowledged) {
    call.answer();
    await call.pause(500);
  }
};

const heardVoice = (): boolean => phone.audio.heard.some(({ samples }) => rms(samples) > 500);

const ended = (id: string): Promise<Call> =>
  rest.eventually(`the end of ${id}`, async () => {
    const call = await rest.must('GET', `/calls/${id}`);
    return call.endedAt !== null && call;
  });

/** What stands in every record of such a call that was answered. */
function assertWhole(call: Call): void {
  assert.deepEqual([call.status, call.endReason, call.sipStatus], ['COMPLETED', 'caller_hangup', null]);
  assert.deepEqual(
    call.resumptions?.map(({ atMs, cause }) => [atMs, cause]),
    [[0, 'crash']],
  );
  const [first, ...more] = call.transcript.filter(({ speaker }) => speaker === 'agent');
  assert.ok(first, 'it was greeted');
  for (const { text } of [first, ...more]) assert.doesNotMatch(text, /lost you/);
}

test('who picks up after the engine has died hears the greeting: one INVITE, one row, one end', async () => {
  const { id, call } = await ringing('+12025561201');
  await killEngine();
  assert.equal(call.state, 'ringing');
  phone.audio.heard.length = 0;
  await picksUp(call);
  await rest.eventually('the greeting', async () => heardVoice());
  await call.pause(3_000);
  call.hangUp();
  assertWhole(await ended(id));
  assert.deepEqual([call.received.includes('CANCEL'), phone.calls.length], [false, 1]);
  const { body } = await rest.request('GET', '/calls?limit=100');
  assert.equal(body.data.filter(({ toNumber }) => toNumber === call.number).length, 1);
});
