// Parses a REGISTER (RFC 3261 10.3). An account has one contact: the last one that is not being removed.
import type { IncomingRequest } from '../stack/transaction/transaction-layer.ts';
import { param } from '../stack/wire/header.ts';
import { header, headerValues } from '../stack/wire/message.ts';
import { writeUri } from '../stack/wire/uri.ts';

export const MIN_EXPIRES_SECONDS = 60;
const MAX_EXPIRES_SECONDS = 3_600;
/** The URI is part of each INVITE to the phone. */
const MAX_CONTACT_CHARS = 512;

export type RegisterOrder =
  | { type: 'query' }
  | { type: 'remove-all' }
  /** `contact` replaces any other; the `removed` contacts are unregistered if they were registered. */
  | { type: 'bind'; contact: string; expiresSeconds: number }
  | { type: 'remove'; removed: string[] }
  | { type: 'too-brief' }
  | { type: 'bad' };

export function readRegister({ message, parts }: IncomingRequest): RegisterOrder {
  const values = headerValues(message, 'contact');
  const general = secondsOf(header(message, 'expires')) ?? MAX_EXPIRES_SECONDS;
  if (values.includes('*')) {
    const isWhole = values.length === 1 && general === 0 && header(message, 'expires') !== undefined;
    return isWhole ? { type: 'remove-all' } : { type: 'bad' };
  }
  if (parts.contacts.length === 0) return { type: 'query' };
  const removed: string[] = [];
  let wanted: { contact: string; expiresSeconds: number } | null = null;
  for (const { uri, params } of parts.contacts) {
    const contact = writeUri(uri);
    if ((uri.scheme !== 'sip' && uri.scheme !== 'sips') || contact.length > MAX_CONTACT_CHARS) return { type: 'bad' };
    const expiresSeconds = secondsOf(param(params, 'expires')) ?? general;
    if (expiresSeconds === 0) removed.push(contact);
    else wanted = { contact, expiresSeconds };
  }
  if (wanted === null) return { type: 'remove', removed };
  if (wanted.expiresSeconds < MIN_EXPIRES_SECONDS) return { type: 'too-brief' };
  return { type: 'bind', ...wanted, expiresSeconds: Math.min(wanted.expiresSeconds, MAX_EXPIRES_SECONDS) };
}

/** Null if absent or unreadable: then the default applies (RFC 3261 10.2.1.1). */
function secondsOf(text: string | null | undefined): number | null {
  return text != null && /^\d{1,10}$/.test(text) ? Number(text) : null;
}
