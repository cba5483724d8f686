// The life of a call on each connection of the writer, before the first call: PostgreSQL parses and plans a statement,
// and compiles what its triggers do, when a connection first uses it. Nothing of it is committed (decision 48).
import { randomUUID } from 'node:crypto';
import * as callLife from '../queries/calls/life.ts';
import { storeDialog } from '../queries/calls/running/dialogs.ts';
import * as callFeed from '../queries/calls/running/feed.ts';
import { insertContacts } from '../queries/campaigns/contacts.ts';
import { claimAttempts, writeClaim } from '../rules/dial-claims.ts';
import type { Db } from '../schema.ts';
import { transact, trunkWord } from '../scope.ts';
import { newId } from '../shared/id.ts';

/**
 * On so many connections, one after the other. Each is kept until the last has rehearsed: one that is free would be
 * taken again in place of the next. @throws the first fault, once all are given back
 */
export async function rehearse(db: Db, connections: number, index = 0): Promise<void> {
  if (index === connections) return;
  await db.connection().execute(async (one) => {
    // The driver keeps what it sees for the second time, on whatever connection.
    await rehearseOn(one as Db, index === 0 ? 2 : 1);
    await rehearse(db, connections, index + 1);
  });
}

/** All of it is rolled back. */
const OVER = new Error('the rehearsal is over');

/** On one connection. */
export async function rehearseOn(connection: Db, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    const [accountId, trunkId, nowMs] = [newId('acc'), newId('trk'), Date.now()];
    const scope = { accounts: [accountId], words: [trunkWord(trunkId)] };
    const entry = { engineId: null, operations: [randomUUID()], nowMs, isLosable: false };
    const play = async (tx: Db): Promise<never> => {
      await playCall(tx, { accountId, trunkId, nowMs });
      throw OVER;
    };
    await transact(connection, scope, play, entry).catch((error: unknown) => {
      if (error !== OVER) throw error;
    });
  }
}

async function playCall(
  tx: Db,
  { accountId, trunkId, nowMs }: { accountId: string; trunkId: string; nowMs: number },
): Promise<void> {
  const callId = newId('call');
  const campaign = { id: newId('cmp'), accountId, businessId: newId('biz'), agentId: newId('agt') };
  const contact = {
    id: newId('cnt'),
    campaignId: campaign.id,
    phoneNumber: '+10000000000',
    name: null,
    email: null,
    status: 'PENDING' as const,
    attempts: 0,
    lastCallId: null,
    nextAttemptAt: null,
    variables: '{}',
    metadata: '{}',
    createdAt: nowMs,
  };
  const attempt = {
    callId,
    engineId: 'eng_rehearsal',
    accountId,
    trunkId,
    isOwn: false,
    contactId: contact.id,
    campaignId: campaign.id,
    phoneNumberId: newId('pn'),
    toNumber: contact.phoneNumber,
    trunkMaxCalls: 1,
    callingWindow: null,
  };
  await insertContacts(tx, accountId, [contact]);
  // It asks everything, and refuses: there is no such campaign.
  await claimAttempts(tx, { nowMs, maxCalls: 1_000, attempts: [attempt] });
  const number = { id: attempt.phoneNumberId, phoneNumber: contact.phoneNumber };
  await writeClaim(tx, { campaign, contact, number, attempt, nowMs });
  await callLife.markStarted(tx, { callId, type: 'call.started', nowMs });
  await storeDialog(tx, { callId, leg: 'peer', dialog: {}, nowMs });
  await callLife.markAnswered(tx, { callId, recordingPath: null, nowMs });
  await callFeed.appendFeed(tx, { accountId, callId, type: 'transcript', data: {}, nowMs });
  await callLife.endCall(tx, {
    callId,
    status: 'COMPLETED',
    outcome: 'completed',
    endReason: 'caller_hangup',
    endedAtMs: nowMs + 1,
    transcript: [],
    contact: { status: 'COMPLETED', nextAttemptAt: null },
  });
}
