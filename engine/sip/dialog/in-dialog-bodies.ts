// The contents of INFO, NOTIFY and REFER inside a call: digits (application/dtmf-relay, application/dtmf,
// audio/telephone-event), the progress of a transfer (message/sipfrag, RFC 3515) and the transfer target.

import { parseNameAddr, parseWithParams } from '../stack/wire/header.ts';
import { header, type SipRequest } from '../stack/wire/message.ts';
import { MAX_REASON_CHARS, plainText } from '../stack/wire/plain-text.ts';
import { makeUri, parseUri, unescapeUser, writeUri } from '../stack/wire/uri.ts';
import type { Dialog } from './dialog.ts';

function contentTypeOf(message: SipRequest): string {
  return parseWithParams(header(message, 'content-type') ?? '')?.value ?? '';
}

const DIGIT_NAMES = new Map([
  ['10', '*'],
  ['11', '#'],
  ['star', '*'],
  ['pound', '#'],
]);

/** The digit of an INFO, or null. */
export function readInfoDigit(message: SipRequest): { digit: string; durationMs: number } | null {
  const type = contentTypeOf(message);
  const body = message.body.toString('latin1', 0, 256);
  if (type === 'audio/telephone-event') return readEventDigit(message.body, body);
  if (type !== 'application/dtmf-relay' && type !== 'application/dtmf') return null;
  const named = /^[ \t]*Signal[ \t]*=[ \t]*(\S+)/im.exec(body)?.[1] ?? (type === 'application/dtmf' ? body.trim() : '');
  const digit = (DIGIT_NAMES.get(named.toLowerCase()) ?? named).toUpperCase();
  if (!/^[0-9A-D*#]$/.test(digit)) return null;
  const duration = Number(/^[ \t]*Duration[ \t]*=[ \t]*(\d{1,5})/im.exec(body)?.[1] ?? 160);
  return { digit, durationMs: Math.min(duration, 10_000) };
}

/** The digits in the order of RFC 4733 3.2. */
const EVENT_DIGITS = '0123456789*#ABCD';

/** The payload of a telephone event (RFC 4733 2.3), or, as some phones write it, its number or digit as text. */
function readEventDigit(bytes: Buffer, body: string): { digit: string; durationMs: number } | null {
  const isPayload = bytes.length === 4 && (bytes[0] ?? 0) < EVENT_DIGITS.length;
  if (isPayload) {
    // At 8 kHz.
    return { digit: EVENT_DIGITS[bytes[0] ?? 0] ?? '0', durationMs: Math.min(bytes.readUInt16BE(2) / 8, 10_000) };
  }
  const named = /^[ \t]*(?:signal|event|digit|d)[ \t]*=[ \t]*(\S{1,8})/im.exec(body)?.[1] ?? body.trim();
  const digit = (DIGIT_NAMES.get(named.toLowerCase()) ?? named).toUpperCase();
  if (!/^[0-9A-D*#]$/.test(digit)) return null;
  const duration = Number(/^[ \t]*duration[ \t]*=[ \t]*(\d{1,5})/im.exec(body)?.[1] ?? 160);
  return { digit, durationMs: Math.min(duration, 10_000) };
}

/** Status line of the sipfrag in a NOTIFY of the refer package; null for any other NOTIFY. */
export function readReferProgress(message: SipRequest): { status: number; reason: string } | null {
  if (parseWithParams(header(message, 'event') ?? '')?.value !== 'refer') return null;
  const line = /^SIP\/2\.0 (\d{3}) ?([^\r\n]*)/i.exec(message.body.toString('utf8', 0, 1_024));
  if (line?.[1]) return { status: Number(line[1]), reason: plainText(line[2] ?? '', MAX_REASON_CHARS) };
  // A subscription that ends without a status leaves the outcome unknown (RFC 3515 2.4.5).
  const state = parseWithParams(header(message, 'subscription-state') ?? '')?.value;
  return state === 'terminated' ? { status: 500, reason: 'no result' } : { status: 100, reason: 'Trying' };
}

/** Of the one NOTIFY about a REFER that was taken: the call is no longer the sender's (RFC 3515 2.4.4). */
export const REFER_TAKEN = {
  headers: {
    Event: 'refer',
    'Subscription-State': 'terminated;reason=noresource',
    'Content-Type': 'message/sipfrag',
  },
  body: 'SIP/2.0 200 OK\r\n',
} as const;

/**
 * Whom the other side wants to hand its call to: a number or the user of a softphone. Null: nobody, or somebody with
 * whom it talks on another line (Replaces).
 */
export function readReferTo(message: SipRequest): string | null {
  const uri = parseNameAddr(header(message, 'refer-to') ?? '')?.uri ?? null;
  if (uri === null || uri.scheme === 'other') return null;
  if (uri.scheme !== 'tel' && uri.headers !== null) return null;
  const user = (uri.scheme === 'tel' ? uri.number : unescapeUser(uri.user ?? '')).split(';', 1)[0] ?? '';
  const number = /^(?:\+|00)([1-9]\d{5,14})$/.exec(user.replace(/[\s().-]/g, ''))?.[1];
  if (number !== undefined) return `+${number}`;
  return uri.scheme !== 'tel' && /^[A-Za-z][A-Za-z0-9._-]{0,63}$/.test(user) ? `sip:${user}` : null;
}

/** The URI for Refer-To: a sip, sips or tel URI unchanged, a number as a user in the peer's domain. */
export function referTarget(target: string, dialog: Dialog): string | null {
  if (/^\+?[0-9*#]{1,32}$/.test(target)) {
    const { uri } = dialog.remote;
    const host = uri.scheme === 'sip' || uri.scheme === 'sips' ? uri : parseUri(dialog.remoteTarget);
    if (!host || (host.scheme !== 'sip' && host.scheme !== 'sips')) return `tel:${target}`;
    return writeUri(makeUri(target, host.host, host.port));
  }
  const uri = parseUri(target);
  return uri === null || uri.scheme === 'other' ? null : writeUri(uri);
}
