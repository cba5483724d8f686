// Requests that other stacks send or forget something in: each is answered by the RFC's status and a reason, and what
// Allow lists is taken.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RefusedInvite } from '../../../../../engine/sip/telephony.ts';
import { inviteLines, sdpOf, tagIn, value } from '../../../../support/sip/sip-lab.ts';
import { endOf, establish, scene, service, target } from './inbound-scene.ts';

test('an offer whose audio cannot be reached from here is refused with a Warning that says why, before it rings', async () => {
  const refused: RefusedInvite[] = [];
  const it = await scene(undefined, { onRefused: (each) => refused.push(each) });
  const six = sdpOf('2001:db8::9').replaceAll('IN IP4', 'IN IP6');
  it.peer.send(service, inviteLines(it.peer, target), six);
  await it.lab.run(30);
  const final = it.peer.responses('INVITE').at(-1);
  assert.equal(final?.status, 488);
  assert.match(value(final, 'warning'), /^301 - "Incompatible network address formats/);
  assert.deepEqual(
    refused.map(({ reason }) => reason),
    ['media_address'],
  );
  assert.equal(it.legs.length, 0);
});

test('a running call refuses to move its audio to another family of addresses, and goes on', async () => {
  const it = await scene();
  const toTag = await establish(it);
  const again = inviteLines(it.peer, target, { branch: 'z9hG4bKsix', cseq: 2, toTag });
  it.peer.send(service, again, sdpOf('2001:db8::9').replaceAll('IN IP4', 'IN IP6'));
  await it.lab.run(50);
  const final = it.peer.responses('INVITE').at(-1);
  assert.equal(final?.status, 488);
  assert.match(value(final, 'warning'), /^301 /);
  assert.equal(endOf(it), null);
});

const methodsIn = (message: Parameters<typeof value>[0]): string[] => value(message, 'allow').split(', ');
const NEEDLESS = ['INVITE', 'ACK', 'CANCEL', 'BYE'];

test('each method of Allow is answered by something else than 405: outside of a call and while it rings', async () => {
  const it = await scene((leg) => leg.ring());
  let count = 0;
  const ask = async (method: string, more: { callId?: string; toTag?: string } = {}) => {
    const branch = `z9hG4bKallow${++count}`;
    const headers = method === 'REFER' ? ['Refer-To: <sip:+15551230002@10.0.0.9>'] : ['RAck: 1 1 INVITE'];
    const lines = inviteLines(it.peer, target, { ...more, method, branch, cseq: 10 + count, headers, sdp: false });
    it.peer.send(service, lines);
    await it.lab.run(30);
    return it.peer.responses(method).at(-1);
  };
  it.peer.send(service, inviteLines(it.peer, target), sdpOf('10.0.0.9'));
  await it.lab.run(50);
  const [outside, ringing] = [{ callId: 'outside' }, { toTag: tagIn(it.peer.responses('INVITE').at(-1), 'to') }];
  for (const place of [outside, ringing]) {
    const options = await ask('OPTIONS', place);
    assert.equal(options?.status, 200);
    assert.equal(value(options, 'accept'), 'application/sdp');
    assert.equal(value(options, 'supported'), 'timer, 100rel, replaces');
    for (const method of methodsIn(options).filter((each) => !NEEDLESS.includes(each)))
      assert.notEqual((await ask(method, place))?.status, 405, `${method} ${JSON.stringify(place)}`);
  }
  const early = await ask('REFER', ringing);
  assert.equal(early?.status, 405);
  assert.deepEqual(methodsIn(early), ['INVITE', 'ACK', 'CANCEL', 'BYE', 'OPTIONS', 'UPDATE', 'PRACK']);
  assert.equal((await ask('REFER', outside))?.status, 603);
});

test('an INVITE without Contact is 400 with the reason, unless its sender is of RFC 2543', async () => {
  const it = await scene((leg) => leg.ring());
  const without = (branch: string, callId: string) =>
    inviteLines(it.peer, target, { branch, callId }).filter((line) => !line.startsWith('Contact:'));
  it.peer.send(service, without('z9hG4bKbare', 'bare'), sdpOf('10.0.0.9'));
  await it.lab.run(30);
  const final = it.peer.responses('INVITE').at(-1);
  assert.deepEqual([final?.status, value(final, 'warning')], [400, '399 - "Contact is missing"']);
  assert.equal(it.legs.length, 0);
  it.peer.send(service, without('old', 'old'), sdpOf('10.0.0.9'));
  await it.lab.run(30);
  assert.equal(it.legs.length, 1);
});

test('a sips address over UDP is refused: 416 where there is no TLS, 403 where there is', async () => {
  const secured = target.replace('sip:', 'sips:');
  for (const [tls, expected] of [
    [null, 416],
    [{ port: 5061, files: { certPem: '', keyPem: '' } }, 403],
  ] as const) {
    const it = await scene(undefined, { tls });
    it.peer.send(service, inviteLines(it.peer, secured), sdpOf('10.0.0.9'));
    const asked = { method: 'OPTIONS', branch: 'z9hG4bKo', callId: 'o', sdp: false };
    it.peer.send(service, inviteLines(it.peer, secured, asked));
    await it.lab.run(50);
    for (const method of ['INVITE', 'OPTIONS']) {
      const final = it.peer.responses(method).at(-1);
      assert.equal(final?.status, expected, method);
      assert.match(value(final, 'warning'), /over TLS only/);
    }
    assert.equal(it.legs.length, 0);
  }
});

test('hops are no matter to who is called: without Max-Forwards and with 0 a call rings', async () => {
  for (const [index, line] of ['', 'Max-Forwards: 0'].entries()) {
    const it = await scene((leg) => leg.ring());
    const lines = inviteLines(it.peer, target, { branch: `z9hG4bKhops${index}` }).flatMap((each) =>
      each.startsWith('Max-Forwards:') ? [line].filter(Boolean) : [each],
    );
    it.peer.send(service, lines, sdpOf('10.0.0.9'));
    await it.lab.run(30);
    assert.equal(it.legs.length, 1, line);
  }
});
