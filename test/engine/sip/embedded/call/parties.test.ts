// Numbers and names: normalising a trunk's numbers to E.164 and back, and which header takes precedence.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialString, normaliseNumber } from '../../../../../engine/sip/embedded/call/parties.ts';
import type { InboundLeg, TrunkConfig } from '../../../../../engine/sip/telephony.ts';
import { inviteLines, SipLab, sdpOf, trunkConfig } from '../../../../support/sip-lab.ts';

test('numbers as trunks send them become E.164', () => {
  const cases: Array<[string, string | null, string]> = [
    ['+16502530000', null, '+16502530000'],
    ['16502530000', 'US', '+16502530000'],
    ['6502530000', 'US', '+16502530000'],
    ['(650) 253-0000', 'US', '+16502530000'],
    ['0016502530000', 'DE', '+16502530000'],
    ['030123456', 'DE', '+4930123456'],
    ['442079460000', null, '+442079460000'],
    ['1000', 'US', '1000'],
    ['demo', 'US', 'demo'],
  ];
  for (const [sent, country, expected] of cases) assert.equal(normaliseNumber(sent, country), expected, sent);
});

test('numbers as trunks expect them', () => {
  const trunk = (dialFormat: 'e164' | '00' | 'national', dialPrefix = '', country: string | null = 'DE') => ({
    dialFormat,
    dialPrefix,
    country,
  });
  assert.equal(dialString('+4930123456', trunk('e164')), '+4930123456');
  assert.equal(dialString('+4930123456', trunk('00', '#31#')), '#31#004930123456');
  assert.equal(dialString('+4930123456', trunk('national')), '030123456');
  assert.equal(dialString('+16502530000', trunk('national', '0')), '00016502530000');
});

async function caught(target: string, headers: string[], trunks: TrunkConfig[] = []): Promise<InboundLeg> {
  const lab = new SipLab();
  const endpoint = await lab.endpoint('10.0.0.1');
  const legs: InboundLeg[] = [];
  endpoint.setTrunks(trunks);
  await lab.run(30);
  endpoint.onInvite((leg) => legs.push(leg));
  const peer = lab.peer('10.0.0.9');
  peer.send({ address: '10.0.0.1', port: 5060 }, inviteLines(peer, target, { headers }), sdpOf('10.0.0.9'));
  await lab.run(30);
  return legs[0] ?? assert.fail('no call');
}

test('the called number: the Request-URI’s user, else P-Called-Party-ID, else To', async () => {
  assert.equal(
    (await caught('sip:+16502530000@10.0.0.1', ['P-Called-Party-ID: <sip:+14155552671@x>'])).called,
    '+16502530000',
  );
  assert.equal((await caught('sip:10.0.0.1', ['P-Called-Party-ID: <sip:+14155552671@x>'])).called, '+14155552671');
  assert.equal((await caught('tel:+16502530000', [])).called, '+16502530000');
});

test('a provider that addresses our registered user: the dialled number comes from elsewhere', async () => {
  const registered = trunkConfig('trk_0', '10.0.0.9', { register: true, username: '1234567e0', password: 'secret' });
  const dialled = ['P-Called-Party-ID: <sip:+14155552671@x>'];
  assert.equal((await caught('sip:1234567e0@10.0.0.1', dialled, [registered])).called, '+14155552671');
  const unregistered = { ...registered, register: false };
  assert.equal((await caught('sip:1234567e0@10.0.0.1', dialled, [unregistered])).called, '1234567e0');
});

test('the caller: a name in UTF-8, a tel identity among several, History-Info newest first', async () => {
  const leg = await caught('sip:a@10.0.0.1', [
    'P-Asserted-Identity: "Jürgen" <sip:jurgen@carrier.example>, <tel:+4930123456>',
    'History-Info: <sip:+16502530000@x>;index=1, <sip:+14155552671@x>;index=1.1, <sip:a@10.0.0.1>;index=1.1.1',
  ]);
  assert.equal(leg.caller.number, '+4930123456');
  assert.deepEqual(leg.divertedFrom, ['+14155552671', '+16502530000']);
  const anonymous = await caught('sip:a@10.0.0.1', ['P-Asserted-Identity: <sip:anonymous@anonymous.invalid>']);
  assert.equal(anonymous.caller.number, 'anonymous');
});
