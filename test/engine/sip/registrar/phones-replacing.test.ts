// Softphones that take over a call by an INVITE with Replaces (RFC 3891): only their own tenant's. An address says
// nothing, because all telephones of an office, or behind a proxy, share it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecordedLeg, recordLeg } from '../../../../bench/rig/phone/sip-harness.ts';
import type { InboundLeg } from '../../../../engine/sip/telephony.ts';
import { ScriptedPhone, SERVICE } from '../../../support/sip/scripted-phone.ts';
import { given, inviteLines, SipLab, sdpOf, tagIn, value } from '../../../support/sip/sip-lab.ts';

const OFFICE = '192.0.2.7';
const account = (username: string, accountId = 'acc_1') => ({
  ...{
    id: `sip_${username}`,
    accountId,
    username,
    displayName: null,
    password: `the password of ${username}`,
  },
});

async function scene() {
  const lab = new SipLab();
  const endpoint = await lab.endpoint('10.0.0.1', { inboundAllow: ['192.0.2.0/24'] });
  const legs: RecordedLeg<InboundLeg>[] = [];
  endpoint.onInvite((leg) => {
    legs.push(recordLeg(leg));
    leg.answer({ address: '10.0.0.1', port: 20_000 });
  });
  const accounts = [account('ann'), account('ben'), account('bob', 'acc_2')];
  endpoint.registrar.setSipAccounts(accounts);
  const phone = (username: string, port: number, address = OFFICE) =>
    new ScriptedPhone(lab, address, { username, password: `the password of ${username}` }, port);
  const ann = phone('ann', 40_000);
  await ann.register();
  const ok = given(await ann.ask({ method: 'INVITE', callId: 'ann-calls' }));
  assert.equal(ok.status, 200);
  const toTag = tagIn(ok, 'to');
  const cseq = Number.parseInt(value(ok, 'cseq'), 10);
  const ack = { method: 'ACK', branch: 'z9hG4bKack', callId: 'ann-calls', cseq, toTag, sdp: false };
  const lines = inviteLines(ann.peer, 'sip:demo@10.0.0.1', ack).map((line) => line.replace('tag=peertag', 'tag=phone'));
  ann.peer.send(SERVICE, lines);
  await lab.run(50);
  const headers = [`Replaces: ann-calls;to-tag=${toTag};from-tag=phone`, 'Require: replaces'];
  const takesOver = async (by: ScriptedPhone, callId: string) => {
    await by.register();
    return given(await by.ask({ method: 'INVITE', callId, headers })).status;
  };
  return { lab, legs, phone, headers, takesOver };
}

test('another tenant’s telephone at one address takes over nobody’s call, whatever it knows of it', async () => {
  const { lab, legs, phone, headers, takesOver } = await scene();
  assert.equal(await takesOver(phone('bob', 40_002), 'bob-takes'), 481);
  // Nor does a caller there who is no telephone of ours.
  const nobody = lab.peer(OFFICE, 40_004);
  nobody.send(SERVICE, inviteLines(nobody, 'sip:demo@10.0.0.1', { callId: 'nobody', headers }), sdpOf(OFFICE));
  await lab.run(50);
  assert.equal(nobody.statuses('INVITE').at(-1), 481);
  assert.equal(
    legs[0]?.events.some(({ type }) => type === 'ended'),
    false,
  );
  assert.equal(legs.length, 1, 'no second call either');
});

test('a colleague whom the call is transferred to goes on with it', async () => {
  const { legs, phone, takesOver } = await scene();
  assert.equal(await takesOver(phone('ben', 40_000, '192.0.2.98'), 'ben-takes'), 200);
  assert.equal(legs.length, 1);
});

test('a second device of the account goes on with the call, at another address too', async () => {
  const { legs, phone, takesOver } = await scene();
  assert.equal(await takesOver(phone('ann', 40_000, '192.0.2.99'), 'ann-elsewhere'), 200);
  assert.equal(legs.length, 1);
  assert.equal(
    legs[0]?.events.some(({ type }) => type === 'ended'),
    false,
  );
});
