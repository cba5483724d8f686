// drachtio cannot send our 200, in its own words: the call ends as what it was, a caller who has gone, and not as a
// fault of ours.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../../../bench/rig/eventually.ts';
import type { LegEnd } from '../../../../../engine/sip/telephony.ts';
import { startScriptedDrachtio } from '../../../../support/sip/scripted-drachtio.ts';
import { sdpOf } from '../../../../support/sip/sip-lab.ts';
import { startNear } from './near-side.ts';

const INVITE = [
  'INVITE sip:demo@10.0.0.1 SIP/2.0',
  'Via: SIP/2.0/UDP 127.0.0.1:5071;branch=z9hG4bKcaller',
  'Max-Forwards: 70',
  'From: <sip:ann@127.0.0.1>;tag=caller',
  'To: <sip:demo@10.0.0.1>',
  'Call-ID: caller',
  'CSeq: 1 INVITE',
  'Contact: <sip:ann@127.0.0.1:5071>',
  'Content-Type: application/sdp',
];

for (const [what, words, by, status] of [
  ['a CANCEL reached drachtio before our 200', 'Response not sent due to unknown transaction', 'remote', 487],
  ['the caller’s connection is gone', 'transport for response has been shutdown or closed', 'network', null],
] as const) {
  test(`${what}: the caller has gone, and nothing of ours has failed`, { timeout: 20_000 }, async () => {
    const drachtio = await startScriptedDrachtio();
    const near = await startNear(drachtio.port, []);
    const ends: LegEnd[] = [];
    near.onInvite((leg) => {
      leg.onEvent((event) => {
        if (event.type === 'ended') ends.push(event.end);
      });
      leg.answer({ address: '127.0.0.1', port: 42_000 });
    });
    drachtio.refuseNextAnswer(words);
    void drachtio.receive(INVITE, { address: '127.0.0.1', port: 5071 }, sdpOf('203.0.113.1'));
    await eventually(() => ends.length > 0);
    assert.deepEqual(
      ends.map((end) => [end.by, end.sipStatus]),
      [[by, status]],
    );
    await near.stop();
    drachtio.close();
  });
}
