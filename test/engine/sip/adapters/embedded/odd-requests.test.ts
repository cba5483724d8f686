// Requests that other stacks send or forget something in: each is answered by the RFC's status and a reason, and what
// Allow lists is taken.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RefusedInvite } from '../../../../../engine/sip/telephony.ts';
import { inviteLines, sdpOf, value } from '../../../../support/sip/sip-lab.ts';
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
