// The voice codecs that we speak, and what a trunk has where nothing else was chosen.

export const VOICE_CODECS = ['PCMU', 'PCMA', 'G722', 'OPUS'] as const;
export type VoiceCodecName = (typeof VOICE_CODECS)[number];

/** What every carrier takes. */
export const NARROWBAND_CODECS: readonly VoiceCodecName[] = ['PCMU', 'PCMA'];

export const TRUNK_DEFAULTS = {
  transport: 'udp',
  port: 5060,
  codecs: NARROWBAND_CODECS,
  maxConcurrentCalls: 100,
  callsPerSecond: 10,
  dialFormat: 'e164',
  callerIdHeader: 'from',
} as const;
