// The state of a dialog (RFC 3261 12) as a value: creation on either side, requests over loose and strict routes, and
// target refresh. Each early dialog of a forked INVITE is a separate value.
import { type NameAddr, parseNameAddr, tagOf, writeNameAddr } from '../stack/wire/header.ts';
import { type Header, headerValues, type SipRequest } from '../stack/wire/message.ts';
import { hasUriParam, writeUri } from '../stack/wire/uri.ts';

export interface Dialog {
  callId: string;
  /** From and To of our requests, without tags. */
  local: NameAddr;
  remote: NameAddr;
  localTag: string;
  /** Null before the first response to our INVITE; empty for RFC 2543 peers, which have no tag. */
  remoteTag: string | null;
  /** Contact of the peer: the Request-URI of our requests. */
  remoteTarget: string;
  /** Route values, in the order of our requests. */
  routeSet: readonly string[];
  localCSeq: number;
  remoteCSeq: number | null;
}

function withoutTag(address: NameAddr): NameAddr {
  return {
    ...address,
    params: address.params.filter((param) => param.name !== 'tag'),
  };
}

export function withTag(address: NameAddr, tag: string | null): NameAddr {
  return tag === null || tag === ''
    ? address
    : { ...address, params: [...address.params, { name: 'tag', value: tag }] };
}

/** RFC 3261 12.1.1: the dialog that our response to an INVITE creates; null if the caller has no SIP address. */
export function dialogOfInvite(
  invite: SipRequest,
  parts: { from: NameAddr; to: NameAddr; callId: string; cseq: { number: number }; contacts: NameAddr[] },
  localTag: string,
): Dialog | null {
  // RFC 2543 peers may omit Contact (RFC 4475 3.4.1): then From is their address.
  const target = parts.contacts[0] ?? parts.from;
  if (target.uri.scheme !== 'sip' && target.uri.scheme !== 'sips') return null;
  return {
    callId: parts.callId,
    local: withoutTag(parts.to),
    remote: withoutTag(parts.from),
    localTag,
    remoteTag: tagOf(parts.from) ?? '',
    remoteTarget: writeUri(target.uri),
    routeSet: headerValues(invite, 'record-route'),
    localCSeq: 0,
    remoteCSeq: parts.cseq.number,
  };
}

/** RFC 3261 12.1.2: the dialog that a response to our INVITE creates, one per To tag. */
export function dialogOfResponse(
  before: Dialog,
  response: { headers: readonly Header[] },
  parts: { to: NameAddr; contacts: NameAddr[] },
): Dialog {
  const target = parts.contacts[0];
  return {
    ...before,
    remote: withoutTag(parts.to),
    remoteTag: tagOf(parts.to) ?? '',
    remoteTarget: target ? writeUri(target.uri) : before.remoteTarget,
    routeSet: headerValues(response, 'record-route').reverse(),
  };
}

/** RFC 3261 12.2.1.2, 12.2.2: a Contact in a re-INVITE, an UPDATE or their 2xx replaces the target. */
export function refreshTarget(dialog: Dialog, contacts: readonly NameAddr[]): Dialog {
  const target = contacts[0];
  return target ? { ...dialog, remoteTarget: writeUri(target.uri) } : dialog;
}

/** RFC 3261 12.1.1: who called a sips address gets one for our Contact. RFC 5630 3.1.4: it names no transport. */
export function contactIn({ local }: Pick<Dialog, 'local'>, contact: string): string {
  const isOverTls = contact.includes(';transport=tls');
  if (local.uri.scheme !== 'sips' || !isOverTls) return contact;
  return contact.replace('<sip:', '<sips:').replace(';transport=tls', '');
}

function bracketed(uri: string): string {
  return `<${uri}>`;
}

/** RFC 3261 12.2.1.1: Request-URI and Route of a request, and the URI of its next hop. */
export function routeOf(
  routeSet: readonly string[],
  remoteTarget: string,
): { requestUri: string; routes: string[]; nextHop: string } {
  const first = routeSet[0];
  const address = first === undefined ? null : parseNameAddr(first);
  if (first === undefined || address === null) return { requestUri: remoteTarget, routes: [], nextHop: remoteTarget };
  const nextHop = writeUri(address.uri);
  if (hasUriParam(address.uri, 'lr')) return { requestUri: remoteTarget, routes: [...routeSet], nextHop };
  // A strict router expects itself in the Request-URI, and the target as the last Route.
  return { requestUri: nextHop, routes: [...routeSet.slice(1), bracketed(remoteTarget)], nextHop };
}

/** A request in the dialog, without Via. `ackNumber`: ACK and CANCEL keep the CSeq number of their INVITE. */
export function requestIn(
  dialog: Dialog,
  method: string,
  headers: readonly Header[],
  body: Buffer = Buffer.alloc(0),
  ackNumber?: number,
): { dialog: Dialog; request: SipRequest; nextHop: string } {
  const number = ackNumber ?? dialog.localCSeq + 1;
  const { requestUri, routes, nextHop } = routeOf(dialog.routeSet, dialog.remoteTarget);
  const all: Header[] = [
    ...routes.map((value) => ({ name: 'route', value })),
    { name: 'max-forwards', value: '70' },
    { name: 'from', value: writeNameAddr(withTag(dialog.local, dialog.localTag)) },
    { name: 'to', value: writeNameAddr(withTag(dialog.remote, dialog.remoteTag)) },
    { name: 'call-id', value: dialog.callId },
    { name: 'cseq', value: `${number} ${method}` },
    ...headers,
  ];
  const request: SipRequest = { kind: 'request', method, uri: requestUri, headers: all, body };
  return { dialog: ackNumber === undefined ? { ...dialog, localCSeq: number } : dialog, request, nextHop };
}

/** Key of the dialog table. */
export function dialogKey(callId: string, localTag: string): string {
  return `${callId}|${localTag}`;
}
