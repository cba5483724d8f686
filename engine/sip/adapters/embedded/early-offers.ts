// Offers of the other side before the INVITE is answered: in an UPDATE (RFC 3311), as carriers send it when their tone
// ends or a forwarded telephone rings, and in a PRACK (RFC 3262 5).
import { randomInt } from 'node:crypto';
import { type AudioSession, answerOffer, mediaWarning, offerFault } from '../../dialog/offer-answer.ts';
import { checkExtensions, isSdp, refuse } from '../../stack/transaction/request-checks.ts';
import { makeResponse, type ServerTransaction } from '../../stack/transaction/transaction-layer.ts';
import type { Header } from '../../stack/wire/message.ts';
import {
  OWN_ALLOW_HEADER,
  OWN_OPTIONS,
  OWN_SUPPORTED_HEADER,
  phraseOf,
  SDP_HEADER,
} from '../../stack/wire/responses.ts';
import type { NegotiatedAudio } from '../../telephony.ts';

interface EarlyAnswer {
  session: AudioSession;
  audio: NegotiatedAudio;
}

/** Answers a request whose body is an offer, by 488 where it cannot be taken; null then. */
export function answerEarlyOffer(
  transaction: ServerTransaction,
  before: AudioSession | null,
  headers: readonly Header[] = [],
): EarlyAnswer | null {
  const { message } = transaction.request;
  const offer = isSdp(message) ? message.body.toString('utf8') : null;
  const answered = before === null || offer === null ? null : answerOffer(before, offer);
  if (answered === null) {
    refuse(transaction, 488, mediaWarning(before === null || offer === null ? null : offerFault(before, offer)));
    return null;
  }
  const ok = makeResponse(transaction.request, 200, phraseOf(200));
  transaction.respond({
    ...ok,
    headers: [...ok.headers, ...headers, SDP_HEADER],
    body: Buffer.from(answered.sdp),
  });
  return { session: answered.session, audio: answered.audio };
}

/**
 * Answers an UPDATE; null where the audio stays as it was. `before`: the audio that both have agreed on; null: the
 * offer of the INVITE has no answer yet, and `pending` is the status for another one (RFC 3311 5.2).
 */
export function answerEarlyUpdate(
  transaction: ServerTransaction,
  { before, pending, contact }: { before: AudioSession | null; pending: 491 | 500; contact: string },
): EarlyAnswer | null {
  if (!checkExtensions(transaction, OWN_OPTIONS)) return null;
  const headers = [{ name: 'contact', value: contact }, OWN_ALLOW_HEADER, OWN_SUPPORTED_HEADER];
  if (transaction.request.message.body.length === 0) {
    const ok = makeResponse(transaction.request, 200, phraseOf(200));
    transaction.respond({ ...ok, headers: [...ok.headers, ...headers] });
    return null;
  }
  if (before !== null) return answerEarlyOffer(transaction, before, headers);
  refuse(transaction, pending, pending === 500 ? [{ name: 'retry-after', value: String(randomInt(1, 10)) }] : []);
  return null;
}
