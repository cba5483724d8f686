// The headers that every message must have (Via, From, To, Call-ID, CSeq) and those that later code relies on, read
// once on arrival. A fault carries the status of the refusal (RFC 3261 8.2, 16.3).
import { type CSeq, type NameAddr, parseCSeq, parseNameAddr, parseVia, parseWithParams, type Via } from './header.ts';
import { type Fault, header, headerValues, type SipMessage } from './message.ts';
import { isDigits, type Work } from './scanner.ts';

export interface Essentials {
  via: Via[];
  from: NameAddr;
  to: NameAddr;
  callId: string;
  cseq: CSeq;
  contacts: NameAddr[];
}

function bad(reason: string): Fault {
  return { status: 400, reason };
}

const SINGLE_HEADERS = ['from', 'to', 'call-id', 'cseq', 'max-forwards', 'content-type'];

function readNumber(text: string | undefined, max: number): boolean {
  return text === undefined || (isDigits(text) && Number(text) <= max);
}

/** List headers that we follow or copy: each value must be a name-addr. */
function checkRoutes(message: SipMessage, work: Work, faults: Fault[]): void {
  for (const name of ['route', 'record-route']) {
    for (const value of headerValues(message, name, work)) {
      if (parseNameAddr(value, work) === null) faults.push(bad(`Bad ${name}`));
    }
  }
}

function readContacts(message: SipMessage, work: Work, faults: Fault[]): NameAddr[] {
  const contacts: NameAddr[] = [];
  for (const value of headerValues(message, 'contact', work)) {
    if (value === '*') continue;
    const contact = parseNameAddr(value, work);
    if (contact === null || !contact.params.every(expiresFits)) faults.push(bad('Bad Contact'));
    else contacts.push(contact);
  }
  return contacts;
}

function expiresFits(entry: { name: string; value: string | null }): boolean {
  return entry.name !== 'expires' || entry.value === null || !isDigits(entry.value) || Number(entry.value) < 2 ** 32;
}

// RFC 3261 20.17: SIP dates are always in GMT (RFC 4475 3.1.2.12).
function isDate(text: string): boolean {
  return /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(
    text,
  );
}

/** Reads and validates; `essentials` is null if the message cannot make a transaction. */
export function readEssentials(message: SipMessage, work: Work): { essentials: Essentials | null; faults: Fault[] } {
  const faults: Fault[] = [];
  for (const name of SINGLE_HEADERS) {
    if (message.headers.filter((entry) => entry.name === name).length > 1) faults.push(bad(`Repeated ${name}`));
  }
  const via: Via[] = [];
  for (const value of headerValues(message, 'via', work)) {
    const entry = parseVia(value, work);
    if (entry) via.push(entry);
    else faults.push(bad('Bad Via'));
  }
  const fromText = header(message, 'from');
  const toText = header(message, 'to');
  const callId = header(message, 'call-id') ?? '';
  const cseqText = header(message, 'cseq');
  const from = fromText === undefined ? null : parseNameAddr(fromText, work);
  const to = toText === undefined ? null : parseNameAddr(toText, work);
  const cseq = cseqText === undefined ? null : parseCSeq(cseqText, work);
  if (from === null) faults.push(bad('Bad From'));
  if (to === null) faults.push(bad('Bad To'));
  if (callId === '' || /\s/.test(callId)) faults.push(bad('Bad Call-ID'));
  if (cseq === null) faults.push(bad('Bad CSeq'));
  if (via.length === 0) faults.push(bad('Missing Via'));
  if (message.kind === 'request' && cseq !== null && cseq.method !== message.method) faults.push(bad('CSeq Mismatch'));
  if (!readNumber(header(message, 'max-forwards'), 255)) faults.push(bad('Bad Max-Forwards'));
  if (!readNumber(header(message, 'expires'), 2 ** 32 - 1)) faults.push(bad('Bad Expires'));
  const date = header(message, 'date');
  if (date !== undefined && !isDate(date)) faults.push(bad('Bad Date'));
  const type = header(message, 'content-type');
  if (type !== undefined && parseWithParams(type) === null) faults.push(bad('Bad Content-Type'));
  checkRoutes(message, work, faults);
  const contacts = readContacts(message, work, faults);
  if (from === null || to === null || cseq === null || callId === '' || via.length === 0) {
    return { essentials: null, faults };
  }
  return { essentials: { via, from, to, callId, cseq, contacts }, faults };
}
