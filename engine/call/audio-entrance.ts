// Where a telephone call's audio enters its shard: at an RTP port, or at the socket that FreeSWITCH's audio forks join,
// each with a token of its own.
import { createHash, randomBytes } from 'node:crypto';
import type { OpenCall } from '../shard/protocol.ts';
import type { LocalAudio, Telephony } from '../sip/telephony.ts';

export interface AudioEntrance {
  transport: OpenCall['transport'];
  /** The opened address, as the leg is given it. */
  at(address: string, port: number): LocalAudio;
}

export function audioEntrance(
  { usesForks = false }: Pick<Telephony, 'usesForks'>,
  { callId, sampleRateHz }: Pick<OpenCall, 'callId' | 'sampleRateHz'>,
): AudioEntrance {
  if (!usesForks) return { transport: { kind: 'rtp' }, at: (address, port) => ({ address, port }) };
  const token = randomBytes(32).toString('base64url');
  return {
    transport: { kind: 'fork', token: createHash('sha256').update(token).digest('hex') },
    at: (address, port) => ({ address, port, fork: { callId, token, sampleRateHz } }),
  };
}
