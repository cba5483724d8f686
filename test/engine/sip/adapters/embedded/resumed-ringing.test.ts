// An unanswered INVITE of another process goes on here: what its peer sees on the wire. The state goes through JSON, as
// on its way over the disk. The first engine is gone without a word, the second one is bound to the same port.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type RecordedLeg, recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { EmbeddedTelephony } from '../../../../../engine/sip/adapters/embedded/endpoint.ts';
import type { SipRequest } from '../../../../../engine/sip/stack/wire/message.ts';
import type { DialRequest, InboundLeg, OutboundLeg, RingingState } from '../../../../../engine/sip/telephony.ts';
import {
  dialRequest,
  given,
  type ScriptedPeer,
  SipLab,
  sdpOf,
  tagIn,
  trunkConfig,
  value,
} from '../../../../support/sip/sip-lab.ts';

const ours = { address: '10.0.0.1', port: 5060 };

type Rule = (request: SipRequest, peer: ScriptedPeer) => void;

const callee = (peer: ScriptedPeer) => ({ tag: 'callee', headers: [peer.contact] });
const rings: Rule = (request, peer) => {
  if (request.method === 'INVITE') peer.respond(request, ours, 180, callee(peer));
};
const answer = (invite: SipRequest, peer: ScriptedPeer, port = 30_000): void =>
  peer.respond(invite, ours, 200, { ...callee(peer), body: sdpOf(peer.at.address, { port }) });

interface Scene {
  lab: SipLab;
  peers: ScriptedPeer[];
  peer: ScriptedPeer;
  /** The first INVITE. */
  invite: SipRequest;
  first: { endpoint: EmbeddedTelephony; leg: RecordedLeg<OutboundLeg> };
  state(): RingingState;
  /** The first engine is gone for so long. */
  dies(forMs?: number): Promise<EmbeddedTelephony>;
  goesOn(beforeInvite?: DialRequest['beforeInvite'], holeMs?: number): Promise<RecordedLeg<OutboundLeg>>;
}

/** A call over trunks that each follow a rule; the first engine has it for `forMs`. */
async function calling(
  rules: Rule[],
  { forMs = 1_000, ...more }: Partial<DialRequest> & { forMs?: number } = {},
  trunk: Parameters<typeof trunkConfig>[2] = {},
): Promise<Scene> {
  const lab = new SipLab();
  const peers = rules.map((rule, index) => {
    const peer = lab.peer(`10.0.1.${index + 1}`);
    peer.onMessage = (message) => {
      if (message.kind !== 'request') return;
      if (message.method === 'OPTIONS' || message.method === 'BYE') peer.respond(message, ours, 200, { tag: 'x' });
      else rule(message, peer);
    };
    return peer;
  });
  const trunks = peers.map((peer, index) => trunkConfig(`trk_${index}`, peer.at.address, trunk));
  const endpoint = await lab.endpoint(ours.address);
  endpoint.setTrunks(trunks);
  await lab.run(50);
  const trunkIds = trunks.map(({ id }) => id);
  const leg = recordLeg(endpoint.dial(dialRequest(trunkIds, { audio: { ...ours, port: 20_000 }, ...more })));
  await lab.run(forMs);
  const peer = given(peers[0]);
  const state = (): RingingState => JSON.parse(JSON.stringify(given(leg.leg.ringing))) as RingingState;
  const it: Scene = {
    lab,
    peers,
    peer,
    invite: given(peer.requests('INVITE')[0]),
    first: { endpoint, leg },
    state,
    async dies(forMs = 100) {
      endpoint.leave();
      await lab.run(forMs);
      return await lab.endpoint(ours.address);
    },
    async goesOn(beforeInvite, holeMs = 100) {
      const left = state();
      const next = await it.dies(holeMs);
      const resumed = recordLeg(next.resumeRinging(left, holeMs, beforeInvite));
      // The trunks are known only then.
      next.setTrunks(trunks);
      return resumed;
    },
  };
  return it;
}

const branchOf = (message: SipRequest | undefined) => /branch=([^;]+)/.exec(value(message, 'via'))?.[1];
const sameInvite = (a: SipRequest | undefined, b: SipRequest): void => {
  assert.deepEqual(
    [a?.uri, branchOf(a), value(a, 'call-id'), value(a, 'cseq'), value(a, 'from'), a?.body.toString()],
    [b.uri, branchOf(b), value(b, 'call-id'), value(b, 'cseq'), value(b, 'from'), b.body.toString()],
  );
};
const seen = (leg: RecordedLeg<OutboundLeg>) =>
  leg.events.map(({ type }) => type).filter((type) => type !== 'dialog-stored');
const endOf = (leg: RecordedLeg<OutboundLeg>) => {
  const last = leg.events.at(-1);
  return last?.type === 'ended' ? last.end : null;
};
const answered = (leg: RecordedLeg<OutboundLeg>) => {
  const event = leg.events.find(({ type }) => type === 'answered');
  return given(event?.type === 'answered' ? event.audio : null, 'the answer');
};

describe('who picks up', () => {
  test('gets one ACK and later our BYE, in the dialog that its 180 began', async () => {
    const it = await calling([rings]);
    const leg = await it.goesOn();
    answer(it.invite, it.peer);
    await it.lab.run(50);
    assert.deepEqual([seen(leg), answered(leg).remotePort], [['answered'], 30_000]);
    const [ack, ...more] = it.peer.requests('ACK');
    assert.deepEqual([ack?.uri, value(ack, 'cseq'), more.length], ['sip:peer@10.0.1.1:5060', '1 ACK', 0]);
    assert.deepEqual([tagIn(ack, 'from'), tagIn(ack, 'to')], [tagIn(it.invite, 'from'), 'callee']);
    assert.notEqual(leg.leg.state, null, 'it can change hands again');
    leg.leg.hangUp();
    await it.lab.run(50);
    assert.equal(value(it.peer.requests('BYE')[0], 'cseq'), '2 BYE');
    assert.equal(it.peer.requests('INVITE').length, 1);
    assert.equal(it.first.leg.events.at(-1)?.type, 'ringing', 'the first engine says no more');
  });

  test('while there is no engine: an answer that is sent again counts', async () => {
    const it = await calling([rings]);
    const state = it.state();
    const coming = it.dies(600);
    answer(it.invite, it.peer);
    const next = await coming;
    const leg = recordLeg(next.resumeRinging(state, 600, undefined));
    for (let n = 0; n < 2; n++) answer(it.invite, it.peer);
    await it.lab.run(50);
    assert.deepEqual(seen(leg), ['answered']);
    const acks = it.peer.requests('ACK');
    assert.deepEqual([acks.length, new Set(acks.map((ack) => value(ack, 'via'))).size], [2, 1]);
  });

  test('after early media, and says nothing more of audio: what was agreed then holds', async () => {
    const early: Rule = (request, peer) => {
      if (request.method !== 'INVITE') return;
      const body = sdpOf(peer.at.address, { port: 31_000 });
      peer.respond(request, ours, 183, { ...callee(peer), body });
    };
    const it = await calling([early]);
    assert.equal(it.state().earlyAudio?.remotePort, 31_000);
    const leg = await it.goesOn();
    it.peer.respond(it.invite, ours, 200, callee(it.peer));
    await it.lab.run(50);
    assert.equal(answered(leg).remotePort, 31_000);
  });

  test('on a second fork: its audio counts, and a third one gets ACK and BYE', async () => {
    const it = await calling([rings]);
    const leg = await it.goesOn();
    for (const [tag, port] of [
      ['two', 32_000],
      ['three', 33_000],
    ] as const) {
      const body = sdpOf('10.0.1.1', { port });
      it.peer.respond(it.invite, ours, 200, { tag, headers: [it.peer.contact], body });
    }
    await it.lab.run(50);
    assert.equal(answered(leg).remotePort, 32_000);
    assert.deepEqual(
      it.peer.requests('BYE').map((bye) => tagIn(bye, 'to')),
      ['three'],
    );
  });

  test('after one more hole: the call changes hands twice while it rings', async () => {
    const it = await calling([rings]);
    const second = await it.dies();
    const leg = second.resumeRinging(it.state(), 100, undefined);
    const again = JSON.parse(JSON.stringify(given(leg.ringing))) as RingingState;
    second.leave();
    const third = await it.lab.endpoint(ours.address);
    const last = recordLeg(third.resumeRinging(again, 0, undefined));
    answer(it.invite, it.peer);
    await it.lab.run(50);
    assert.deepEqual([seen(last), it.peer.requests('ACK').length], [['answered'], 1]);
  });
});

describe('an INVITE without any response', () => {
  test('is sent again at once and then at the times that it had, in the same transaction', async () => {
    const it = await calling([() => {}], { forMs: 2_000 });
    const before = it.peer.requests('INVITE').length;
    assert.equal(before, 3, 'after 0, 0.5 and 1.5 s');
    const leg = await it.goesOn();
    await it.lab.run(10_000);
    const again = it.peer.requests('INVITE').slice(before);
    for (const invite of again) sameInvite(invite, it.invite);
    const startMs = it.peer.received.find(({ message }) => message === it.invite)?.atMs ?? 0;
    const times = it.peer.received
      .filter(({ message }) => again.includes(message as SipRequest))
      .map(({ atMs }) => Math.round((atMs - startMs) / 100) / 10);
    assert.deepEqual(times.slice(1), [3.5, 7.5]);
    rings(it.invite, it.peer);
    await it.lab.run(10_000);
    assert.equal(it.peer.requests('INVITE').length, before + again.length, 'it stops with the 180');
    assert.deepEqual(seen(leg), ['ringing']);
  });

  test('fails when it would have failed, and the backup trunk is called', async () => {
    const it = await calling([() => {}, rings], { forMs: 10_000 });
    const stored: string[] = [];
    const leg = await it.goesOn(async ({ trunkId, state }) => {
      stored.push(`${trunkId} ${state} ${it.peers[1]?.requests('INVITE').length}`);
    });
    await it.lab.run(21_000, 50);
    assert.deepEqual(stored, []);
    await it.lab.run(2_000, 50);
    assert.deepEqual(stored, ['trk_1 inviting 0'], 'it is stored before it leaves');
    const second = given(it.peers[1]?.requests('INVITE')[0]);
    assert.deepEqual([value(second, 'call-id'), value(second, 'cseq')], [value(it.invite, 'call-id'), '2 INVITE']);
    answer(second, given(it.peers[1]));
    await it.lab.run(50);
    assert.deepEqual(seen(leg), ['ringing', 'answered']);
  });
});

describe('a refusal', () => {
  test('is acknowledged in the transaction of the INVITE, each time, and ends a call that rang', async () => {
    const it = await calling([rings, rings]);
    const leg = await it.goesOn();
    for (let n = 0; n < 2; n++) it.peer.respond(it.invite, ours, 486, callee(it.peer));
    await it.lab.run(50);
    const acks = it.peer.requests('ACK');
    assert.deepEqual(
      acks.map((ack) => [branchOf(ack), value(ack, 'cseq')]),
      Array(2).fill([branchOf(it.invite), '1 ACK']),
    );
    const end = { by: 'remote', sipStatus: 486, q850Cause: null, reason: 'Scripted', rang: true };
    assert.deepEqual(endOf(leg), end);
    await it.lab.run(40_000, 100);
    assert.equal(it.peers[1]?.requests('INVITE').length, 0);
  });

  test('of a trunk that did not ring leads to the next one of the list', async () => {
    const trying: Rule = (request, peer) => request.method === 'INVITE' && peer.respond(request, ours, 100);
    const it = await calling([trying, rings]);
    const leg = await it.goesOn();
    it.peer.respond(it.invite, ours, 503, { tag: 'x' });
    await it.lab.run(50);
    const second = given(it.peers[1]?.requests('INVITE')[0]);
    answer(second, given(it.peers[1]));
    await it.lab.run(50);
    assert.deepEqual(seen(leg), ['ringing', 'answered']);
    assert.equal(it.peer.requests('INVITE').length, 1, 'nothing is dialled twice');
  });

  test('of the last trunk ends the call with the failure of the first', async () => {
    const busy: Rule = (request, peer) => request.method === 'INVITE' && peer.respond(request, ours, 503, { tag: 'x' });
    const trying: Rule = (request, peer) => request.method === 'INVITE' && peer.respond(request, ours, 100);
    const it = await calling([busy, trying]);
    const leg = await it.goesOn();
    const second = given(it.peers[1]);
    second.respond(given(second.requests('INVITE')[0]), ours, 500, { tag: 'x' });
    await it.lab.run(50);
    assert.deepEqual(endOf(leg)?.sipStatus, 503);
  });

  test('that asks for a password is answered with the number that follows', async () => {
    const it = await calling([rings], {}, { username: 'alice', password: 'secret' });
    const leg = await it.goesOn(async () => {});
    const challenge = 'Proxy-Authenticate: Digest realm="carrier", nonce="n1", qop="auth"';
    it.peer.respond(it.invite, ours, 407, { tag: 'x', headers: [challenge] });
    await it.lab.run(50);
    const [, second] = it.peer.requests('INVITE');
    assert.equal(value(second, 'cseq'), '2 INVITE');
    assert.match(value(second, 'proxy-authorization'), /username="alice".* nc=00000001/);
    answer(given(second), it.peer);
    await it.lab.run(50);
    assert.deepEqual(seen(leg), ['ringing', 'answered']);
  });
});

test('a password that was asked for before the hole is known after it: the BYE carries it at once', async () => {
  const challenged: Rule = (request, peer) => {
    if (request.method !== 'INVITE') return;
    const headers = ['Proxy-Authenticate: Digest realm="carrier", nonce="n1", qop="auth"'];
    if (value(request, 'proxy-authorization') === '') peer.respond(request, ours, 407, { tag: 'x', headers });
    else rings(request, peer);
  };
  const it = await calling([challenged], {}, { username: 'alice', password: 'secret' });
  const leg = await it.goesOn();
  answer(given(it.peer.requests('INVITE')[1]), it.peer);
  await it.lab.run(50);
  leg.leg.hangUp();
  await it.lab.run(50);
  assert.match(value(it.peer.requests('BYE')[0], 'proxy-authorization'), /nonce="n1".* nc=00000002/);
});

test('it rings no longer than it would have: then CANCEL, whose 487 is acknowledged', async () => {
  const it = await calling(
    [
      (request, peer) => {
        rings(request, peer);
        if (request.method !== 'CANCEL') return;
        peer.respond(request, ours, 200);
        peer.respond(given(peer.requests('INVITE')[0]), ours, 487, { tag: 'callee' });
      },
    ],
    { ringTimeoutMs: 5_000, forMs: 2_000 },
  );
  const leg = await it.goesOn(undefined, 1_000);
  await it.lab.run(1_900);
  assert.equal(it.peer.requests('CANCEL').length, 0);
  await it.lab.run(200);
  assert.equal(branchOf(it.peer.requests('CANCEL')[0]), branchOf(it.invite));
  assert.deepEqual([endOf(leg)?.by, endOf(leg)?.sipStatus, endOf(leg)?.rang], ['local', 408, true]);
  assert.equal(it.peer.requests('ACK').length, 1);
});

test('who hangs up before the answer cancels it; an answer that crossed the CANCEL gets ACK and BYE', async () => {
  const it = await calling([rings]);
  const leg = await it.goesOn();
  leg.leg.hangUp();
  answer(it.invite, it.peer);
  await it.lab.run(50);
  assert.equal(branchOf(it.peer.requests('CANCEL')[0]), branchOf(it.invite));
  assert.deepEqual([it.peer.requests('ACK').length, it.peer.requests('BYE').length], [1, 1]);
  assert.deepEqual(seen(leg), ['ended']);
});

test('nobody could go on before the INVITE is stored and sent, after it was cancelled, or after the answer', async () => {
  const lab = new SipLab();
  const peer = lab.peer('10.0.1.1');
  const endpoint = await lab.endpoint(ours.address);
  endpoint.setTrunks([trunkConfig('trk_0', '10.0.1.1')]);
  const dial = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { leg: endpoint.dial(dialRequest(['trk_0'], { beforeInvite: () => promise })), resolve };
  };
  const [one, two] = [dial(), dial()];
  await lab.run(50);
  assert.deepEqual([one.leg.ringing, peer.requests('INVITE').length], [null, 0]);
  one.resolve();
  two.resolve();
  await lab.run(50);
  assert.notEqual(one.leg.ringing, null);
  one.leg.hangUp();
  answer(given(peer.requests('INVITE')[1]), peer);
  await lab.run(50);
  assert.deepEqual([one.leg.ringing, two.leg.ringing], [null, null]);
  assert.notEqual(two.leg.state, null);
});

test('over TLS a peer opens a connection for its answer, and the keys of the offer hold', async () => {
  const lab = new SipLab();
  const tls = { tls: { port: 5061, files: { certPem: '', keyPem: '' } } };
  const first = await lab.endpoint(ours.address, tls);
  const far = await lab.endpoint('10.0.1.1', tls);
  far.setTrunks([trunkConfig('back', ours.address, { transport: 'tls', srtp: true })]);
  const legs: RecordedLeg<InboundLeg>[] = [];
  far.onInvite((leg) => {
    legs.push(recordLeg(leg));
    leg.ring();
  });
  first.setTrunks([trunkConfig('there', '10.0.1.1', { transport: 'tls', srtp: true, port: 5061 })]);
  await lab.run(50);
  const dialled = first.dial(dialRequest(['there'], { audio: { ...ours, port: 20_000 } }));
  await lab.run(100);
  const state = JSON.parse(JSON.stringify(given(dialled.ringing))) as RingingState;
  assert.equal(state.dialog.transport, 'tls');
  first.leave();
  await lab.run(100);
  const next = await lab.endpoint(ours.address, tls);
  const leg = recordLeg(next.resumeRinging(state, 100, undefined));
  const [incoming] = legs;
  incoming?.leg.answer({ address: '10.0.1.1', port: 30_000 });
  await lab.run(100);
  const { srtp } = answered(leg);
  const theirs = incoming?.events.find((event) => event.type === 'answered');
  assert.ok(srtp && theirs?.type === 'answered');
  assert.deepEqual(
    [srtp.localKeySalt, srtp.remoteKeySalt],
    [theirs.audio.srtp?.remoteKeySalt, theirs.audio.srtp?.localKeySalt],
  );
  leg.leg.hangUp();
  await lab.run(100);
  assert.equal(incoming?.events.at(-1)?.type, 'ended');
});
