// An INVITE that takes the place of another dialog (RFC 3891): so a PBX completes an attended transfer to the agent.
// The call goes on with its new far side, on the same audio socket; the replaced dialog gets a BYE.
import type { Peer } from '../../dialog/dial-route.ts';
import type { Dialog } from '../../dialog/dialog.ts';
import type { InviteSource } from '../../dialog/invite-sender.ts';
import { answerOffer, makeOffer, newAudioSession } from '../../dialog/offer-answer.ts';
import type { SessionPlan } from '../../dialog/session-timer.ts';
import type { ServerTransaction } from '../../stack/transaction/transaction-layer.ts';
import { param, parseWithParams } from '../../stack/wire/header.ts';
import { type Header, headerValues, type SipRequest, tokens } from '../../stack/wire/message.ts';
import { MAX_REASON_CHARS, plainHeaderText } from '../../stack/wire/plain-text.ts';
import { SDP_HEADER } from '../../stack/wire/responses.ts';
import { EstablishedCall } from './established-call.ts';
import { dialogResponse } from './inbound-call.ts';
import type { DialogOwner, UserAgentCore } from './user-agent-core.ts';

/** The INVITE, with what its checks have found. */
interface ReplacingInvite {
  transaction: ServerTransaction;
  source: InviteSource;
  dialog: Dialog;
  plan: SessionPlan | null;
  /** Of the 2xx: the session timer. */
  headers: readonly Header[];
}

/** The status of the refusal; null: it is accepted. `undefined`: the INVITE replaces nothing. */
export function replace(
  core: UserAgentCore,
  find: (callId: string, localTag: string) => DialogOwner | undefined,
  invite: ReplacingInvite,
): number | null | undefined {
  const { request } = invite.transaction;
  const wanted = readReplaces(request.message);
  if (wanted === null) return undefined;
  if (wanted === 'unreadable') return 400;
  const owner = find(wanted.callId, wanted.toTag);
  const replaced = owner instanceof EstablishedCall ? owner.replaceable : null;
  // A dialog that is unanswered so far cannot be taken over (RFC 3891 3), nor by another trunk or host.
  if (!(owner instanceof EstablishedCall) || replaced === null) return 481;
  if (replaced.remoteTag !== wanted.fromTag) return 481;
  const isOfPeer = isSamePeer(replaced.peer, invite.source.peer, owner.peerAddresses.includes(request.source.address));
  if (!isOfPeer) return 481;
  if (wanted.isEarlyOnly) return 486;
  return takeOver(core, owner, replaced.local, invite) ? null : 488;
}

/**
 * Of one trunk, or a softphone of the same tenant, wherever it is: so colleagues hand a call over. An address says
 * little: the telephones behind a NAT or a proxy share it, those of other tenants too.
 */
function isSamePeer(replaced: Peer, by: Peer, isSameAddress: boolean): boolean {
  if (replaced.trunkId !== by.trunkId || replaced.phoneOf !== by.phoneOf) return false;
  return by.trunkId !== null || by.phoneOf !== undefined || isSameAddress;
}

type Wanted = { callId: string; toTag: string; fromTag: string; isEarlyOnly: boolean };

function readReplaces(message: SipRequest): Wanted | 'unreadable' | null {
  const [value, more] = headerValues(message, 'replaces');
  if (value === undefined) return null;
  const parsed = parseWithParams(value);
  const toTag = parsed && param(parsed.params, 'to-tag');
  const fromTag = parsed && param(parsed.params, 'from-tag');
  if (more !== undefined || !toTag || !fromTag) return 'unreadable';
  // Call-IDs differ by case, which a media type would not.
  const callId = value.slice(0, value.indexOf(';')).trim();
  return { callId, toTag, fromTag, isEarlyOnly: param(parsed.params, 'early-only') !== undefined };
}

/** False: no common codec, and nothing has changed. */
function takeOver(
  core: UserAgentCore,
  replaced: EstablishedCall,
  local: Parameters<typeof newAudioSession>[0],
  { transaction, source, dialog, plan, headers }: ReplacingInvite,
): boolean {
  const { message, flow, source: from } = transaction.request;
  const { peer, codecs, srtp } = source;
  const session = newAudioSession(local, codecs, {
    secure: from.protocol === 'tls',
    demandSrtp: srtp,
    prefersWideband: core.voice.prefersWideband,
    sources: [from.address, ...peer.mediaFrom],
  });
  const lateOffer = message.body.length === 0;
  const made = lateOffer ? makeOffer(session) : answerOffer(session, message.body.toString('utf8'));
  if (made === null) return false;
  const destination = { protocol: flow.protocol, remote: flow.remote, serverName: peer.serverName };
  const response = dialogResponse(core, { transaction, destination }, 200, dialog.localTag, {
    headers: [...headers, SDP_HEADER],
    body: made.sdp,
  });
  const sipCallId = plainHeaderText(dialog.callId, MAX_REASON_CHARS);
  core.log.info({ sipCallId, trunkId: peer.trunkId }, 'another dialog goes on with the call');
  replaced.replaceBy({
    role: 'uas',
    dialog,
    destination,
    flow,
    peer,
    audio: made.session,
    plan,
    peerAllows: tokens(message, 'allow', false),
    opening: { type: 'send-2xx', transaction, response, lateOffer, reliable: null },
  });
  return true;
}
