// From POST /calls to the INVITE: the API's rows on a real database, taken by the engine's switchboard, with a
// scripted line and shard, and a writer that fails on demand.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { pino } from 'pino';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { listOrphanedCalls } from '../../../db/queries/calls/running/orphans.ts';
import type { EngineRequestTable } from '../../../db/schema/processes.ts';
import { newId } from '../../../db/shared/id.ts';
import { type OperationName, operations } from '../../../db/writing/operations.ts';
import { createCallStore } from '../../../engine/call/store.ts';
import { ownPlaces } from '../../../engine/cluster/places.ts';
import { ModelBreakers } from '../../../engine/dialogue/model-breakers.ts';
import { createAdmission } from '../../../engine/load/admission.ts';
import type { ShardEvent } from '../../../engine/shard/protocol.ts';
import type { DialRequest, LegEvent } from '../../../engine/sip/telephony.ts';
import { LostCalls } from '../../../engine/succession/close.ts';
import { ApiRequests } from '../../../engine/switchboard/api-requests.ts';
import { RunningCalls } from '../../../engine/switchboard/running-calls.ts';
import { Switchboard } from '../../../engine/switchboard/switchboard.ts';
import { createMetrics } from '../../../engine/sync/metrics.ts';
import { addTrunk, engineIs, type Setup, setUpCampaign } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';
import { NO_OWN_TOOLS } from '../../support/no-tools.ts';

const ENGINE = 'eng_test';
const log = pino({ level: 'silent' });

const api = useFreshApi();
let set: Setup;
let trunkId: string;
let engine: ReturnType<typeof startEngine>;

beforeEach(async () => {
  set = await setUpCampaign(api, api.tenant);
  trunkId = await addTrunk(api);
  await engineIs(api, { maxCalls: 100 });
  engine = startEngine();
});

function startEngine() {
  const clock = new VirtualClock(api.clock.now);
  const dialled: DialRequest[] = [];
  const refused = new Map<OperationName, number>();
  let lost: OperationName | null = null;
  let other: string | null = null;
  let paceMs = 0;
  let render = async (): Promise<void> => {};
  const write = async (name: OperationName, args: unknown): Promise<unknown> => {
    const left = refused.get(name) ?? 0;
    if (left > 0) {
      refused.set(name, left - 1);
      throw Object.assign(new Error(`${name} refused`), { code: 'SQLITE_FULL' });
    }
    const operation = operations[name] as (db: unknown, args: unknown) => Promise<unknown>;
    const result = await api.context.db.transaction().execute((trx) => operation(trx, args));
    if (name !== lost) return result;
    lost = null;
    throw Object.assign(new Error('Connection terminated'), { code: '08006' });
  };
  const writer = { run: write, runDurably: write, runWithin: write } as never;
  const never = (): never => {
    throw new Error('not in this test');
  };
  const telephony = {
    start: never,
    onInvite: () => {},
    setAdmission: () => {},
    setTrunks: never,
    onTrunkState: never,
    endStored: async () => {},
    reaches: never,
    drain: () => {},
    stop: never,
    dial: (request: DialRequest) => {
      dialled.push(request);
      let listener: (event: LegEvent) => void = () => {};
      return {
        sipCallId: 'sip',
        direction: 'outbound' as const,
        onEvent: (on: (event: LegEvent) => void) => {
          listener = on;
        },
        hangUp: () =>
          listener({
            type: 'ended',
            end: { by: 'local', sipStatus: null, q850Cause: null, reason: '', rang: false },
          }),
        refer: never,
        sendInfoDigits: never,
      };
    },
  };
  const listeners = new Map<string, (event: ShardEvent) => void>();
  const admission = createAdmission(100);
  const running = new RunningCalls();
  const switchboard = new Switchboard({
    running,
    telephony,
    shards: {
      open: ({ callId }, onEvent) => {
        listeners.set(callId, onEvent);
        clock.after(1, () => onEvent({ type: 'opened', callId, address: '127.0.0.1', port: 20_000 }));
      },
      send: () => true,
    },
    writer,
    read: api.context.read,
    store: createCallStore(api.context.read, null),
    dialogueOfCall: () => ({
      dialogue: { name: 'none', complete: null, reply: never },
      breakers: new ModelBreakers(clock),
    }),
    tools: NO_OWN_TOOLS,
    llmTimeoutMs: 8_000,
    recogniser: { patienceMs: 1_500, blockMs: 60, hearsWords: false },
    recordingsDir: '/tmp',
    trunksFor: async () => [trunkId],
    acceptsRefer: () => true,
    permits: { obstacle: async () => null, place: async () => () => {}, adoptPlace: () => () => {} },
    routeOf: (id) => (id === trunkId ? [id] : []),
    paceOf: () => {
      paceMs += 400;
      return paceMs - 400;
    },
    clock,
    log,
    metrics: createMetrics(),
    engineId: ENGINE,
    admission,
    isDatabaseAway: () => false,
    places: {
      ...ownPlaces(admission, ENGINE),
      take: (kind) => (other === null ? ownPlaces(admission, ENGINE).take(kind) : { engineId: other, isOwn: false }),
    },
    onRead: () => undefined,
    onRefused: () => undefined,
  });
  const requests = new ApiRequests({
    read: api.context.read,
    writer,
    clock,
    engineId: ENGINE,
    log,
    places: () => true,
    calls: switchboard,
    renderPreview: () => render(),
    downloadModel: async () => {},
    admitListener: () => 'CALL_ENDED',
    testModel: never,
  });
  const lostCalls = new LostCalls(
    {
      read: api.context.read,
      writer,
      telephony,
      engineId: ENGINE,
      recordingsDir: '/tmp',
      now: () => clock.nowMs(),
      log,
    },
    (callId) => running.has(callId),
  );
  return {
    clock,
    dialled,
    admission,
    switchboard,
    requests,
    lost: lostCalls,
    refuse: (name: OperationName, times: number) => refused.set(name, times),
    /** It is written, and its writer does not hear of it. */
    loseAnswer: (name: OperationName) => {
      lost = name;
    },
    /** Another engine has more room. */
    roomAt: (engineId: string | null) => {
      other = engineId;
    },
    renderBy: (how: () => Promise<void>) => {
      render = how;
    },
  };
}

const place = (toNumber: string) =>
  api.tenant.ask('POST', '/calls', { campaignId: set.campaign.id, toNumber, fromPhoneNumberId: set.number.id });

/** Writes a request as the API does. */
const request = (asked: Pick<EngineRequestTable, 'kind' | 'callId' | 'payload' | 'createdAt'>) => {
  const { accountId } = api.tenant;
  const open = { claimedAt: null, claimedBy: null, doneAt: null, result: null };
  const row = { id: newId('req'), accountId, expiresAt: api.clock.now + 30_000, ...open, ...asked };
  return api.context.db.insertInto('engineRequests').values(row).execute();
};

const numberOf = (i: number): string => `+1415555${2_600 + i}`;

async function settle(): Promise<void> {
  for (let round = 0; round < 40; round++) await new Promise((resolve) => setImmediate(resolve));
}

async function run(ms: number): Promise<void> {
  for (let done = 0; done < ms; done += 100) {
    await settle();
    engine.clock.advance(100);
  }
  await settle();
}

const rowOf = (callId: string) =>
  api.context.read.selectFrom('calls').selectAll().where('id', '=', callId).executeTakeFirstOrThrow();

test('a request whose answer cannot be written does not hold up others: every call is dialled', async () => {
  for (let i = 0; i < 5; i++) assert.equal((await place(numberOf(i))).status, 201);
  engine.refuse('finishRequest', 3);
  await engine.requests.take();
  await run(3_000);
  assert.equal(engine.dialled.length, 5);
});

test('a call that cannot be started is closed and releases its place', async () => {
  const call = (await place(numberOf(0))).json.data;
  // The campaign's business row is damaged, so no call can be built from it.
  await api.context.db.updateTable('businesses').set({ services: 'damaged' }).execute();
  await engine.requests.take();
  await run(200);
  const row = await rowOf(call.id);
  assert.equal(row.status, 'FAILED');
  assert.equal(row.endReason, 'crash');
  assert.equal(engine.admission.active, 0);
});

test('a call without a trunk gives back its own place, and no other, where its end cannot be written', async () => {
  const call = (await place(numberOf(0))).json.data;
  await api.context.db.updateTable('calls').set({ trunkId: null }).where('id', '=', call.id).execute();
  assert.ok(engine.admission.admit('api'), 'another call');
  engine.refuse('endUndialledCall', 1);
  await engine.requests.take();
  await run(200);
  assert.equal(engine.admission.active, 1);
});

describe('an accepted call for which there is no place just now', () => {
  const busy = async () => {
    while (engine.admission.admit('api'));
    const { id } = (await place(numberOf(0))).json.data;
    await engine.requests.take();
    await run(1_000);
    assert.equal(engine.dialled.length, 0);
    assert.equal((await rowOf(id)).endedAt, null);
    return id;
  };

  test('is dialled as soon as another call ends', async () => {
    await busy();
    engine.admission.release();
    await run(500);
    assert.equal(engine.dialled.length, 1);
  });

  test('fails after ten seconds', async () => {
    const id = await busy();
    await run(9_500);
    assert.deepEqual([engine.dialled.length, (await rowOf(id)).endReason], [0, 'capacity']);
  });

  test('ends at once where its client ends it', async () => {
    const id = await busy();
    await request({ kind: 'end-call', callId: id, payload: '{}', createdAt: api.clock.now + 1 });
    await engine.requests.take();
    await run(500);
    assert.deepEqual([engine.dialled.length, (await rowOf(id)).endReason], [0, 'api']);
  });
});

test('a slow voice does not hold up calls', async () => {
  engine.renderBy(() => new Promise(() => {}));
  const payload = JSON.stringify({ voiceId: 'x', path: '/tmp/x.wav' });
  await request({ kind: 'voice-preview', callId: null, payload, createdAt: api.clock.now - 10 });
  await place(numberOf(0));
  await engine.requests.take();
  await run(200);
  assert.equal(engine.dialled.length, 1);
});

test('an end requested right after the dial does not overtake it', async () => {
  const call = (await place(numberOf(0))).json.data;
  await request({ kind: 'end-call', callId: call.id, payload: '{}', createdAt: api.clock.now + 1 });
  await engine.requests.take();
  await run(3_000);
  assert.equal((await rowOf(call.id)).endReason, 'api');
});

test("a call that waited for its trunk's pace is checked again before it is dialled", async () => {
  const calls = [];
  for (let i = 0; i < 4; i++) calls.push((await place(numberOf(i))).json.data);
  await engine.requests.take();
  await run(100);
  assert.equal(engine.dialled.length, 1, 'the others wait for their turn');
  await api.tenant.ask('POST', '/do-not-call', { phoneNumber: numberOf(1) });
  await run(500);
  assert.equal((await rowOf(calls[1]?.id ?? '')).endReason, 'do_not_call');
  await api.context.db.updateTable('campaigns').set({ status: 'PAUSED' }).where('id', '=', set.campaign.id).execute();
  await run(2_000);
  assert.deepEqual(
    engine.dialled.map(({ to }) => to),
    [numberOf(0)],
  );
  assert.equal((await rowOf(calls[3]?.id ?? '')).endReason, 'campaign_paused');
});

test('a draining engine dials nothing more', async () => {
  const calls = [];
  for (let i = 0; i < 4; i++) calls.push((await place(numberOf(i))).json.data);
  await engine.requests.take();
  await run(100);
  void engine.switchboard.drain();
  await run(5_000);
  assert.equal(engine.dialled.length, 1);
  for (const { id } of calls.slice(1)) assert.equal((await rowOf(id)).endReason, 'shutdown');
});

test('calls beyond what the trunk places in 2 s are not accepted', async () => {
  await api.context.db
    .updateTable('trunks')
    .set({ callsPerSecond: 1, maxConcurrentCalls: 100 })
    .where('id', '=', trunkId)
    .execute();
  const answers = [];
  for (let i = 0; i < 6; i++) answers.push(await place(numberOf(i)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 503, 503, 503],
  );
  assert.equal(answers[3]?.json.code, 'TRUNK_BUSY');
  assert.ok(Number(answers[3]?.headers['retry-after']) >= 1);
});

test('an open call that nobody conducts is closed, one that is conducted is not', async () => {
  const call = (await place(numberOf(0))).json.data;
  const other = (await place(numberOf(1))).json.data;
  await engine.requests.take();
  await run(1_000);
  await api.context.db.updateTable('calls').set({ engineId: ENGINE }).where('id', '=', other.id).execute();
  // As after an end that could not be written: the row is open, but no conductor runs the call.
  const { id: lostId } = await placeLost();
  await engine.lost.look();
  assert.equal((await rowOf(lostId)).endedAt, null, 'one look is no proof');
  await engine.lost.look();
  assert.equal((await rowOf(lostId)).status, 'FAILED');
  assert.equal((await rowOf(call.id)).endedAt, null);
});

async function placeLost(): Promise<{ id: string }> {
  const call = (await place(numberOf(9))).json.data;
  await api.context.db.deleteFrom('engineRequests').where('callId', '=', call.id).execute();
  await api.context.db.updateTable('calls').set({ engineId: ENGINE }).where('id', '=', call.id).execute();
  return call;
}

for (const state of ['draining', 'stopped', 'dead', 'up'] as const) {
  const fate = state === 'up' ? 'does not take it' : `is ${state} before it took it`;
  test(`a call that was given to an engine which ${fate} is dialled by the next, once`, async () => {
    const { id } = (await place(numberOf(0))).json.data;
    await api.context.db.transaction().execute(async (trx) => {
      const nowMs = api.clock.now;
      const [claimed] = await operations.claimRequests(trx, { engineId: ENGINE, nowMs, limit: 1, places: true });
      assert.ok(claimed);
      const given = { id: claimed.id, callId: id, engineId: 'eng_other', expiresAt: nowMs + 10_000 };
      await operations.giveRequest(trx, given);
    });
    await engineIs(api, { id: 'eng_other', state: 'up' });
    await engine.requests.take();
    await run(500);
    assert.equal(engine.dialled.length, 0, 'it is for the other engine to dial');
    if (state === 'up') await run(2_000);
    else await engineIs(api, { id: 'eng_other', state });
    // Nobody takes it for a call that its engine left open.
    const orphans = await listOrphanedCalls(api.context.read, { engineId: ENGINE, limit: 10 });
    assert.deepEqual(orphans, []);
    await engine.requests.take();
    await run(500);
    assert.equal(engine.dialled.length, 1);
    assert.equal((await rowOf(id)).engineId, ENGINE);
    const attempts = await api.context.read.selectFrom('dialAttempts').select('id').where('callId', '=', id).execute();
    assert.equal(attempts.length, 1);
  });
}

test('a claim whose answer was lost is dialled, and only once', async () => {
  const { id } = (await place(numberOf(0))).json.data;
  engine.loseAnswer('claimRequests');
  await assert.rejects(engine.requests.take());
  await run(500);
  assert.equal(engine.dialled.length, 0);
  for (let again = 0; again < 3; again++) await engine.requests.take();
  await run(500);
  assert.equal(engine.dialled.length, 1);
  assert.equal((await rowOf(id)).engineId, ENGINE);
});

test('a call that this engine has given away comes back to it where the other one stands still', async () => {
  const { id } = (await place(numberOf(0))).json.data;
  await engineIs(api, { id: 'eng_other', state: 'up' });
  engine.roomAt('eng_other');
  await engine.requests.take();
  await run(500);
  assert.equal((await rowOf(id)).engineId, 'eng_other');
  engine.roomAt(null);
  await run(2_000);
  for (let again = 0; again < 3; again++) await engine.requests.take();
  await run(500);
  assert.equal(engine.dialled.length, 1);
  assert.equal((await rowOf(id)).engineId, ENGINE);
});
