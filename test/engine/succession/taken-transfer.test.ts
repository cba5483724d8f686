// Which transfer of a dead engine goes on, by the journal and by the stored dialog, and who is let go otherwise.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { comesToRest } from '../../../bench/rig/eventually.ts';
import { type OperationName, operations } from '../../../db/writing/operations.ts';
import type { Continuation } from '../../../engine/call/going-on/continuation.ts';
import type { PersonContinuation, TransferContinuation } from '../../../engine/call/going-on/transfer-continuation.ts';
import type { StoredDialog } from '../../../engine/sip/telephony.ts';
import { takeTransfer } from '../../../engine/succession/taken-transfer.ts';
import { seedCall } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

const api = useFreshApi();

const run = (async (name: OperationName, args: unknown) => {
  const operation = operations[name] as (db: unknown, args: unknown) => Promise<unknown>;
  return await api.context.db.transaction().execute((trx) => operation(trx, args));
}) as Parameters<typeof takeTransfer>[2]['writer']['runDurably'];

const dialog = (change: Partial<StoredDialog> = {}): StoredDialog =>
  ({ state: 'inviting', role: 'uac', callId: 'sip-2', inviteVia: 'SIP/2.0/UDP one', ...change }) as StoredDialog;
const CONFIRMED = dialog({ state: 'confirmed', inviteVia: null });
const RINGING = { ringing: { dialog: dialog() } } as Partial<PersonContinuation>;
const UP = { leg: { dialog: CONFIRMED } } as Partial<PersonContinuation>;

interface Moment {
  phase: TransferContinuation['state']['phase'] | 'none';
  person?: Partial<PersonContinuation>;
  /** As the database has the person's leg; null: it has none. */
  stored?: StoredDialog | null;
}

async function death({ phase, person, stored = null }: Moment) {
  const nowMs = api.clock.now;
  const { id } = await seedCall(api, api.tenant, { status: 'IN_PROGRESS', endedAt: null, engineId: 'eng_new' });
  if (stored) await run('storeDialog', { callId: id, leg: 'human', dialog: stored, nowMs });
  await run('openTransferLeg', { callId: id, accountId: api.tenant.accountId });
  const transfer: TransferContinuation | null =
    phase === 'none'
      ? null
      : {
          target: '+15550100',
          state: { phase },
          referLeftMs: null,
          isReferralCounted: false,
          person: person ? ({ leg: null, ringing: null, ...person } as PersonContinuation) : null,
        };
  const state = phase === 'bridged' ? 'bridged' : phase === 'none' ? 'none' : 'pending';
  const from = {
    call: { id, accountId: api.tenant.accountId },
    writtenAtMs: nowMs - 2_000,
    state: { phase: 'answered', answered: { transfer: { state, target: '' } } },
    transfer,
  } as unknown as Continuation;
  const ended: StoredDialog[] = [];
  const writes: Array<Promise<unknown>> = [];
  const writing: typeof run = (...operation) => {
    const written = run(...operation);
    writes.push(written);
    return written;
  };
  const taken = await takeTransfer(from, null, {
    read: api.context.read,
    writer: { runDurably: writing },
    telephony: { endStored: async (each) => void ended.push(each) },
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, after: () => () => {} },
    log: pino({ level: 'silent' }),
  });
  // Writes that nobody waits for.
  await comesToRest();
  await Promise.all(writes);
  const legs = await api.context.db.selectFrom('transferLegs').select('callId').where('callId', '=', id).execute();
  return { taken, ended, isCounted: legs.length > 0 };
}

const GOES_ON: Array<[string, Moment]> = [
  ['a REFER that is out', { phase: 'referring' }],
  ['a telephone that rings by the stored INVITE', { phase: 'ringing', person: RINGING, stored: dialog() }],
  ['a person who hears the announcement', { phase: 'announcing', person: UP, stored: CONFIRMED }],
  ['a person who has the caller, stored or not', { phase: 'bridged', person: UP }],
];
for (const [name, moment] of GOES_ON) {
  test(`goes on: ${name}`, async () => {
    const { taken, ended, isCounted } = await death(moment);
    assert.equal(taken?.from.state.phase, moment.phase);
    assert.equal(taken?.elapsedMs, 2_000);
    assert.deepEqual([ended, isCounted], [[], true]);
  });
}

const ENDS: Array<[string, Moment & { stored: StoredDialog }]> = [
  ['whose answer was acknowledged', { phase: 'ringing', person: RINGING, stored: CONFIRMED }],
  ['whose INVITE was followed by another', { phase: 'ringing', person: RINGING, stored: dialog({ inviteVia: 'two' }) }],
  ['whose INVITE had left by the database alone', { phase: 'ringing', person: {}, stored: dialog() }],
  ['of whom the journal has not heard', { phase: 'none', stored: dialog() }],
  ['whose answer could not be described', { phase: 'announcing', person: {}, stored: CONFIRMED }],
  ['who was called for the release before, which said nothing of them', { phase: 'opening', stored: dialog() }],
];
for (const [name, moment] of ENDS) {
  test(`is let go: one ${name}`, async () => {
    const { taken, ended, isCounted } = await death(moment);
    assert.equal(taken, null);
    assert.deepEqual([ended, isCounted], [[moment.stored], false]);
  });
}

test('of several who rang at once, all are let go', async () => {
  const nowMs = api.clock.now;
  const { id: callId } = await seedCall(api, api.tenant, { status: 'IN_PROGRESS', endedAt: null, engineId: 'eng_new' });
  const dialogs = ['one', 'two', 'three'].map((each) => dialog({ callId: each }));
  for (const [slot, each] of dialogs.entries()) {
    await run('storeDialog', { callId, leg: `human:0:${slot}`, dialog: each, nowMs });
    await run('openTransferLeg', { callId, accountId: api.tenant.accountId, leg: slot });
  }
  await run('storeDialog', { callId, leg: 'peer', dialog: dialog({ callId: 'the caller' }), nowMs });
  const from = {
    call: { id: callId, accountId: api.tenant.accountId },
    writtenAtMs: nowMs,
    state: { phase: 'answered', answered: { transfer: { state: 'pending', target: '' } } },
    transfer: { target: '+1', state: { phase: 'opening' }, referLeftMs: null, isReferralCounted: false, person: null },
  } as unknown as Continuation;
  const ended: string[] = [];
  const writes: Array<Promise<unknown>> = [];
  const writing: typeof run = (...operation) => {
    const written = run(...operation);
    writes.push(written);
    return written;
  };
  const taken = await takeTransfer(from, null, {
    read: api.context.read,
    writer: { runDurably: writing },
    telephony: { endStored: async (each) => void ended.push(each.callId) },
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, after: () => () => {} },
    log: pino({ level: 'silent' }),
  });
  assert.deepEqual([taken, ended.sort()], [null, ['one', 'three', 'two']]);
  const legs = await api.context.db.selectFrom('transferLegs').select('callId').execute();
  assert.deepEqual(
    legs.filter((each) => each.callId.startsWith(callId)),
    [],
  );
});
