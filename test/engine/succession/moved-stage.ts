// Two living engines on one database, in virtual time, which look after the calls of a third one that was lost with its
// machine.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { beforeEach } from 'node:test';
import { pino } from 'pino';
import type { EngineTable } from '../../../db/schema/processes.ts';
import { type OperationName, operations } from '../../../db/writing/operations.ts';
import { BRIDGED_VERSION, type Continuation, type TakenCall } from '../../../engine/call/going-on/continuation.ts';
import { sealJson, sharedContext } from '../../../engine/journal/sealed-json.ts';
import type { Leg, LegEvent, LegState, StoredDialog } from '../../../engine/sip/telephony.ts';
import { MovedCalls, type MovedCallsDeps } from '../../../engine/succession/by-database.ts';
import { closeCall, closeLeftCalls } from '../../../engine/succession/close.ts';
import { engineIs, type Setup, seedCall, setUpCampaign } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

const key = Buffer.alloc(32, 9);
const log = pino({ level: 'silent' });
const fixture = new URL('../../fixtures/journal/release-before.json', import.meta.url);
const { continuation } = JSON.parse(readFileSync(fixture, 'utf8')) as { continuation: Continuation };
/** Since the dead engine's last heartbeat. */
export const SILENT_MS = 12_000;

/** Its peer's answer to the question for its audio; null: none. */
type Peer = Extract<LegEvent, { type: 'audio-changed' | 'ended' }> | null;
const moved = (): Peer => ({
  type: 'audio-changed',
  audio: { ...continuation.leg?.audio, remotePort: 7_000 } as never,
});
export const refused = (): Peer => ({
  type: 'ended',
  end: { by: 'network', sipStatus: null, q850Cause: null, reason: 'peer answered 481', rang: true },
});

/** The events, and the behaviour of the peers. */
interface MovedStage {
  asked: string[];
  hungUp: string[];
  taken: Array<TakenCall & { by: string }>;
  peer: Peer;
  /** The answer of the person who has the caller. */
  person: Peer;
  /** Null: there is none left. */
  personPort: number | null;
}

const fresh = (): MovedStage => ({
  ...{ asked: [], hungUp: [], taken: [] },
  ...{ peer: moved(), person: moved(), personPort: 30_002 },
});

export const stage = fresh();
/** Of the file whose tests run. */
export let api: ReturnType<typeof useFreshApi>;
let set: Setup;

/** Each test of the file begins with fresh engines and no call. */
export function useMovedStage(): void {
  api = useFreshApi();
  beforeEach(async () => {
    set = await setUpCampaign(api, api.tenant);
    Object.assign(stage, fresh());
    await engine('eng_dead', { state: 'dead', heartbeatAt: api.clock.now - SILENT_MS });
    for (const id of ['eng_a', 'eng_b']) await engine(id);
  });
}

export const engine = (id: string, changes: Partial<EngineTable> = {}) =>
  engineIs(api, { id, home: `home of ${id}`, state: 'up', heartbeatAt: api.clock.now, ...changes });

export const run = (async (name: OperationName, args: unknown) => {
  const operation = operations[name] as (db: unknown, args: unknown) => Promise<unknown>;
  return await api.context.db.transaction().execute((trx) => operation(trx, args));
}) as MovedCallsDeps['writer']['runDurably'];

/** An open call of the dead engine. `change`: of its description; null: there is none. */
export async function call(change: Partial<Continuation> | null = {}): Promise<string> {
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

/** A stage.person has the caller, or is on the way to them. */
export function withPerson(phase: 'bridged' | 'announcing' | 'referring'): Partial<Continuation> {
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

/** A call in which a stage.person was called, whose leg is stored, as the end of the test names it. */
export async function callWithPerson(
  phase: Parameters<typeof withPerson>[0],
  change: Partial<Continuation> = {},
): Promise<string> {
  const id = await call({ ...withPerson(phase), ...change });
  await run('openTransferLeg', { callId: id, accountId: api.tenant.accountId });
  const dialog = { ...personDialog, leg: 'human' } as StoredDialog;
  await run('storeDialog', { callId: id, leg: 'human', dialog, nowMs: api.clock.now });
  return id;
}

export const openLegs = async (id: string) =>
  (await api.context.db.selectFrom('transferLegs').select('callId').where('callId', '=', id).execute()).length;

let count = 0;
const id0 = (): string => `r${count++}`;

interface Successor {
  room?: number | (() => number);
  /** Of the other one, as this one sees it. */
  othersRoom?: number;
  isOn?: boolean;
}

/** An engine that looks after the dead one's calls, and closes those that nobody goes on with. */
export function successor(engineId: string, { room = 10, othersRoom = 10, isOn = true }: Successor = {}) {
  const telephony: MovedCallsDeps['telephony'] = {
    move(state: LegState, elapsedMs, audio) {
      stage.asked.push(`${engineId} ${audio.address}:${audio.port} after ${Math.round(elapsedMs / 1_000)} s`);
      const isPerson = state.sipCallId === PERSON;
      const answer = isPerson ? stage.person : stage.peer;
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
          stage.hungUp.push(isPerson ? 'asked person' : 'leg');
        },
        refer: () => undefined,
        sendInfoDigits: () => undefined,
      } satisfies Leg;
    },
    endStored: async (dialog) => void stage.hungUp.push((dialog as unknown as { leg: string }).leg),
  };
  const other = engineId === 'eng_a' ? 'eng_b' : 'eng_a';
  const clock = { nowMs: () => api.clock.now, monotonicMs: () => api.clock.now, after: () => () => undefined };
  const closing = {
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
        if (stage.personPort === null) throw new Error('no port');
        return { address: '192.0.2.1', port: stage.personPort, close: () => undefined };
      },
      resume: (of) => void stage.taken.push({ ...(of as TakenCall), by: engineId }),
    },
    admission: {
      get free() {
        return typeof room === 'function' ? room() : room;
      },
    },
    places: { others: () => [{ engineId: other, room: othersRoom }] },
    home: `home of ${engineId}`,
    isOn,
    recordingsDir: '/here',
    sealingKey: key,
    skewMs: () => 0,
    close: (orphan) => closeCall(orphan, closing),
  });
  const claim: MovedCalls['claim'] = (orphans) => calls.claim(orphans);
  return { calls, look: () => closeLeftCalls({ ...closing, claim }) };
}

export const row = (id: string) =>
  api.context.db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
export const eventsOf = async (id: string) => {
  const events = await api.context.db
    .selectFrom('events')
    .select('type')
    .where('subjectId', '=', id)
    .orderBy('seq')
    .execute();
  return events.map(({ type }) => type);
};
