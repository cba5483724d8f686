// A dialog in a form that survives this process, and its end by a later one. drachtio keeps dialogs when the engine
// dies; if drachtio has restarted too, the BYE is written from the stored form.

import { hostPort } from '../../../../../db/shared/net/url-host.ts';
import type { Clock } from '../../../../clock.ts';
import { sleep } from '../../../../clock.ts';
import type { Flow } from '../../../stack/network/transport-layer.ts';
import { headerValues, type SipMessage } from '../../../stack/wire/message.ts';
import type { StoredDialog } from '../../../telephony.ts';
import { type Drachtio, type DrachtioDialog, type DrachtioRequest, sendRequest } from '../signalling/drachtio.ts';

/** A From or To without its tag. */
function untagged(value: string): string {
  return value.replace(/;\s*tag=[^;]*/i, '');
}

/** `message`: the INVITE on the callee's side, the 2xx on the caller's; each carries the route for later requests. */
export function confirmedDialog(
  dialog: DrachtioDialog,
  role: StoredDialog['role'],
  message: SipMessage,
  flow: Flow,
  trunkId: string | null,
): StoredDialog {
  const { callId, localTag, remoteTag } = dialog.sip;
  const routes = headerValues(message, 'record-route');
  const own = role === 'uas' ? 'to' : 'from';
  const other = role === 'uas' ? 'from' : 'to';
  return {
    state: 'confirmed',
    role,
    transport: flow.protocol,
    nextHop: hostPort(flow.remote.address, flow.remote.port),
    callId,
    localUri: untagged(headerValues(message, own)[0] ?? ''),
    localTag,
    remoteUri: untagged(headerValues(message, other)[0] ?? ''),
    remoteTag,
    remoteTarget: dialog.remote.uri,
    routeSet: role === 'uas' ? routes : routes.reverse(),
    // drachtio numbers the requests itself; the stored BYE only needs a higher number.
    localCSeq: cseqOf(dialog.req),
    inviteVia: null,
    trunkId,
  };
}

function cseqOf(request: DrachtioRequest): number {
  return Number.parseInt(request.get('CSeq') ?? '1', 10) || 1;
}

const CSEQ_RESERVE = 100;
const ANSWER_MS = 5_000;

/** Ends the dialog by CANCEL or BYE. Resolves on the answer, or after a time limit. */
export async function endStoredDialog(drachtio: Drachtio, dialog: StoredDialog, clock: Clock): Promise<void> {
  const answered = dialog.state === 'inviting' ? cancel(drachtio, dialog) : hangUp(drachtio, dialog);
  await Promise.race([answered, sleep(clock, ANSWER_MS)]);
}

async function hangUp(drachtio: Drachtio, dialog: StoredDialog): Promise<void> {
  const { callId, localTag, remoteTag, role } = dialog;
  const fromTag = role === 'uac' ? localTag : remoteTag;
  const stackDialogId = `${callId};from-tag=${fromTag}`;
  await sendRequest(drachtio, 'sip:placeholder', { method: 'BYE', stackDialogId }).catch(() =>
    sendRequest(drachtio, dialog.remoteTarget, rawBye(dialog)),
  );
}

function rawBye(dialog: StoredDialog) {
  const { localUri, localTag, remoteUri, remoteTag, callId, localCSeq, routeSet, nextHop, transport } = dialog;
  return {
    method: 'BYE',
    proxy: `sip:${nextHop};transport=${transport}`,
    headers: {
      From: `${localUri};tag=${localTag}`,
      To: `${remoteUri};tag=${remoteTag ?? ''}`,
      'Call-ID': callId,
      CSeq: `${localCSeq + CSEQ_RESERVE} BYE`,
      ...(routeSet.length > 0 ? { Route: routeSet } : {}),
    },
  };
}

/** Cancels an INVITE that still rings. If it is answered instead, drachtio finds no engine for it and ends the call. */
async function cancel(drachtio: Drachtio, { role, transactionId, remoteTarget }: StoredDialog): Promise<void> {
  if (role === 'uac' && transactionId !== undefined) {
    await new Promise((resolve) =>
      drachtio.request(remoteTarget, { method: 'CANCEL', stackTxnId: transactionId }, resolve),
    );
  }
}
