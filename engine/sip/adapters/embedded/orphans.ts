// Ends dialogs left by a crashed process, from their stored form: CANCEL or BYE for outbound calls, a final response or
// BYE for inbound ones. The people on those lines are released within seconds.

import { type Dialog, requestIn } from '../../dialog/dialog.ts';
import { certifiedAs } from '../../stack/network/locator.ts';
import type { Destination, TransportLayer } from '../../stack/network/transport-layer.ts';
import { ackOfFailure } from '../../stack/transaction/client-requests.ts';
import { T1_MS, T2_MS, TRANSACTION_TIMEOUT_MS } from '../../stack/transaction/transaction.ts';
import type { IncomingResponse } from '../../stack/transaction/transaction-layer.ts';
import { type NameAddr, param, parseNameAddr, parseVia, type Via, writeNameAddr } from '../../stack/wire/header.ts';
import { type Header, type SipRequest, type SipResponse, writeMessage } from '../../stack/wire/message.ts';
import { phraseOf } from '../../stack/wire/responses.ts';
import { splitList } from '../../stack/wire/scanner.ts';
import { readHostPort } from '../../stack/wire/uri.ts';
import type { StoredDialog } from '../../telephony.ts';
import type { DialogOwner, UserAgentCore } from './user-agent-core.ts';

// Skips the CSeq numbers that the crashed process may have used since it stored the dialog.
const CSEQ_RESERVE = 100;
const MAX_REPEATS = 7;

const UNREADABLE_ADDRESS: NameAddr = {
  display: null,
  uri: { scheme: 'other', name: '', text: 'sip:invalid' },
  params: [],
};

function destinationOf(stored: StoredDialog): Destination | null {
  const hostPort = readHostPort(stored.nextHop);
  if (!hostPort?.port) return null;
  const address = hostPort.host.replace(/^\[|\]$/g, '');
  return {
    protocol: stored.transport,
    remote: { address, port: hostPort.port },
    serverName: stored.serverName ?? address,
  };
}

function dialogOf(stored: StoredDialog): Dialog {
  return {
    callId: stored.callId,
    local: parseNameAddr(stored.localUri) ?? UNREADABLE_ADDRESS,
    remote: parseNameAddr(stored.remoteUri) ?? UNREADABLE_ADDRESS,
    localTag: stored.localTag,
    remoteTag: stored.remoteTag,
    remoteTarget: stored.remoteTarget,
    routeSet: stored.routeSet,
    localCSeq: stored.localCSeq,
    remoteCSeq: null,
  };
}

/**
 * Sends BYE; the dialog is over on its answer or timeout. If the old connection is gone, the Contact is resolved again.
 */
function sendBye(core: UserAgentCore, dialog: Dialog, destination: Destination, done: () => void): void {
  const { request, nextHop } = requestIn({ ...dialog, localCSeq: dialog.localCSeq + CSEQ_RESERVE }, 'BYE', []);
  const send = (to: Destination, unreachable: () => void) =>
    core.layer.request(request, to, {
      response: ({ message }: IncomingResponse) => {
        if (message.status >= 200) done();
      },
      failed: (cause) => (cause === 'transport' ? unreachable() : done()),
    });
  const elsewhere = async () => {
    const [found] = await core.locate(nextHop, null);
    if (found) send(certifiedAs(found, destination.serverName), done);
    else done();
  };
  send(destination, () => {
    elsewhere().catch(done);
  });
}

/** The parts of the INVITE that its CANCEL and ACK repeat. */
function inviteOf(dialog: Dialog, via: Via): SipRequest {
  const { request } = requestIn({ ...dialog, remoteTag: null }, 'INVITE', [], Buffer.alloc(0), dialog.localCSeq);
  const viaHeader: Header = { name: 'via', value: '' };
  const params = via.params.map(({ name, value }) => (value === null ? `;${name}` : `;${name}=${value}`)).join('');
  viaHeader.value = `SIP/2.0/${via.protocol} ${via.host}${via.port === null ? '' : `:${via.port}`}${params}`;
  return { ...request, headers: [viaHeader, ...request.headers] };
}

/**
 * Sends CANCEL with the branch of the INVITE. The final response to the INVITE then matches no transaction, so this
 * owner handles it: ACK for a refusal, ACK and BYE if the callee answered first.
 */
function cancelInvite(core: UserAgentCore, stored: StoredDialog, destination: Destination, done: () => void): void {
  const via = parseVia(stored.inviteVia ?? '');
  if (via === null || param(via.params, 'branch') === undefined) {
    done();
    return;
  }
  const dialog = dialogOf(stored);
  const invite = inviteOf(dialog, via);
  /** By tag of the callee: what a repeated answer gets again. */
  const acks = new Map<string, SipRequest>();
  let over = false;
  const finish = () => {
    if (over) return;
    over = true;
    stopWaiting();
    core.unregister(stored.callId, stored.localTag);
    done();
  };
  const stopWaiting = core.clock.after(TRANSACTION_TIMEOUT_MS, finish);
  const owner: DialogOwner = {
    peerAddresses: [destination.remote.address],
    connectionId: null,
    receiveRequest: () => {},
    receiveAck: () => {},
    abandon: finish,
    receiveStray: (response) => {
      const { status } = response.message;
      if (response.parts.cseq.method !== 'INVITE' || status < 200) return;
      if (status >= 300) {
        core.layer.sendRaw(ackOfFailure(invite, response.message), destination);
        finish();
        return;
      }
      const contact = response.parts.contacts[0];
      const target = contact
        ? writeNameAddr({ ...contact, display: null, params: [] }).slice(1, -1)
        : dialog.remoteTarget;
      const remoteTag = param(response.parts.to.params, 'tag') ?? '';
      const sent = acks.get(remoteTag);
      if (sent) return core.layer.sendRaw(sent, destination);
      const answered = { ...dialog, remoteTag, remoteTarget: target };
      const ack = requestIn(answered, 'ACK', [], Buffer.alloc(0), dialog.localCSeq);
      acks.set(remoteTag, core.layer.sendAck(ack.request, destination));
      sendBye(core, answered, destination, finish);
    },
  };
  core.register(stored.callId, stored.localTag, owner);
  const cancel = requestIn({ ...dialog, remoteTag: null }, 'CANCEL', [], Buffer.alloc(0), dialog.localCSeq);
  const listener = {
    response: ({ message }: IncomingResponse) => {
      // 481: the far side does not know this INVITE (any more), so nothing rings.
      if (message.status >= 300) finish();
    },
    failed: finish,
  };
  core.layer.request(cancel.request, destination, listener, { via });
}

/** Refuses an unanswered inbound call: 480 to its INVITE, repeated as a server transaction does. */
function refuseInvite(
  core: UserAgentCore,
  transport: TransportLayer,
  stored: StoredDialog,
  destination: Destination,
  done: () => void,
): void {
  const vias = splitList(stored.inviteVia ?? '', { steps: 0 });
  const to = parseNameAddr(stored.localUri) ?? UNREADABLE_ADDRESS;
  const from = parseNameAddr(stored.remoteUri) ?? UNREADABLE_ADDRESS;
  const tagged = (address: NameAddr, tag: string | null) =>
    writeNameAddr(tag ? { ...address, params: [...address.params, { name: 'tag', value: tag }] } : address);
  const response: SipResponse = {
    kind: 'response',
    status: 480,
    reason: phraseOf(480),
    headers: [
      ...vias.map((value) => ({ name: 'via', value })),
      { name: 'from', value: tagged(from, stored.remoteTag) },
      { name: 'to', value: tagged(to, stored.localTag) },
      { name: 'call-id', value: stored.callId },
      { name: 'cseq', value: `${stored.localCSeq} INVITE` },
    ],
    body: Buffer.alloc(0),
  };
  const bytes = writeMessage(response);
  let stopTimer: () => void = () => {};
  const finish = () => {
    stopTimer();
    core.unregister(stored.callId, stored.localTag);
    done();
  };
  core.register(stored.callId, stored.localTag, {
    peerAddresses: [destination.remote.address],
    connectionId: null,
    receiveRequest: () => {},
    receiveAck: finish,
    receiveStray: () => {},
    abandon: finish,
  });
  const send = (count: number, intervalMs: number) => {
    if (count > MAX_REPEATS) {
      finish();
      return;
    }
    transport.send(bytes, destination, () => {});
    stopTimer = core.clock.after(intervalMs, () => send(count + 1, Math.min(intervalMs * 2, T2_MS)));
  };
  send(1, T1_MS);
}

/** Resolves when the far side has answered or timed out. */
export function endStoredDialog(core: UserAgentCore, transport: TransportLayer, stored: StoredDialog): Promise<void> {
  return new Promise((resolve) => {
    const destination = destinationOf(stored);
    if (destination === null) resolve();
    else if (stored.state === 'confirmed') sendBye(core, dialogOf(stored), destination, resolve);
    else if (stored.role === 'uac') cancelInvite(core, stored, destination, resolve);
    else refuseInvite(core, transport, stored, destination, resolve);
  });
}
