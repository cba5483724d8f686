// A 3xx of a trunk, on a virtual clock: where it may lead, and what never follows it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { LegEnd, TrunkConfig } from '../../../../../engine/sip/telephony.ts';
import { dialRequest, type ScriptedPeer, SipLab, sdpOf, trunkConfig, value } from '../../../../support/sip/sip-lab.ts';

const service = { address: '10.0.0.1', port: 5060 };

interface Outcome {
  end: LegEnd | null;
  answered: boolean;
  /** Two servers of the trunk, and a host of somebody else; also another port of the first. */
  first: ScriptedPeer;
  second: ScriptedPeer;
  elsewhere: ScriptedPeer;
  otherPort: ScriptedPeer;
}

/** The first server answers 302 to that Contact; all others answer the call, the foreign ones after a challenge. */
async function redirectedTo(contacts: string[], more: Partial<TrunkConfig> = {}): Promise<Outcome> {
  const lab = new SipLab();
  lab.network.hosts.set('trunk.example', ['10.0.1.1', '10.0.1.2']);
  lab.network.hosts.set('second.trunk.example', ['10.0.1.2']);
  const first = lab.peer('10.0.1.1');
  const otherPort = lab.peer('10.0.1.1', 5080);
  const second = lab.peer('10.0.1.2');
  const elsewhere = lab.peer('203.0.113.66');
  let redirected = false;
  for (const peer of [first, second, elsewhere, otherPort]) {
    peer.onMessage = (message) => {
      if (message.kind !== 'request' || message.method === 'ACK') return;
      if (message.method !== 'INVITE') peer.respond(message, service, 200, { tag: 'x' });
      else if (peer === first && !redirected) {
        redirected = true;
        peer.respond(message, service, 302, { tag: 'p', headers: contacts.map((contact) => `Contact: ${contact}`) });
      } else if ((peer === elsewhere || peer === otherPort) && value(message, 'authorization') === '') {
        peer.respond(message, service, 401, { tag: 'p', headers: ['WWW-Authenticate: Digest realm="r", nonce="n"'] });
      } else peer.respond(message, service, 200, { tag: 'q', headers: [peer.contact], body: sdpOf(peer.at.address) });
    };
  }
  const endpoint = await lab.endpoint('10.0.0.1');
  endpoint.setTrunks([trunkConfig('t', 'trunk.example', { username: 'ann', password: 'secret', ...more })]);
  await lab.run(50);
  const leg = recordLeg(endpoint.dial(dialRequest(['t'])));
  await lab.run(500);
  const last = leg.events.at(-1);
  const end = last?.type === 'ended' ? last.end : null;
  const answered = leg.events.some(({ type }) => type === 'answered');
  return { end, answered, first, second, elsewhere, otherPort };
}

test('a redirection to another server of the trunk, or to its own name, is followed', async () => {
  for (const contact of ['<sip:+15551112222@10.0.1.2>', '<sip:15551112222@second.trunk.example:5060>']) {
    const { answered, second } = await redirectedTo([contact]);
    assert.ok(answered, contact);
    assert.equal(second.requests('INVITE').length, 1);
  }
  const { answered, first } = await redirectedTo(['<sip:+15551112222;rn=+15550009999@trunk.example>']);
  assert.ok(answered);
  assert.equal(first.requests('INVITE')[1]?.uri, 'sip:+15551112222;rn=+15550009999@trunk.example');
});

test('the first Contact that may be followed counts', async () => {
  const { answered, second, elsewhere } = await redirectedTo([
    '<sip:+15551112222@203.0.113.66>',
    '<sip:+15551112222@10.0.1.2>',
  ]);
  assert.ok(answered);
  assert.equal(second.requests('INVITE').length, 1);
  assert.equal(elsewhere.received.length, 0);
});

test('a redirection to another host or port gets no INVITE and no credentials: the call ends with the 302', async () => {
  for (const contact of ['<sip:+15551112222@203.0.113.66>', '<sip:+15551112222@10.0.1.1:5080>']) {
    const { end, elsewhere, otherPort } = await redirectedTo([contact]);
    assert.equal(end?.sipStatus, 302);
    assert.equal(end?.by, 'remote');
    assert.deepEqual([elsewhere.received.length, otherPort.received.length], [0, 0]);
  }
});

test('a redirection to another number ends the call: nobody has asked whether that one may be called', async () => {
  const { end, second, first } = await redirectedTo([
    '<sip:+15557778888@10.0.1.2>',
    '<sip:+15557778888@trunk.example>',
  ]);
  assert.equal(end?.sipStatus, 302);
  assert.equal(first.requests('INVITE').length, 1);
  assert.equal(second.requests('INVITE').length, 0);
});

test('the transport of the trunk is kept, whatever the Contact says', async () => {
  const elsewhere = await redirectedTo(['<sip:+15551112222@10.0.1.2;maddr=203.0.113.66>']);
  assert.equal(elsewhere.end?.sipStatus, 302);
  const kept = await redirectedTo(['<sip:+15551112222@10.0.1.2;transport=tcp>']);
  assert.equal(kept.second.requests('INVITE')[0]?.uri, 'sip:+15551112222@10.0.1.2');
  const secure = await redirectedTo(['<sips:+15551112222@10.0.1.2>']);
  assert.equal(secure.end?.sipStatus, 302);
});

test('the number may be written as the trunk dials it or as E.164', async () => {
  for (const contact of ['<sip:+15551112222@10.0.1.2>', '<sip:0015551112222@10.0.1.2>']) {
    const { answered } = await redirectedTo([contact], { dialFormat: '00' });
    assert.ok(answered, contact);
  }
});

test('a second redirection ends the call', async () => {
  const lab = new SipLab();
  const trunk = lab.peer('10.0.1.1');
  trunk.onMessage = (message) => {
    if (message.kind !== 'request' || message.method === 'ACK') return;
    const redirects = message.method === 'INVITE';
    const headers = redirects ? ['Contact: <sip:+15551112222@10.0.1.1>'] : [];
    trunk.respond(message, service, redirects ? 302 : 200, { tag: 'p', headers });
  };
  const endpoint = await lab.endpoint('10.0.0.1');
  endpoint.setTrunks([trunkConfig('t', '10.0.1.1')]);
  await lab.run(50);
  const leg = recordLeg(endpoint.dial(dialRequest(['t'])));
  await lab.run(500);
  assert.equal(trunk.requests('INVITE').length, 2);
  const last = leg.events.at(-1);
  assert.equal(last?.type === 'ended' && last.end.sipStatus, 302);
});
