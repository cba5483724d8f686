// Whose call an INVITE is, and how an ADMIN sees on the trunk's page that its numbers were read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import type { InboundLeg } from '../../../engine/sip/telephony.ts';
import { inboundRouteOf } from '../../../engine/switchboard/inbound-route.ts';
import { ReadInvites } from '../../../engine/sync/read-invites.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';
import { inviteLines, SipLab, sdpOf, trunkConfig } from '../../support/sip/sip-lab.ts';

const api = useApi();

/** The INVITE as the endpoint tells of it, for a called number and its caller. */
async function invited(called: string, caller: string): Promise<InboundLeg> {
  const lab = new SipLab();
  const endpoint = await lab.endpoint('10.0.0.1');
  endpoint.setTrunks([trunkConfig('trk_1', '10.0.0.9', { country: 'US' })]);
  const legs: InboundLeg[] = [];
  endpoint.onInvite((leg) => legs.push(leg));
  await lab.run(30);
  const peer = lab.peer('10.0.0.9');
  const headers = [`P-Asserted-Identity: <sip:${caller}@x>`];
  const lines = inviteLines(peer, `sip:${called}@10.0.0.1`, { headers, callId: called });
  peer.send({ address: '10.0.0.1', port: 5060 }, lines, sdpOf('10.0.0.9'));
  await lab.run(30);
  return legs[0] ?? assert.fail('no call');
}

test('of two readings the one that is ours counts for all numbers, and is told with the rule', async () => {
  const set = await setUpCampaign(api, api.tenant);
  await api.tenant.ask('POST', `/campaigns/${set.campaign.id}/start`);
  // New Jersey without its 1, or Egypt.
  const ours = '+12015199677';
  await api.context.db.updateTable('phoneNumbers').set({ phoneNumber: ours }).where('id', '=', set.number.id).execute();
  const deps = { read: api.context.read, clock: new VirtualClock() };
  const found = await inboundRouteOf(await invited('2015199677', '2015466338'), deps);
  assert.deepEqual([found.route.found, found.parties.caller.number], [true, '+12015466338']);
  assert.deepEqual(found.reading, {
    trunkId: 'trk_1',
    calledReceived: '2015199677',
    callerReceived: '2015466338',
    calledNumber: ours,
    callerNumber: '+12015466338',
    rule: 'own_number',
  });
  const strange = await inboundRouteOf(await invited('2015466339', '2015466338'), deps);
  assert.deepEqual([strange.route.found, strange.reading?.calledNumber], [false, '+2015466339']);
  assert.equal(strange.reading?.rule, 'e164_first');
  const plain = await inboundRouteOf(await invited(ours, '2015466338'), deps);
  assert.deepEqual([plain.route.found, plain.reading?.rule], [true, 'plus']);
});

test('of a busy trunk the newest ten are written, one write a second; a failing write says no number', async () => {
  const clock = new VirtualClock();
  const written: string[][] = [];
  const lines: string[] = [];
  let isBroken = false;
  const run = async (_name: string, { rows }: { rows: Array<{ calledReceived: string }> }) => {
    if (isBroken) throw new Error('away');
    written.push(rows.map(({ calledReceived }) => calledReceived));
  };
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const invites = new ReadInvites({ writer: { run } as never, clock, log });
  const stop = invites.start();
  const add = (trunkId: string, calledReceived: string) =>
    invites.add({
      trunkId,
      calledReceived,
      callerReceived: '2015466338',
      calledNumber: calledReceived,
      callerNumber: '+12015466338',
      rule: 'as_sent',
    });
  for (let i = 0; i < 1_000; i++) add('trk_1', String(i));
  add('trk_2', 'other');
  clock.advance(2_000);
  assert.deepEqual(written, [['990', '991', '992', '993', '994', '995', '996', '997', '998', '999', 'other']]);
  isBroken = true;
  add('trk_1', '2015199677');
  await invites.write();
  stop();
  assert.equal(lines.length, 1);
  assert.doesNotMatch(lines.join(), /2015/);
});
