// TLS peers whose certificate carries a name, on a virtual clock: calls outlive the connection that they began on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecordedLeg, recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { EmbeddedTelephony } from '../../../../../engine/sip/adapters/embedded/endpoint.ts';
import type { InboundLeg, Leg, LegEvent, StoredDialog } from '../../../../../engine/sip/telephony.ts';
import { dialRequest, given, SipLab, trunkConfig } from '../../../../support/sip/sip-lab.ts';

const files = { certPem: '', keyPem: '' };
const tls = { port: 5061, files };

interface Scene {
  lab: SipLab;
  service: EmbeddedTelephony;
  carrier: EmbeddedTelephony;
  /** Legs of both sides, as they come. */
  inbound: RecordedLeg<InboundLeg>[];
  dial(from: EmbeddedTelephony): RecordedLeg<Leg>;
}

/** The service and its carrier, which prove themselves by name only. */
async function scene(onLeg: (leg: InboundLeg) => void = (leg) => leg.answer({ address: '10.0.0.2', port: 30_000 })) {
  const lab = new SipLab();
  lab.network.hosts.set('sip.carrier.example', ['10.0.1.1']);
  lab.network.hosts.set('voice.service.example', ['10.0.0.1']);
  lab.network.certificates.set('10.0.1.1', 'sip.carrier.example');
  lab.network.certificates.set('10.0.0.1', 'voice.service.example');
  const inbound: RecordedLeg<InboundLeg>[] = [];
  const start = async (address: string, far: string) => {
    const endpoint = await lab.endpoint(address, { tls });
    endpoint.onInvite((leg) => {
      inbound.push(recordLeg(leg));
      onLeg(leg);
    });
    endpoint.setTrunks([trunkConfig('t', far, { transport: 'tls' })]);
    return endpoint;
  };
  const service = await start('10.0.0.1', 'sip.carrier.example');
  const carrier = await start('10.0.1.1', 'voice.service.example');
  await lab.run(100);
  const dial = (from: EmbeddedTelephony) => recordLeg<Leg>(from.dial(dialRequest(['t'])));
  return { lab, service, carrier, inbound, dial } satisfies Scene;
}

function types(record: RecordedLeg<Leg> | undefined): string[] {
  return (record?.events ?? []).map(({ type }) => type).filter((type) => type !== 'dialog-stored');
}

function storedOf(record: RecordedLeg<Leg>): StoredDialog {
  const stored = record.events.filter((event): event is LegEvent & { type: 'dialog-stored' } => {
    return event.type === 'dialog-stored';
  });
  return given(stored.at(-1)).dialog;
}

for (const caller of ['service', 'carrier'] as const) {
  test(`a call placed by the ${caller} is hung up by either side after the connection broke`, async () => {
    for (const side of ['caller', 'callee'] as const) {
      const it = await scene();
      const leg = it.dial(it[caller]);
      await it.lab.run(200);
      const far = given(it.inbound[0]);
      assert.deepEqual(types(leg), ['answered']);
      it.lab.network.breakStreams();
      await it.lab.run(50);
      (side === 'caller' ? leg : far).leg.hangUp();
      await it.lab.run(500);
      assert.deepEqual([types(leg).at(-1), types(far).at(-1)], ['ended', 'ended'], side);
    }
  });
}

test('an answer finds its way over a new connection when that of the INVITE broke', async () => {
  const it = await scene(() => {});
  const leg = it.dial(it.carrier);
  await it.lab.run(200);
  it.lab.network.breakStreams();
  await it.lab.run(50);
  given(it.inbound[0]).leg.answer({ address: '10.0.0.1', port: 20_000 });
  await it.lab.run(500);
  assert.deepEqual(types(leg), ['answered']);
});

test('a call that a killed process left is ended by name, and one stored without a name by its address', async () => {
  for (const named of [true, false]) {
    const it = await scene();
    const leg = it.dial(it.service);
    await it.lab.run(200);
    const { serverName, ...old } = storedOf(leg);
    assert.equal(serverName, 'sip.carrier.example');
    if (!named) it.lab.network.certificates.clear();
    const successor = await it.lab.endpoint('10.0.0.5', { tls });
    successor.endStored(named ? { ...old, serverName } : old);
    await it.lab.run(500);
    assert.equal(types(it.inbound[0]).at(-1), 'ended');
  }
});
