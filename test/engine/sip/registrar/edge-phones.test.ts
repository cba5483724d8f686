// Telephones that register through a proxy of ours, on a virtual clock: which Path is believed, where they are called,
// and what an engine does with registrations that another one took.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecordedLeg, recordLeg } from '../../../../bench/rig/phone/sip-harness.ts';
import type { SipResponse } from '../../../../engine/sip/stack/wire/message.ts';
import type { OutboundLeg, SipAccountConfig, SipBinding } from '../../../../engine/sip/telephony.ts';
import { ScriptedPhone } from '../../../support/sip/scripted-phone.ts';
import { dialRequest, given, inviteLines, SipLab, sdpOf, value } from '../../../support/sip/sip-lab.ts';

const ANN: SipAccountConfig = {
  id: 'sip_ann',
  accountId: 'acc_1',
  username: 'ann',
  displayName: null,
  password: 'a-good-password',
};
const EDGE = '10.0.0.5';
const PATH = `<sip:${EDGE};lr;received=sip:192.0.2.7:40000>`;
const VIA_EDGE = ['X-Edge-Source: 192.0.2.7:40000;transport=tcp', 'Supported: path'];

async function scene(edgeProxies = [EDGE], allowed = '10.0.0.200/32') {
  const lab = new SipLab();
  const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => lab.errors.push(fields) };
  const endpoint = await lab.endpoint('10.0.0.1', { inboundAllow: [allowed], edgeProxies, log });
  const changes: Array<[SipBinding | null, SipBinding | null]> = [];
  endpoint.registrar.onBinding((_, binding, ended) => changes.push([binding, ended]));
  endpoint.registrar.setSipAccounts([ANN]);
  const edge = new ScriptedPhone(lab, EDGE, { username: 'ann', password: ANN.password });
  const register = (headers: string[], expires = 600): Promise<SipResponse | undefined> =>
    edge.ask({
      method: 'REGISTER',
      headers: ['Contact: <sip:ann@192.168.1.20:5060>', `Expires: ${expires}`, ...headers],
    });
  const ring = (): RecordedLeg<OutboundLeg> =>
    recordLeg(endpoint.dial(dialRequest([], { to: 'sip:ann', accountId: 'acc_1' })));
  return { lab, endpoint, edge, register, ring, changes };
}

test('a phone is bound to who it is and to its Path, which it reads if it knows Path; it is called by that', async () => {
  const it = await scene();
  const answer = await it.register([...VIA_EDGE, `Path: ${PATH}`]);
  assert.deepEqual([answer?.status, value(answer, 'path')], [200, PATH]);
  const { address, port, transport, path } = given(it.changes.at(-1)?.[0]);
  assert.deepEqual(
    { address, port, transport, path },
    { address: '192.0.2.7', port: 40_000, transport: 'tcp', path: PATH },
  );
  it.ring();
  await it.lab.run(50);
  const [invite] = it.edge.peer.requests('INVITE');
  assert.deepEqual([invite?.uri, value(invite, 'route')], ['sip:ann@192.168.1.20:5060', PATH]);
  const plain = await it.register(['X-Edge-Source: 192.0.2.7:40000', `Path: ${PATH}`]);
  assert.deepEqual([plain?.status, value(plain, 'path')], [200, '']);
  // The proxy keeps its NAT open, who alone is let in.
  const sent = it.lab.network.packets.length;
  await it.lab.run(60_000, 1_000);
  assert.deepEqual(
    it.lab.network.packets.slice(sent).filter(({ to }) => to.address === '192.0.2.7'),
    [],
  );
});

test('a Path that leads elsewhere, is endless or no Path is refused, and nothing is bound', async () => {
  const it = await scene();
  for (const path of [
    '<sip:198.51.100.66;lr>',
    `${PATH}, <sip:198.51.100.66;lr>`,
    `<sip:${EDGE}>`,
    'nonsense',
    `<sip:${EDGE};lr;x=${'x'.repeat(4_000)}>`,
    Array.from({ length: 9 }, () => `<sip:${EDGE};lr>`).join(', '),
  ]) {
    assert.equal((await it.register([...VIA_EDGE, `Path: ${path}`]))?.status, 400, path);
  }
  assert.deepEqual(it.changes, []);
});

test('a Path of anybody who is no proxy of ours is nothing to us, as it ever was', async () => {
  const it = await scene([]);
  const answer = await it.register(['Supported: path', `Path: ${PATH}`]);
  assert.deepEqual([answer?.status, value(answer, 'path')], [200, '']);
  const { address, path } = given(it.changes.at(-1)?.[0]);
  assert.deepEqual([address, path], [EDGE, null]);
});

test('what another engine has written replaces, adds and ends registrations, and is not reported again', async () => {
  const it = await scene();
  await it.register([...VIA_EDGE, `Path: ${PATH}`]);
  const bound = given(it.changes.at(-1)?.[0]);
  const moved = { ...bound, cseq: bound.cseq + 1, contact: 'sip:ann@192.168.1.30:5062' };
  const reported = it.changes.length;
  const target = async () => {
    it.ring();
    await it.lab.run(50);
    return it.edge.peer.requests('INVITE').at(-1)?.uri;
  };
  it.endpoint.registrar.followBindings([moved], new Set(['sip_ann']));
  assert.equal(await target(), bound.contact, 'it has changed here meanwhile');
  it.endpoint.registrar.followBindings([moved, { ...moved, sipAccountId: 'sip_gone' }], new Set());
  assert.equal(await target(), moved.contact);
  it.endpoint.registrar.followBindings([], new Set());
  assert.throws(it.ring, { code: 'NOT_REGISTERED' });
  assert.equal(it.changes.length, reported);
  // One that has expired here may have been refreshed elsewhere: it is named, so that only it is deleted.
  it.endpoint.registrar.followBindings([moved], new Set());
  await it.lab.run(601_000, 10_000);
  assert.deepEqual(it.changes.at(-1), [null, moved]);
});

test('a thousand registrations of one phone are one binding', async () => {
  const it = await scene();
  for (let i = 0; i < 1_000; i++) {
    const path = `<sip:${EDGE};lr;received=sip:192.0.2.7:${10_000 + i}>`;
    assert.equal((await it.register([`X-Edge-Source: 192.0.2.7:${10_000 + i}`, `Path: ${path}`]))?.status, 200);
  }
  it.ring();
  await it.lab.run(50);
  assert.match(value(it.edge.peer.requests('INVITE')[0], 'route'), /:10999>$/);
  assert.equal(it.edge.peer.requests('INVITE').length, 1);
});

test('a caller on the machine of the proxy is judged by the allowed networks, as any other', async () => {
  const statusFrom = async (source: string, allowed: string) => {
    const it = await scene([EDGE], allowed);
    const caller = it.lab.peer(EDGE, 5_070);
    const lines = inviteLines(caller, 'sip:demo@10.0.0.1:5060', { headers: [`X-Edge-Source: ${source}:5080`] });
    caller.send({ address: '10.0.0.1', port: 5_060 }, lines, sdpOf(EDGE));
    await it.lab.run(50);
    return caller.statuses('INVITE').at(-1);
  };
  assert.equal(await statusFrom(EDGE, `${EDGE}/32`), 480, 'it may call, and nobody is there to answer');
  assert.equal(await statusFrom(EDGE, '10.0.0.200/32'), 403);
  assert.equal(await statusFrom('10.0.0.200', '10.0.0.200/32'), 480);
});
