// The dialogs that an engine has left are ended by the next one, which waits for no answer without an end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../../bench/rig/clock.ts';
import { endStoredDialog } from '../../../../../engine/sip/adapters/drachtio/call/stored-dialog.ts';
import type { Drachtio } from '../../../../../engine/sip/adapters/drachtio/signalling/drachtio.ts';
import type { StoredDialog } from '../../../../../engine/sip/telephony.ts';

const DIALOG: Omit<StoredDialog, 'state'> = {
  role: 'uac',
  transport: 'udp',
  nextHop: '192.0.2.1:5060',
  callId: 'a',
  localUri: '<sip:us@192.0.2.2>',
  localTag: '1',
  remoteUri: '<sip:them@192.0.2.1>',
  remoteTag: '2',
  remoteTarget: 'sip:them@192.0.2.1',
  routeSet: [],
  localCSeq: 1,
  inviteVia: null,
  trunkId: null,
  transactionId: 't-1',
};

for (const state of ['inviting', 'confirmed'] as const) {
  test(`one that is ${state} is given up after five seconds where drachtio says nothing`, async () => {
    const clock = new VirtualClock();
    const sent: unknown[] = [];
    const silent = { request: (_uri: string, { method }: { method: string }) => sent.push(method) };
    let isOver = false;
    const ended = endStoredDialog(silent as unknown as Drachtio, { ...DIALOG, state }, clock).then(() => {
      isOver = true;
    });
    assert.deepEqual(sent, [state === 'inviting' ? 'CANCEL' : 'BYE']);
    assert.equal(isOver, false);
    assert.equal(clock.pending, 1, 'the time limit');
    clock.advance(5_000);
    await ended;
  });
}
