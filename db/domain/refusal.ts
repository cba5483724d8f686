// Maps a refused or unanswered attempt to the reason of its end and to whether the dialler may retry. Inputs: the final
// SIP status of the INVITE (RFC 3261 21, RFC 8197, RFC 8688) and the Q.850 cause from the Reason header (RFC 3326).
import type { EndReason } from './calls/ends.ts';

interface Refusal {
  reason: Extract<EndReason, 'busy' | 'no_answer' | 'declined' | 'unallocated' | 'network'>;
  /** Worth another attempt under the campaign's retry rules. */
  retryable: boolean;
}

const busy: Refusal = { reason: 'busy', retryable: true };
const noAnswer: Refusal = { reason: 'no_answer', retryable: true };
const declined: Refusal = { reason: 'declined', retryable: false };
const unallocated: Refusal = { reason: 'unallocated', retryable: false };
const network: Refusal = { reason: 'network', retryable: true };
const refused: Refusal = { reason: 'network', retryable: false };

const BY_SIP_STATUS = new Map<number, Refusal>([
  // Our trunk rejects the call itself: another attempt would get the same answer.
  ...[400, 401, 402, 403, 405, 407, 415, 420, 421, 433, 436, 437, 438, 488, 493, 501, 505, 513, 606].map(
    (status): [number, Refusal] => [status, refused],
  ),
  ...[404, 410, 416, 484, 485, 604].map((status): [number, Refusal] => [status, unallocated]),
  // 487 ends an INVITE that we cancelled after the ring timeout.
  ...[408, 480, 487].map((status): [number, Refusal] => [status, noAnswer]),
  ...[486, 600].map((status): [number, Refusal] => [status, busy]),
  // 607: the callee does not want the call; 608: an analytics engine does not.
  ...[603, 607, 608].map((status): [number, Refusal] => [status, declined]),
  ...[430, 481, 482, 483, 491, 500, 502, 503, 504, 580].map((status): [number, Refusal] => [status, network]),
]);

const BY_Q850_CAUSE = new Map<number, Refusal>([
  ...[1, 22, 28].map((cause): [number, Refusal] => [cause, unallocated]),
  [17, busy],
  ...[18, 19, 20].map((cause): [number, Refusal] => [cause, noAnswer]),
  [21, declined],
  ...[2, 3, 25, 27, 34, 38, 41, 42, 43, 44, 47, 102].map((cause): [number, Refusal] => [cause, network]),
  ...[29, 50, 55, 57, 58, 63, 65, 69, 79, 87, 88].map((cause): [number, Refusal] => [cause, refused]),
]);

/** Gateways use these statuses for almost anything; the switch's own cause is more precise. */
const VAGUE = new Set([400, 403, 408, 480, 487, 488, 500, 502, 503, 504]);

/** @param sipStatus final status of the INVITE, null if the attempt ended without one (timer B, transport error). */
export function refusalOf(sipStatus: number | null, q850Cause: number | null): Refusal {
  const byCause = q850Cause === null ? undefined : BY_Q850_CAUSE.get(q850Cause);
  if (sipStatus === null) return byCause ?? network;
  if (byCause !== undefined && VAGUE.has(sipStatus)) return byCause;
  const exact = BY_SIP_STATUS.get(sipStatus);
  if (exact !== undefined) return exact;
  if (byCause !== undefined) return byCause;
  // RFC 3261 8.1.3.2: treat an unknown status as the x00 of its class. 6xx: no other destination will succeed.
  return sipStatus >= 600 ? declined : sipStatus >= 500 ? network : refused;
}
