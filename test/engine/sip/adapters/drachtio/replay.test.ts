// The adapter for drachtio and FreeSWITCH against recordings of them. FREESWITCH_RECORD=1 makes the recordings anew,
// with both servers on loopback as docs/freeswitch.md describes and no other engine on them.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { eventually } from '../../../../../bench/rig/eventually.ts';
import { startHarness } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { DrachtioTelephony } from '../../../../../engine/sip/adapters/drachtio/endpoint.ts';
import type { Leg, LegEvent } from '../../../../../engine/sip/telephony.ts';
import { readRecording, recordDrachtio, writeRecording } from '../../../../support/sip/drachtio-recorder.ts';
import { replayDrachtio } from '../../../../support/sip/drachtio-replay.ts';
import { fakeEventSocket } from '../../../../support/sip/fake-event-socket.ts';
import { FLOWS, type Flow, shown } from './flows.ts';
import { fileOf, startNear } from './near-side.ts';

const isRecording = process.env.FREESWITCH_RECORD === '1';

/** Plays our side of the flow; resolves with the events of our leg once it has ended. */
async function play(flow: Flow, telephony: DrachtioTelephony, farPort: number, callIn: () => void): Promise<string[]> {
  const events: string[] = [];
  const follow = (leg: Leg): void => {
    leg.onEvent((event: LegEvent) => {
      if (event.type === 'dialog-stored') return;
      events.push(shown(event));
      flow.near(leg, event);
    });
  };
  telephony.onInvite((leg) => {
    follow(leg);
    flow.near(leg, null);
  });
  if (flow.dials) follow(flow.dials(telephony, farPort));
  else callIn();
  await eventually(() => events.at(-1)?.startsWith('ended') ?? false);
  return events;
}

async function record(flow: Flow): Promise<void> {
  const drachtio = await recordDrachtio({ host: '127.0.0.1', port: 9022 });
  const far = await startHarness((leg) => flow.far.takes?.(leg));
  if (flow.name === 'outbound-digest') {
    far.telephony.registrar.setSipAccounts([
      { id: 'sip_1', accountId: 'acc_1', username: 'ann', displayName: null, password: 'secret-1' },
    ]);
  }
  const near = await startNear(drachtio.port, flow.isRelayed ? [8021] : []);
  // drachtio has been told by then that INVITEs come here.
  await new Promise((resolve) => setTimeout(resolve, 200));
  const events = await play(flow, near, far.port, () => {
    const to = `sip:demo@${near.address}`;
    const audio = { address: '127.0.0.1', port: 43_000 };
    const leg = far.telephony.dial({
      trunkIds: [],
      to,
      from: '+15550002222',
      fromName: null,
      audio,
      ringTimeoutMs: 9_000,
    });
    leg.onEvent((event) => setImmediate(() => flow.far.calls?.(leg, event)));
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const messages = drachtio.messages.slice();
  await near.stop();
  await far.telephony.stop();
  drachtio.close();
  assert.deepEqual(events, flow.events);
  writeFileSync(fileOf(flow.name), writeRecording(messages));
}

async function replay(flow: Flow): Promise<void> {
  const freeswitch = flow.isRelayed ? await fakeEventSocket() : null;
  const recording = readRecording(readFileSync(fileOf(flow.name), 'utf8'));
  const drachtio = await replayDrachtio(recording, (invite) => freeswitch?.connectChannel(invite));
  const near = await startNear(drachtio.port, freeswitch === null ? [] : [freeswitch.port]);
  try {
    assert.deepEqual(await play(flow, near, 5060, () => drachtio.callIn()), flow.events);
    await eventually(() => drachtio.missing().length === 0 || drachtio.unexpected.length > 0);
    assert.deepEqual(drachtio.unexpected, []);
    if (freeswitch !== null)
      assert.equal(freeswitch.commands.filter((each) => each.startsWith('uuid_bridge')).length, 1);
  } finally {
    await near.stop();
    drachtio.close();
    freeswitch?.close();
  }
}

for (const flow of FLOWS) {
  test(`${flow.name}: as the real servers do it`, { timeout: 20_000 }, () =>
    isRecording ? record(flow) : replay(flow),
  );
}
