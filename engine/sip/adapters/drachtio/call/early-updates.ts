// UPDATE before the answer (RFC 3311), in either direction: a carrier moves the audio of a call that still rings, as
// when its tone ends. drachtio-srf finds the call by its Call-ID alone, so the tags are for the legs to look at.
import { randomInt } from 'node:crypto';
import { isSdp, unsupportedIn } from '../../../stack/transaction/request-checks.ts';
import { parseNameAddr, tagOf } from '../../../stack/wire/header.ts';
import { header } from '../../../stack/wire/message.ts';
import { ALLOW_HEADER, SDP_HEADER, SUPPORTED_HEADER, SUPPORTED_OPTIONS } from '../../../stack/wire/responses.ts';
import type { NegotiatedAudio } from '../../../telephony.ts';
import type { LegMedia } from '../media/leg-media.ts';
import type { DrachtioRequest, DrachtioResponse } from '../signalling/drachtio.ts';
import { readInDialog, writeHeaders } from '../signalling/raw-message.ts';

export interface EarlyUpdate {
  request: DrachtioRequest;
  response: DrachtioResponse;
}

export function tagsOf({ request }: EarlyUpdate): { from: string; to: string } {
  const message = readInDialog(request);
  const tag = (name: 'from' | 'to'): string => {
    const parsed = parseNameAddr(header(message, name) ?? '');
    return (parsed && tagOf(parsed)) ?? '';
  };
  return { from: tag('from'), to: tag('to') };
}

/**
 * Answers it; null where the audio stays as it was. `media`: the audio that both have agreed on; null: the offer of the
 * INVITE has no answer yet, and `pending` is the status for another one (RFC 3311 5.2).
 */
export async function answerEarlyUpdate(
  { request, response }: EarlyUpdate,
  { media, pending, contact }: { media: LegMedia | null; pending: 491 | 500; contact: string },
): Promise<NegotiatedAudio | null> {
  const message = readInDialog(request);
  const refuse = (status: number, headers: ReturnType<typeof writeHeaders> = {}): null => {
    response.send(status, { headers });
    return null;
  };
  const unsupported = unsupportedIn(message, SUPPORTED_OPTIONS);
  if (unsupported !== null) return refuse(420, writeHeaders(unsupported));
  const headers = { Contact: contact, ...writeHeaders([ALLOW_HEADER, SUPPORTED_HEADER]) };
  if (request.body === '') {
    response.send(200, { headers });
    return null;
  }
  if (media === null) return refuse(pending, pending === 500 ? { 'Retry-After': String(randomInt(1, 10)) } : {});
  const agreed = isSdp(message) ? await media.answer(request.body) : null;
  if (agreed === null) return refuse(488);
  response.send(200, { headers: { ...headers, ...writeHeaders([SDP_HEADER]) }, body: agreed.sdp });
  return agreed.audio;
}
