// Where a telephone call's audio enters its shard: an RTP port, or the socket that FreeSWITCH's audio forks join, each
// with its own token.
import { randomBytes } from 'node:crypto';
import { tokenHash } from '../../../db/shared/secrets/token-hash.ts';
import type { OpenCall } from '../../shard/protocol.ts';
import type { LocalAudio, Telephony } from '../../sip/telephony.ts';

export interface AudioEntrance {
  transport: OpenCall['transport'];
  /** The opened address in the form that the leg takes. */
  at(address: string, port: number): LocalAudio;
}

export function audioEntrance(
  { usesForks = false }: Pick<Telephony, 'usesForks'>,
  { callId, sampleRateHz }: Pick<OpenCall, 'callId' | 'sampleRateHz'>,
): AudioEntrance {
  if (!usesForks) return { transport: { kind: 'rtp' }, at: (address, port) => ({ address, port }) };
  const token = randomBytes(32).toString('base64url');
  return {
    transport: { kind: 'fork', token: tokenHash(token) },
    at: (address, port) => ({ address, port, fork: { callId, token, sampleRateHz } }),
  };
}
