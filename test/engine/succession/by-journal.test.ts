// Which ringing calls of a dead engine the next one goes on with: the journal may be behind the wire by a moment, and
// the stored dialog never is.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import type { CallSetup } from '../../../db/rules/routing.ts';
import { sharedClockMs } from '../../../db/shared/process/shared-clock.ts';
import { type OperationName, operations } from '../../../db/writing/operations.ts';
import { recordKeyOf } from '../../../engine/call/going-on/continuation.ts';
import { RINGING_VERSION, type TakenRinging } from '../../../engine/call/going-on/ringing.ts';
import type { DialRequest, StoredDialog } from '../../../engine/sip/telephony.ts';
import { type TakeOverDeps, takeOverCalls } from '../../../engine/succession/by-journal.ts';
import { seedCall } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

const api = useFreshApi();

const dialog = (change: Partial<StoredDialog> = {}): StoredDialog => ({
  state: 'inviting',
  role: 'uac',
  transport: 'udp',
  nextHop: '192.0.2.7:5060',
  callId: 'sip-1',
  localUri: '<sip:a@example.test>',
  localTag: 'a',
  remoteUri: '<sip:b@example.test>',
  remoteTag: null,
  remoteTarget: 'sip:b@192.0.2.7',
  routeSet: [],
  localCSeq: 1,
  inviteVia: 'SIP/2.0/UDP 192.0.2.1:5060;rport;branch=z9hG4bKone',
  trunkId: 'trk_1',
  ...change,
});

const SETUP = {
  business: { redaction: null },
  agent: { language: 'en-US', additionalLanguages: '[]' },
} as CallSetup;

const run = (async (name: OperationName, args: unknown) => {
  const operation = operations[name] as (db: unknown, args: unknown) => Promise<unknown>;
  return await api.context.db.transaction().execute((trx) => operation(trx, args));
}) as TakeOverDeps['writer']['runDurably'];

interface Moment {
  /** As the database has it; null: it has none. */
  stored?: StoredDialog | null;
  silentMs?: number;
  version?: unknown;
  canRing?: boolean;
  /** The engine that has the call by the database. */
  owner?: string;
}

/** A call that rang when its engine died, by the journal. */
async function death({
  stored = dialog(),
  silentMs = 1_500,
  version = RINGING_VERSION,
  canRing = true,
  owner,
}: Moment) {
  const nowMs = api.clock.now;
  const { id } = await seedCall(api, api.tenant, {
    status: 'RINGING',
    answeredAt: null,
    endedAt: null,
    durationSeconds: 0,
    outcome: null,
    endReason: null,
    engineId: owner ?? 'eng_dead',
  });
  if (stored) await run('storeDialog', { callId: id, leg: 'peer', dialog: stored, nowMs });
  const from = {
    version,
    call: { id, accountId: api.tenant.accountId },
    engineId: 'eng_dead',
    writtenAtMs: nowMs - 20_000,
    medium: { kind: 'outbound', trunkIds: ['trk_1'], detectMachines: true },
    leg: { sipCallId: 'sip-1', dialog: dialog(), earlyAudio: null, rest: {} },
    port: 20_000,
    state: { phase: 'ringing', rang: true, life: { timers: { ring: 1 } } },
    timers: { ring: 30_000 },
    resumptions: [],
    suspicions: 0,
  };
  const pulse = { callId: id, speaking: null, stream: null, hasHeard: false };
  const pulses = {
    beganAtMs: 0,
    deaths: 0,
    active: null,
    shards: [{ atMs: sharedClockMs() - silentMs, calls: [pulse] }],
  };
  const forgotten: string[] = [];
  const changed: string[] = [];
  const taken: TakenRinging[] = [];
  let elapsedMs: number | null = null;
  let beforeInvite: DialRequest['beforeInvite'];
  const deps: TakeOverDeps = {
    journal: {
      files: {
        calls: () => [id],
        readCall: () => from,
        readPulse: () => pulses,
        takeSuspect: () => null,
        forget: (callId: string) => forgotten.push(callId),
      } as unknown as TakeOverDeps['journal']['files'],
      begin() {},
      beginEmpty() {},
      changed: (callId) => void changed.push(callId),
    },
    read: api.context.read,
    writer: { runDurably: run },
    telephony: {
      resume: () => assert.fail('it was not answered'),
      endStored: () => assert.fail('no person was called'),
      ...(canRing && {
        resumeRinging: (_state, ms, before) => {
          elapsedMs = ms;
          beforeInvite = before;
          return {} as never;
        },
      }),
    },
    switchboard: { resume: (of) => void taken.push(of as TakenRinging), rehearse: () => assert.fail('not here') },
    engineId: 'eng_new',
    isShared: true,
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, after: () => () => {} },
    log: pino({ level: 'silent' }),
  };
  const count = await takeOverCalls(deps, new Map([[id, SETUP]]));
  const { engineId } = await api.context.db
    .selectFrom('calls')
    .select('engineId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { id, count, taken, forgotten, changed, engineId, elapsedMs, beforeInvite };
}

test('one whose INVITE is the stored one: the row is taken, and the hole is that of its process', async () => {
  const { id, count, taken, engineId, elapsedMs, beforeInvite, changed } = await death({});
  assert.deepEqual([count, engineId, elapsedMs], [1, 'eng_new', 20_000]);
  const { atMs, gapMs, cause } = taken[0]?.resumption ?? {};
  assert.deepEqual([atMs, cause], [0, 'crash']);
  assert.ok(gapMs !== undefined && gapMs >= 1_500 && gapMs < 5_000, `${gapMs}`);
  const events = await api.context.db.selectFrom('events').select(['type', 'subjectId']).execute();
  assert.deepEqual(
    events.filter(({ subjectId }) => subjectId === id).map(({ type }) => type),
    ['call.resumed'],
  );
  const next = dialog({ localCSeq: 2, inviteVia: 'SIP/2.0/UDP 192.0.2.1:5060;rport;branch=z9hG4bKtwo' });
  await beforeInvite?.(next);
  const row = await api.context.db.selectFrom('callDialogs').select('dialog').executeTakeFirstOrThrow();
  assert.deepEqual([JSON.parse(row.dialog), changed], [next, [id]], 'its next INVITE is stored before it leaves');
});

describe('none, and it is left to be ended', () => {
  for (const [name, moment] of Object.entries<Moment>({
    'whose answer was acknowledged': { stored: dialog({ state: 'confirmed', inviteVia: null, remoteTag: 'b' }) },
    'whose INVITE was followed by another one': { stored: dialog({ inviteVia: 'SIP/2.0/UDP x;branch=z9hG4bKtwo' }) },
    'that was never stored, or has ended': { stored: null },
    'that nobody has heard of for too long': { silentMs: 31_000 },
    'of another release': { version: 'ringing-2' },
    'by an adapter that cannot': { canRing: false },
    'that another engine has by now': { owner: 'eng_other' },
  })) {
    test(name, async () => {
      const { id, count, taken, forgotten, engineId } = await death(moment);
      const owner = moment.owner ?? 'eng_dead';
      assert.deepEqual([count, taken, forgotten, engineId], [0, [], [id, recordKeyOf(id)], owner]);
    });
  }
});
