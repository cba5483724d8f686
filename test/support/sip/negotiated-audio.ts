// Audio as a call's two sides agree on it: G.711 both ways, and what differs.
import type { NegotiatedAudio } from '../../../engine/sip/telephony.ts';

export const negotiatedAudio = (changes: Partial<NegotiatedAudio> = {}): NegotiatedAudio => ({
  remoteAddress: '127.0.0.1',
  remotePort: 4_000,
  remoteRtcpPort: 4_001,
  codec: 'PCMU',
  payloadType: 0,
  telephoneEventPayloadType: 101,
  comfortNoisePayloadType: null,
  direction: 'sendrecv',
  srtp: null,
  sources: [],
  ...changes,
});
