// Softphones behind drachtio: the registrar's rules are the embedded endpoint's (../softphones.test.ts); here is what
// stands between them and drachtio.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../../../bench/rig/eventually.ts';
import { DigestClient } from '../../../../../engine/sip/stack/wire/digest.ts';
import type { SipResponse } from '../../../../../engine/sip/stack/wire/message.ts';
import type { InboundLeg, SipBinding } from '../../../../../engine/sip/telephony.ts';
import { type ScriptedDrachtio, startScriptedDrachtio } from '../../../../support/sip/scripted-drachtio.ts';
import { sdpOf, value } from '../../../../support/sip/sip-lab.ts';
import { startNear } from './near-side.ts';

const ANN = { id: 'sip_ann', accountId: 'acc_1', username: 'ann', displayName: 'Ann Lee', password: 'a-good-password' };
const AT = { address: '192.0.2.7', port: 40_000 };
const LIMIT = { timeout: 20_000 };

async function scene(accounts = [ANN], edgeProxies: string[] = []) {
  const drachtio = await startScriptedDrachtio();
  const near = await startNear(drachtio.port, [], { edgeProxies });
  const bindings: Array<SipBinding | null> = [];
  const legs: InboundLeg[] = [];
  near.registrar.onBinding((_, binding) => bindings.push(binding));
  near.onInvite((leg) => {
    legs.push(leg);
    leg.reject(486);
  });
  near.registrar.setSipAccounts(accounts);
  const stop = async (): Promise<void> => {
    await near.stop();
    drachtio.close();
  };
  return { drachtio, near, bindings, legs, phone: new Phone(drachtio), stop };
}

class Phone {
  readonly digest = new DigestClient({ username: 'ann', password: ANN.password });
  readonly #drachtio: ScriptedDrachtio;
  #cseq = 0;

  constructor(drachtio: ScriptedDrachtio) {
    this.#drachtio = drachtio;
  }

  send(method: 'REGISTER' | 'INVITE', at = AT, headers: readonly string[] = []): Promise<SipResponse> {
    const uri = method === 'REGISTER' ? 'sip:10.0.0.1' : 'sip:demo@10.0.0.1';
    const body = method === 'INVITE' ? sdpOf('192.168.1.20') : '';
    const bare = { kind: 'request' as const, method, uri, headers: [], body: Buffer.from(body) };
    const lines = [
      `${method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/UDP 192.168.1.20:5060;branch=z9hG4bK${method}${++this.#cseq};rport`,
      'Max-Forwards: 70',
      'From: <sip:ann@10.0.0.1>;tag=phone',
      `To: <${method === 'REGISTER' ? 'sip:ann@10.0.0.1' : uri}>`,
      `Call-ID: ${method}-of-phone`,
      `CSeq: ${this.#cseq} ${method}`,
      'Contact: <sip:ann@192.168.1.20:5060>',
      ...(method === 'INVITE' ? ['Content-Type: application/sdp'] : ['Expires: 600']),
      ...headers,
      ...this.digest.authorize(bare).map((header) => `Authorization: ${header.value}`),
    ];
    return this.#drachtio.receive(lines, at, body);
  }

  async ask(method: 'REGISTER' | 'INVITE', at = AT, headers: readonly string[] = []): Promise<SipResponse> {
    const first = await this.send(method, at, headers);
    return first.status === 401 && this.digest.challenged(first, true) ? this.send(method, at, headers) : first;
  }
}

test(
  'a phone proves its password, is registered where its packets come from, and calls as its account',
  LIMIT,
  async () => {
    const it = await scene();
    const challenge = await it.phone.send('REGISTER');
    assert.equal(challenge.status, 401);
    assert.equal(challenge.headers.filter(({ name }) => name === 'www-authenticate').length, 2);
    const answer = await it.phone.ask('REGISTER');
    assert.deepEqual([answer.status, value(answer, 'contact')], [200, '<sip:ann@192.168.1.20:5060>;expires=600']);
    const { address, port, contact } = it.bindings[0] ?? assert.fail();
    assert.deepEqual({ address, port, contact }, { ...AT, contact: 'sip:ann@192.168.1.20:5060' });
    it.phone.digest.challenged({ ...challenge, headers: [] }, true);
    assert.equal((await new Phone(it.drachtio).send('INVITE', { ...AT, address: '192.0.2.8' })).status, 403);
    assert.equal((await new Phone(it.drachtio).send('INVITE')).status, 401);
    assert.equal((await it.phone.ask('INVITE')).status, 486);
    const [leg] = it.legs;
    assert.deepEqual([leg?.sipAccountId, leg?.caller], ['sip_ann', { number: 'ann', name: 'Ann Lee' }]);
    await it.stop();
  },
);

test('a registered phone is dialled at its Contact, for its own tenant only', LIMIT, async () => {
  const it = await scene();
  const request = { trunkIds: [], to: 'sip:ann', accountId: 'acc_1', from: '+15550001111', fromName: null };
  const audio = { address: '127.0.0.1', port: 42_000 };
  const dial = (more = {}) => it.near.dial({ ...request, audio, ringTimeoutMs: 5_000, ...more });
  assert.throws(() => dial(), { code: 'NOT_REGISTERED' });
  await it.phone.ask('REGISTER');
  assert.throws(() => dial({ accountId: 'acc_2' }), { code: 'BAD_TARGET' });
  const leg = dial();
  await eventually(() => it.drachtio.requests.length > 0);
  assert.equal(it.drachtio.requests[0]?.uri, 'sip:ann@192.168.1.20:5060');
  leg.hangUp();
  await it.stop();
});

test('a phone that registers through a proxy in front of drachtio is dialled by its Path', LIMIT, async () => {
  const path = '<sip:10.0.0.5;lr;received=sip:192.0.2.7:40000>';
  const it = await scene([ANN], ['10.0.0.5']);
  const headers = ['X-Edge-Source: 192.0.2.7:40000;transport=tcp', `Path: ${path}`, 'Supported: path'];
  const answer = await it.phone.ask('REGISTER', { address: '10.0.0.5', port: 5_060 }, headers);
  assert.deepEqual([answer.status, value(answer, 'path')], [200, path]);
  const { address, transport } = it.bindings[0] ?? assert.fail();
  assert.deepEqual([address, transport], ['192.0.2.7', 'tcp']);
  const audio = { address: '127.0.0.1', port: 42_000 };
  const request = { trunkIds: [], to: 'sip:ann', accountId: 'acc_1', from: '+15550001111', fromName: null };
  const leg = it.near.dial({ ...request, audio, ringTimeoutMs: 5_000 });
  await eventually(() => it.drachtio.requests.length > 0);
  const [invite] = it.drachtio.requests;
  assert.deepEqual([invite?.uri, value(invite, 'route')], ['sip:ann@192.168.1.20:5060', path]);
  leg.hangUp();
  await it.stop();
});

test(
  'without accounts REGISTER is 405; a stranger has 20 answers a second, and then nothing is looked at',
  LIMIT,
  async () => {
    const it = await scene([]);
    assert.equal((await it.phone.send('REGISTER')).status, 405);
    it.near.registrar.setSipAccounts([ANN]);
    const answers = await Promise.all(Array.from({ length: 60 }, () => it.phone.send('REGISTER')));
    const challenged = answers.filter(({ status }) => status === 401).length;
    // A second may end meanwhile.
    assert.ok(challenged >= 19 && challenged <= 40, `${challenged} challenges`);
    assert.equal(answers.filter(({ status }) => status === 403).length, 60 - challenged);
    await it.stop();
  },
);
