// drachtio or FreeSWITCH fails under a call, and comes back; leftovers of an earlier process; several FreeSWITCH
// servers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { comesToRest, eventually } from '../../../../../bench/rig/eventually.ts';
import type { LegEvent } from '../../../../../engine/sip/telephony.ts';
import { readRecording } from '../../../../support/sip/drachtio-recorder.ts';
import { replayDrachtio } from '../../../../support/sip/drachtio-replay.ts';
import { fakeEventSocket } from '../../../../support/sip/fake-event-socket.ts';
import { fileOf, startNear } from './near-side.ts';

/** A call of ours over FreeSWITCH that is answered and goes on. */
async function answeredCall(channels: number[] = [0]) {
  const servers = await Promise.all(channels.map(() => fakeEventSocket()));
  servers.forEach((server, index) => {
    for (let each = 0; each < (channels[index] ?? 0); each++)
      server.channels.push({ uuid: `other-${each}`, cid_num: 'other' });
  });
  const [first = assert.fail()] = servers;
  const last = servers.at(-1) ?? first;
  const recording = readRecording(readFileSync(fileOf('outbound-by-freeswitch'), 'utf8'));
  const drachtio = await replayDrachtio(recording, (invite) => last.connectChannel(invite));
  const near = await startNear(
    drachtio.port,
    servers.map(({ port }) => port),
  );
  await eventually(() => servers.every(({ commands }) => commands.includes('show channels count')));
  // The answer is on its way.
  await comesToRest();
  const events: LegEvent[] = [];
  const leg = near.dial({
    ...{ to: 'sip:far@127.0.0.1:5060', trunkIds: [], from: '+15550001111', fromName: null, ringTimeoutMs: 10_000 },
    audio: { address: '127.0.0.1', port: 42_000 },
  });
  leg.onEvent((event) => events.push(event));
  await eventually(() => events.some(({ type }) => type === 'answered'));
  const endedBy = () => events.flatMap((event) => (event.type === 'ended' ? [event.end.by] : []));
  const stop = async (): Promise<void> => {
    await near.stop();
    drachtio.close();
    for (const server of servers) server.close();
  };
  return { servers, first, drachtio, near, endedBy, stop };
}

const LIMIT = { timeout: 20_000 };

test(
  'FreeSWITCH dies: the call ends as our fault, no new one begins, and it is used again when it is back',
  LIMIT,
  async () => {
    const it = await answeredCall();
    it.first.close();
    await eventually(() => it.endedBy().length > 0);
    assert.deepEqual(it.endedBy(), ['server']);
    const request = { to: 'sip:far@127.0.0.1', trunkIds: [], from: '', fromName: null, ringTimeoutMs: 1_000 };
    assert.throws(() => it.near.dial({ ...request, audio: { address: '127.0.0.1', port: 42_000 } }), {
      code: 'TRUNK_DOWN',
    });
    const again = await fakeEventSocket(it.first.port);
    await eventually(() => it.near.isReady);
    await it.stop();
    again.close();
  },
);

test('drachtio dies: the call ends as our fault, and its channels in FreeSWITCH are hung up', LIMIT, async () => {
  const it = await answeredCall();
  it.first.channels.push({ uuid: 'own', cid_num: 'voice-0.engine-0' });
  it.drachtio.close();
  await eventually(() => it.endedBy().length > 0 && it.first.commands.includes('uuid_kill own'));
  assert.deepEqual(it.endedBy(), ['server']);
  assert.equal(it.near.isReady, false);
  await it.stop();
});

test('channels that an earlier process left are hung up at the start, those of others are not', LIMIT, async () => {
  const freeswitch = await fakeEventSocket();
  freeswitch.channels.push(
    { uuid: 'left', cid_num: 'voice-0.engine-before' },
    { uuid: 'running', cid_num: 'voice-0.engine-0' },
    { uuid: 'other', cid_num: 'voice-1.engine-9' },
  );
  const recording = readRecording(readFileSync(fileOf('outbound-by-freeswitch'), 'utf8'));
  const drachtio = await replayDrachtio(recording);
  const near = await startNear(drachtio.port, [freeswitch.port]);
  assert.deepEqual(
    freeswitch.commands.filter((each) => each.startsWith('uuid_kill')),
    ['uuid_kill left'],
  );
  await near.stop();
  drachtio.close();
  freeswitch.close();
});

test(
  'of two FreeSWITCH servers the one with fewer channels takes the call, and one that is down takes none',
  LIMIT,
  async () => {
    const it = await answeredCall([5, 1]);
    const bridges = it.servers.map(({ commands }) => commands.filter((each) => each.startsWith('uuid_bridge')).length);
    assert.deepEqual(bridges, [0, 1]);
    it.first.close();
    assert.equal(it.near.isReady, true);
    assert.deepEqual(it.endedBy(), []);
    await it.stop();
  },
);
