// The calls of a lost machine, between two living engines on one database: each call has one heir or one end.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, test } from 'node:test';
import { pino } from 'pino';
import { eventually } from '../../bench/rig/eventually.ts';
import { type OperationName, operations } from '../../db/operations.ts';
import type { EngineTable } from '../../db/schema/processes.ts';
import { sharedClockMs } from '../../db/shared/shared-clock.ts';
import {
  BRIDGED_VERSION,
  CONTINUATION_VERSION,
  type Continuation,
  type TakenCall,
} from '../../engine/call/continuation.ts';
import { isMovable } from '../../engine/call/moved.ts';
import { sealJson, sharedContext } from '../../engine/journal/sealed-json.ts';
import { MovedCalls, type MovedCallsDeps } from '../../engine/moved-calls.ts';
import { recoverCall, recoverCalls } from '../../engine/recovery.ts';
import type { Leg, LegEvent, LegState, StoredDialog } from '../../engine/sip/telephony.ts';
import { engineIs, type Setup, seedCall, setUpCampaign } from '../support/api/resources.ts';
import { useFreshApi } from '../support/api/use-api.ts';

const api = useFreshApi();
const key = Buffer.alloc(32, 9);
const log = pino({ level: 'silent' });
const fixture = new URL('../fixtures/journal/release-before.json', import.meta.url);
const { continuation } = JSON.parse(readFileSync(fixture, 'utf8')) as { continuation: Continuation };
/** Since the dead engine's last heartbeat. */
const SILENT_MS = 12_000;

/** What its peer says to the question for its audio; null: nothing. */
type Peer = Extract<LegEvent, { type: 'audio-changed' | 'ended' }> | null;
const moved = (): Peer => ({
  type: 'audio-changed',
  audio: { ...continuation.leg?.audio, remotePort: 7_000 } as never,
});
const refused = (): Peer => ({
  type: 'ended',
  end: { by: 'network', sipStatus: null, q850Cause: null, reason: 'peer answered 481', rang: true },
});

let set: Setup;
let asked: string[];
let hungUp: string[];
let taken: Array<TakenCall & { by: string }>;
let peer: Peer;
/** What the person says who has the caller. */
let person: Peer;
/** Null: there is none left. */
let personPort: number | null;

beforeEach(async () => {
  set = await setUpCampaign(api, api.tenant);
  [asked, hungUp, taken, peer] = [[], [], [], moved()];
  [person, personPort] = [moved(), 30_002];
  await engine('eng_dead', { state: 'dead', heartbeatAt: api.clock.now - SILENT_MS });
  for (const id of ['eng_a', 'eng_b']) await engine(id);
});

const engine = (id: string, changes: Partial<EngineTable> = {}) =>
  engineIs(api, { id, home: `home of ${id}`, state: 'up', heartbeatAt: api.clock.now, ...changes });

const run = (async (name: OperationName, args: unknown) => {
  const operation = operations[name] as (db: unknown, args: unknown) => Promise<unknown>;
  return await api.context.db.transaction().execute((trx) => operation(trx, args));
}) as MovedCallsDeps['writer']['runDurably'];

/** An open call of the dead engine. `change`: of its description; null: there is none. */
async function call(change: Partial<Continuation> | null = {}): Promise<string> {
  const { id } = await seedCall(api, api.tenant, {
    campaignId: set.campaign.id,
    status: 'IN_PROGRESS',
    endedAt: null,
    durationSeconds: 0,
    outcome: null,
    endReason: null,
    engineId: 'eng_dead',
    recordingPath: `/there/${id0()}.wav`,
    recordingFormat: 'wav',
    recordingState: 'engine:there',
  });
  const nowMs = api.clock.now;
  for (const leg of ['peer', 'human']) await run('storeDialog', { callId: id, leg, dialog: { leg }, nowMs });
  if (change === null) return id;
  const from = {
    ...continuation,
    call: { ...continuation.call, id },
    writtenAtMs: nowMs - 20_000,
    // Of another machine's clock.
    writtenAtSharedMs: 500_000,
    beganAtMs: 440_000,
    recordingPath: `/there/${id}.wav`,
    ...change,
  };
  const rest = { skewMs: 3_000, pulse: null };
  const box = sealJson(key, sharedContext(id), JSON.stringify({ call: from, record: null, rest }));
  const sealed = box.toString('base64url');
  await run('writeContinuation', { callId: id, engineId: 'eng_dead', sealed, writtenAt: nowMs });
  return id;
}

const PERSON = 'sip-person';
const personDialog = { callId: PERSON } as StoredDialog;

/** A person has the caller, or is on the way to them. */
function withPerson(phase: 'bridged' | 'announcing' | 'referring'): Partial<Continuation> {
  const { state, leg } = continuation;
  const transferState = phase === 'bridged' ? 'bridged' : 'pending';
  assert.ok(state.phase === 'answered' && leg);
  return {
    ...(phase === 'bridged' ? { version: BRIDGED_VERSION } : {}),
    state: {
      ...state,
      answered: { ...state.answered, transfer: { state: transferState, target: '+15550100' } },
    } as never,
    transfer: {
      target: '+15550100',
      state: { phase },
      referLeftMs: phase === 'referring' ? 9_000 : null,
      isReferralCounted: false,
      person:
        phase === 'referring'
          ? null
          : {
              leg: { ...leg, sipCallId: PERSON, dialog: personDialog },
              ...{ ringing: null, port: 4_000, trunkId: null, lastEpoch: 1 },
              ...{ answeredAtMs: api.clock.now - 40_000, beganAtMs: 460_000 },
            },
    } as never,
  };
}

/** A call in which a person was called, whose leg is stored, as the end of the test names it. */
async function callWithPerson(
  phase: Parameters<typeof withPerson>[0],
  change: Partial<Continuation> = {},
): Promise<string> {
  const id = await call({ ...withPerson(phase), ...change });
  await run('openTransferLeg', { callId: id, accountId: api.tenant.accountId });
  const dialog = { ...personDialog, leg: 'human' } as StoredDialog;
  await run('storeDialog', { callId: id, leg: 'human', dialog, nowMs: api.clock.now });
  return id;
}

const openLegs = async (id: string) =>
  (await api.context.db.selectFrom('transferLegs').select('callId').where('callId', '=', id).execute()).length;

let count = 0;
const id0 = (): string => `r${count++}`;

interface Heir {
  room?: number;
  /** Of the other one, as this one sees it. */
  othersRoom?: number;
  isOn?: boolean;
}

/** An engine that looks after the dead one's calls, and closes those that nobody goes on with. */
function heir(engineId: string, { room = 10, othersRoom = 10, isOn = true }: Heir = {}) {
  const telephony: MovedCallsDeps['telephony'] = {
    move(state: LegState, elapsedMs, audio) {
      asked.push(`${engineId} ${audio.address}:${audio.port} after ${Math.round(elapsedMs / 1_000)} s`);
      const isPerson = state.sipCallId === PERSON;
      const answer = isPerson ? person : peer;
      let isUp = answer?.type === 'audio-changed';
      return {
        sipCallId: 's',
        direction: 'inbound',
        get state() {
          return isUp ? { ...state, audio: (answer as Extract<Peer, { type: 'audio-changed' }>).audio } : null;
        },
        onEvent: (listener) => void queueMicrotask(() => answer && listener(answer)),
        hangUp: () => {
          isUp = false;
          hungUp.push(isPerson ? 'asked person' : 'leg');
        },
        refer: () => undefined,
        sendInfoDigits: () => undefined,
      } satisfies Leg;
    },
    endStored: async (dialog) => void hungUp.push((dialog as unknown as { leg: string }).leg),
  };
  const other = engineId === 'eng_a' ? 'eng_b' : 'eng_a';
  const clock = { nowMs: () => api.clock.now, monotonicMs: () => api.clock.now, after: () => () => undefined };
  const recovery = {
    ...{
      read: api.context.read,
      writer: { run, runDurably: run, runWithin: run } as never,
      telephony: telephony as never,
    },
    ...{ engineId, recordingsDir: '/here', recordingState: 'engine:here', now: () => api.clock.now, log },
  };
  const calls = new MovedCalls({
    ...{ read: api.context.read, writer: { runDurably: run }, telephony, engineId, clock, log },
    switchboard: {
      isDraining: false,
      openMoved: async () => ({ address: '192.0.2.1', port: 30_000, close: () => undefined }),
      openMovedPerson: async () => {
        if (personPort === null) throw new Error('no port');
        return { address: '192.0.2.1', port: personPort, close: () => undefined };
      },
      resume: (of) => void taken.push({ ...(of as TakenCall), by: engineId }),
    },
    admission: { room: () => room },
    places: { others: () => [{ engineId: other, room: othersRoom }] },
    home: `home of ${engineId}`,
    isOn,
    recordingsDir: '/here',
    sealingKey: key,
    skewMs: () => 0,
    close: (orphan) => recoverCall(orphan, recovery),
  });
  const claim: MovedCalls['claim'] = (orphans) => calls.claim(orphans);
  return { calls, look: () => recoverCalls({ ...recovery, claim }) };
}

const row = (id: string) =>
  api.context.db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const eventsOf = async (id: string) => {
  const events = await api.context.db
    .selectFrom('events')
    .select('type')
    .where('subjectId', '=', id)
    .orderBy('seq')
    .execute();
  return events.map(({ type }) => type);
};

test('both engines look at once, again and again: each call goes on at one of them', async () => {
  const ids = await Promise.all(Array.from({ length: 24 }, () => call()));
  // The calls are spread by chance: either one could have room for all of them.
  const heirs = ['eng_a', 'eng_b'].map((id) => heir(id, { room: 30, othersRoom: 30 }));
  for (let nth = 0; nth < 5; nth++) await Promise.all(heirs.map(({ look }) => look()));
  await eventually(() => taken.length === ids.length);
  assert.deepEqual(taken.map(({ from }) => from.call.id).sort(), [...ids].sort());
  assert.equal(new Set(taken.map(({ by }) => by)).size, 2, 'they share');
  for (const { from, by } of taken) {
    assert.equal((await row(from.call.id)).engineId, by);
    await eventually(async () => (await eventsOf(from.call.id)).join() === 'call.resumed');
  }
  assert.equal(asked.length, ids.length);
  assert.deepEqual(new Set(hungUp), new Set(['human']), 'who was being called for the caller is let go');
});

test('its times are by this machine’s clocks, its audio is new, and its recording is on this disk', async () => {
  const id = await call();
  await heir('eng_a', { othersRoom: 0 }).look();
  await eventually(() => taken.length === 1);
  const [one] = taken;
  assert.ok(one);
  // Written 20 s ago by a clock that is 3 s behind, when the call was 60 s old.
  assert.deepEqual(asked, ['eng_a 192.0.2.1:30000 after 17 s']);
  assert.ok(Math.abs(one.resumption.atMs - 77_000) < 1_000, `${one.resumption.atMs}`);
  assert.ok(Math.abs(sharedClockMs() - one.from.beganAtMs - 77_000) < 2_000);
  assert.deepEqual([one.resumption.gapMs, one.resumption.cause], [SILENT_MS, 'moved']);
  assert.deepEqual([one.from.port, one.from.leg?.audio.remotePort], [30_000, 7_000]);
  assert.equal(one.from.recordingPath, `/here/${id}.wav`);
});

describe('a call that does not go on is closed once, as a crash', () => {
  const isClosed = async (id: string) => {
    await eventually(async () => (await row(id)).endedAt !== null);
    const { status, endReason, recordingState } = await row(id);
    assert.deepEqual([status, endReason], ['FAILED', 'crash']);
    assert.equal(recordingState, 'engine:there', 'what was recorded is where it was');
    assert.deepEqual(await eventsOf(id), ['call.received', 'call.ended', 'call.failed']);
    assert.deepEqual(taken, []);
    const left = await api.context.db.selectFrom('callContinuations').select('callId').execute();
    assert.deepEqual(left, []);
  };
  const lookTwice = async () => {
    const heirs = [heir('eng_a'), heir('eng_b')];
    for (let nth = 0; nth < 3; nth++) await Promise.all(heirs.map(({ look }) => look()));
  };

  test('where its peer knows it no more: it is not hung up on twice', async () => {
    peer = refused();
    const id = await call();
    await lookTwice();
    await isClosed(id);
    assert.deepEqual([asked.length, hungUp], [1, ['human']]);
  });

  test('where nothing was written of it', async () => {
    const id = await call(null);
    await lookTwice();
    await isClosed(id);
    assert.deepEqual([asked, hungUp.sort()], [[], ['human', 'peer']]);
  });

  test('where it was written with another key', async () => {
    const id = await call();
    await api.context.db.updateTable('callContinuations').set({ sealed: 'AAAA' }).execute();
    await lookTwice();
    await isClosed(id);
    assert.deepEqual(hungUp.sort(), ['human', 'peer']);
  });

  test('where no engine has a place', async () => {
    const id = await call();
    await heir('eng_a', { room: 0, othersRoom: 0 }).look();
    await isClosed(id);
  });

  test('where a client asked for its end while it had no engine', async () => {
    const id = await call();
    const times = { createdAt: 1, expiresAt: 2, claimedAt: null, claimedBy: null, doneAt: null };
    const request = { id: 'req_1', accountId: api.tenant.accountId, kind: 'end-call' as const, callId: id };
    const row = { ...request, payload: '{}', result: null, ...times };
    await api.context.db.insertInto('engineRequests').values(row).execute();
    await lookTwice();
    await isClosed(id);
    assert.deepEqual(asked, []);
  });

  test('where calls are to end with their engines', async () => {
    const id = await call();
    await heir('eng_a', { isOn: false }).look();
    await isClosed(id);
    assert.deepEqual(asked, []);
  });

  test('where it has gone on twice already: engines may die of it', async () => {
    const resumptions = [1, 2].map((atMs) => ({ atMs, gapMs: 12_000, cause: 'moved' as const }));
    const id = await call({ resumptions });
    await lookTwice();
    await isClosed(id);
  });

  test('where its caller has heard nothing for too long', async () => {
    const id = await call();
    await engine('eng_dead', { state: 'dead', heartbeatAt: api.clock.now - 31_000 });
    await lookTwice();
    await isClosed(id);
    assert.deepEqual(asked, []);
  });
});

test('while the machine’s next engine starts, its calls are left to it', async () => {
  const id = await call();
  const nothing = await call(null);
  await engine('eng_next', { home: 'home of eng_dead', state: 'starting' });
  await Promise.all([heir('eng_a').look(), heir('eng_b').look()]);
  assert.deepEqual([asked, taken], [[], []]);
  for (const each of [id, nothing]) assert.equal((await row(each)).endedAt, null);
});

test('an engine that has stopped has said the ends of its calls, and nobody asks their peers', async () => {
  await call();
  await engine('eng_dead', { state: 'stopped' });
  await heir('eng_a').calls.look();
  assert.deepEqual([asked, taken], [[], []]);
});

test('the end that the dead engine still says does not end the call of another one', async () => {
  const id = await call();
  await heir('eng_a', { othersRoom: 0 }).look();
  await eventually(async () => (await eventsOf(id)).length === 1);
  const end = {
    ...{ callId: id, status: 'COMPLETED', outcome: 'completed', endReason: 'media_timeout', endedAtMs: api.clock.now },
    ...{ sentiment: null, summary: null, tags: [], transcript: [], latency: null, contact: null },
  } as const;
  assert.equal(await run('endCall', { ...end, engineId: 'eng_dead' } as never), false);
  assert.equal((await row(id)).endedAt, null);
  assert.equal(await run('endCall', { ...end, engineId: 'eng_a' } as never), true);
});

test('what is written goes with the call, and is written for a call of one’s own only', async () => {
  const id = await call();
  const write = (engineId: string) =>
    run('writeContinuation', { callId: id, engineId, sealed: engineId, writtenAt: 1 });
  const written = async () =>
    (await api.context.db.selectFrom('callContinuations').select('sealed').execute()).map(({ sealed }) => sealed);
  await write('eng_a');
  await write('eng_dead');
  assert.deepEqual(await written(), ['eng_dead']);
  await run('deleteContinuation', { callId: id });
  assert.deepEqual(await written(), []);
  await write('eng_dead');
  await run('endUndialledCall', { callId: id, endReason: 'crash', nowMs: api.clock.now });
  await write('eng_dead');
  assert.deepEqual(await written(), []);
});

describe('a call that a person has, or is to have', () => {
  test('goes on with both: each is asked for its audio, and nobody is hung up on', async () => {
    const id = await callWithPerson('bridged');
    await heir('eng_a', { othersRoom: 0 }).look();
    await eventually(() => taken.length === 1);
    const { transfer, from } = taken[0] ?? assert.fail();
    assert.deepEqual(asked.sort(), ['eng_a 192.0.2.1:30000 after 17 s', 'eng_a 192.0.2.1:30002 after 17 s']);
    assert.deepEqual([from.port, transfer?.from.person?.port, transfer?.leg?.sipCallId], [30_000, 30_002, 's']);
    assert.equal(transfer?.from.person?.leg?.audio.remotePort, 7_000);
    const talkedMs = sharedClockMs() - (transfer?.from.person?.beganAtMs ?? 0);
    assert.ok(Math.abs(talkedMs - 57_000) < 2_000, `${talkedMs}`);
    await eventually(async () => (await eventsOf(id)).join() === 'call.resumed');
    assert.deepEqual([hungUp, await openLegs(id)], [[], 1]);
  });

  test('a person who cannot be had: the caller’s call goes on without them', async () => {
    person = refused();
    const id = await callWithPerson('bridged');
    await heir('eng_a', { othersRoom: 0 }).look();
    await eventually(() => taken.length === 1);
    assert.equal(taken[0]?.transfer, null);
    await eventually(async () => (await openLegs(id)) === 0);
    assert.deepEqual(hungUp, [], 'who refused needs no BYE');
  });

  test('no port for the person: they are let go', async () => {
    personPort = null;
    const id = await callWithPerson('bridged');
    await heir('eng_a', { othersRoom: 0 }).look();
    await eventually(async () => taken.length === 1 && (await openLegs(id)) === 0);
    assert.deepEqual([taken[0]?.transfer, hungUp], [null, ['human']]);
  });

  test('a caller who cannot be had: the person is let go, once, and the call is closed', async () => {
    peer = refused();
    const id = await callWithPerson('bridged');
    await heir('eng_a', { othersRoom: 0 }).look();
    await eventually(async () => (await row(id)).endedAt !== null);
    assert.deepEqual([taken, hungUp], [[], ['asked person']]);
  });

  test('a person who was only told who is waiting is let go, and the agent has the caller', async () => {
    const id = await callWithPerson('announcing');
    await heir('eng_a', { othersRoom: 0 }).look();
    await eventually(async () => taken.length === 1 && (await openLegs(id)) === 0);
    assert.deepEqual([taken[0]?.transfer, hungUp, asked.length], [null, ['human'], 1]);
  });

  test('a REFER that is out goes on: its result comes to this engine', async () => {
    await call(withPerson('referring'));
    await heir('eng_a', { othersRoom: 0 }).look();
    await eventually(() => taken.length === 1);
    assert.deepEqual([taken[0]?.transfer?.from.referLeftMs, asked.length], [9_000, 1]);
  });
});

test('a browser is not asked: it joins again', async () => {
  const id = await call({ leg: null, port: 0, medium: { kind: 'web', token: 'ab' } });
  await heir('eng_a', { othersRoom: 0 }).look();
  await eventually(async () => taken.length === 1 && (await eventsOf(id)).join() === 'call.resumed');
  assert.deepEqual([asked, taken[0]?.leg, taken[0]?.from.leg], [[], null, null]);
});

test('a browser that talks to a person: only the person is asked, and is had again', async () => {
  const id = await callWithPerson('bridged', { leg: null, port: 0, medium: { kind: 'web', token: 'ab' } });
  await heir('eng_a', { othersRoom: 0 }).look();
  await eventually(async () => taken.length === 1 && (await eventsOf(id)).join() === 'call.resumed');
  assert.deepEqual(asked, ['eng_a 192.0.2.1:30002 after 17 s']);
  assert.deepEqual([taken[0]?.leg, taken[0]?.transfer?.leg?.sipCallId], [null, 's']);
  assert.deepEqual([hungUp, await openLegs(id)], [[], 1]);
});

test('what stays with its machine: a call without a peer, and a person’s leg of which nothing is known', () => {
  const answered = (state: string) => ({ phase: 'answered', answered: { transfer: { state } } });
  const described = { version: CONTINUATION_VERSION, leg: {}, state: answered('pending'), writtenAtSharedMs: 1 };
  assert.equal(isMovable(described), true);
  assert.equal(isMovable({ ...described, leg: null }), false);
  const web = { leg: null, medium: { kind: 'web', token: '' } };
  assert.equal(isMovable({ ...described, ...web }), true);
  const bridged = { ...described, version: BRIDGED_VERSION, state: answered('bridged') };
  assert.equal(isMovable({ ...bridged, transfer: { person: { leg: {} } } }), true);
  assert.equal(isMovable({ ...bridged, transfer: { person: null } }), false);
  assert.equal(isMovable({ ...bridged, ...web, transfer: { person: { leg: {} } } }), true);
  assert.equal(isMovable({ ...bridged, leg: null, transfer: { person: { leg: {} } } }), false);
});
