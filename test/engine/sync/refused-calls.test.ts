// Why a call did not come in: told for every refusal, bounded whatever strangers send.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { freshDatabase } from '../../../bench/rig/database/fresh-database.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { openDatabase } from '../../../db/database.ts';
import { addRefusedCalls, listRefusedCalls, type RefusedCallRow } from '../../../db/queries/trunks/refused-calls.ts';
import type { InboundLeg, RefusedInvite } from '../../../engine/sip/telephony.ts';
import { Switchboard, type SwitchboardOptions } from '../../../engine/switchboard/switchboard.ts';
import { RefusedCalls } from '../../../engine/sync/refused-calls.ts';
import { inviteLines, SipLab, sdpOf, trunkConfig } from '../../support/sip/sip-lab.ts';

const service = { address: '10.0.0.1', port: 5060 };

const unknown: RefusedInvite = {
  calledNumber: '+12025550100',
  callerNumber: '+12025550143',
  sourceAddress: '192.0.2.1',
  trunkId: 'trk_1',
  sipStatus: 404,
  reason: 'unknown_number',
};

test('an INVITE that is refused before it is a call is told with number, source, trunk, status and reason', async () => {
  const lab = new SipLab();
  const refused: RefusedInvite[] = [];
  const endpoint = await lab.endpoint('10.0.0.1', {
    inboundAllow: ['10.0.0.0/24'],
    onRefused: (invite) => refused.push(invite),
  });
  endpoint.setTrunks([trunkConfig('trk_1', '10.0.0.7')]);
  await lab.run(50);
  const invite = (address: string, sdp: string, headers: string[] = []) => {
    const peer = lab.peer(address, 5070);
    peer.send(service, inviteLines(peer, 'sip:+12025550100@10.0.0.1:5060', { callId: address, headers }), sdp);
    return lab.run(50);
  };
  await invite('203.0.113.9', sdpOf('203.0.113.9'));
  await invite('10.0.0.7', sdpOf('10.0.0.7', { formats: '9' }));
  await invite('10.0.0.8', sdpOf('10.0.0.8'), ['Require: 100rel-of-tomorrow']);
  endpoint.setAdmission(() => 'capacity');
  await invite('10.0.0.9', sdpOf('10.0.0.9'));
  endpoint.setAdmission(() => 'database');
  await invite('10.0.0.10', sdpOf('10.0.0.10'));
  assert.deepEqual(
    refused.map(({ sourceAddress, trunkId, sipStatus, reason }) => [sourceAddress, trunkId, sipStatus, reason]),
    [
      ['203.0.113.9', null, 403, 'source_not_allowed'],
      ['10.0.0.7', 'trk_1', 488, 'no_common_codec'],
      ['10.0.0.8', null, 420, 'bad_request'],
      ['10.0.0.9', null, 503, 'capacity'],
      ['10.0.0.10', null, 503, 'database'],
    ],
  );
  assert.deepEqual([refused[0]?.calledNumber, refused[0]?.callerNumber], ['+12025550100', '+15551230001']);
});

function stage() {
  const clock = new VirtualClock();
  const written: RefusedCallRow[][] = [];
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const run = async (_name: string, { rows }: { rows: RefusedCallRow[] }) => void written.push(rows);
  return { clock, written, lines, calls: new RefusedCalls({ writer: { run } as never, clock, log }) };
}

test('each refusal is counted by its reason, also those of which there is no row', () => {
  const { calls } = stage();
  for (let i = 0; i < 200; i++) calls.add({ ...unknown, calledNumber: `+1202555${1000 + i}` });
  calls.add({ ...unknown, reason: 'media_address', sipStatus: 488 });
  calls.add({ ...unknown, reason: 'source_not_allowed', sipStatus: 403 });
  assert.deepEqual(calls.counts, { unknown_number: 200, media_address: 1, source_not_allowed: 1 });
});

test('so is one that no number or campaign takes, and one for which there is no room or no database', async () => {
  const folder = temporaryFolder('voice-refused');
  freshDatabase(join(folder, 'voice.db'));
  const read = openDatabase(join(folder, 'voice.db'), { synchronous: 'NORMAL' });
  let handler: (leg: InboundLeg) => void = () => undefined;
  let hasRoom = true;
  let isAway = false;
  const refused: RefusedInvite[] = [];
  const rejected: number[] = [];
  new Switchboard({
    telephony: {
      setAdmission: () => undefined,
      onInvite: (take: typeof handler) => {
        handler = take;
      },
    },
    admission: { active: 0, maxCalls: 1, admit: () => hasRoom, release: () => undefined },
    isDatabaseAway: () => isAway,
    metrics: { refused: () => undefined },
    read,
    clock: new VirtualClock(),
    log: pino({ level: 'silent' }),
    onRefused: (invite: RefusedInvite) => refused.push(invite),
    onRead: () => undefined,
  } as unknown as SwitchboardOptions);
  const invite = async (sipAccountId: string | null = null) => {
    const before = rejected.length;
    handler({
      called: '+12025550100',
      caller: { number: '+12025550143', name: null },
      trunkId: 'trk_1',
      sipAccountId,
      divertedFrom: [],
      remoteAddress: '192.0.2.1',
      reject: (status: number) => rejected.push(status),
    } as unknown as InboundLeg);
    while (rejected.length === before) await new Promise((resolve) => setImmediate(resolve));
  };
  await invite();
  hasRoom = false;
  await invite();
  hasRoom = true;
  isAway = true;
  await invite();
  isAway = false;
  await invite('sip_of_a_phone_that_calls_nobody');
  assert.deepEqual(rejected, [404, 503, 503, 403]);
  assert.deepEqual(refused, [
    unknown,
    { ...unknown, sipStatus: 503, reason: 'capacity' },
    { ...unknown, sipStatus: 503, reason: 'database' },
    { ...unknown, sipStatus: 403, reason: 'softphone_may_not_call' },
  ]);
  await read.destroy();
});

test('refusals alike become one row with a count, and one log line says why', async () => {
  const { calls, written, lines } = stage();
  for (let i = 0; i < 5; i++) calls.add(unknown);
  calls.add({ ...unknown, calledNumber: '+12025550101', sipStatus: 480, reason: 'number_inactive' });
  await calls.write();
  await calls.write();
  assert.equal(written.length, 1, 'nothing is written twice');
  assert.deepEqual(
    written[0]?.map(({ calledNumber, reason, count }) => [calledNumber, reason, count]),
    [
      ['+12025550100', 'unknown_number', 5],
      ['+12025550101', 'number_inactive', 1],
    ],
  );
  const { time: _, pid: __, hostname: ___, level: ____, ...line } = JSON.parse(lines[0] ?? '{}');
  assert.deepEqual(line, { ...unknown, msg: 'INVITE refused' });
});

test('a flood costs 50 rows of memory and 20 lines a minute, that of strangers 10 rows and no line', async () => {
  const { calls, written, lines, clock } = stage();
  for (let i = 0; i < 100_000; i++) {
    calls.add({
      ...unknown,
      sourceAddress: `198.51.${i % 250}.${i % 199}`,
      sipStatus: 403,
      reason: 'source_not_allowed',
    });
  }
  assert.equal(lines.length, 0);
  for (let i = 0; i < 100_000; i++) calls.add({ ...unknown, calledNumber: `+1202555${i}` });
  assert.equal(lines.length, 20);
  clock.advance(60_000);
  calls.add(unknown);
  assert.equal(lines.length, 21);
  await calls.write();
  assert.equal(written[0]?.length, 50);
  assert.equal(written[0]?.filter(({ reason }) => reason === 'source_not_allowed').length, 10);
});

test('the newest 1,000 rows are kept, and 200 of strangers, who displace nobody', async () => {
  const folder = temporaryFolder('voice-refused');
  freshDatabase(join(folder, 'voice.db'));
  const db = openDatabase(join(folder, 'voice.db'), { synchronous: 'NORMAL' });
  const rows = (count: number, reason: string, from = 0): RefusedCallRow[] =>
    Array.from({ length: count }, (_, i) => ({
      ...unknown,
      reason,
      id: `rfc_${String(from + i).padStart(8, '0')}`,
      count: 1,
      createdAt: from + i,
    }));
  await addRefusedCalls(db, { rows: rows(40, 'unknown_number') });
  for (let i = 0; i < 10; i++) await addRefusedCalls(db, { rows: rows(50, 'source_not_allowed', 100 + i * 50) });
  assert.equal((await listRefusedCalls(db, { limit: 1, offset: 0 })).total, 240);
  for (let i = 0; i < 25; i++) await addRefusedCalls(db, { rows: rows(50, 'capacity', 10_000 + i * 50) });
  const page = await listRefusedCalls(db, { limit: 1, offset: 0 });
  assert.deepEqual([page.total, page.rows[0]?.createdAt], [1_200, 10_000 + 25 * 50 - 1]);
  await db.destroy();
});
