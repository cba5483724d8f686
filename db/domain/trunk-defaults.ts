// The supported voice codecs, and the defaults of a trunk.

export const VOICE_CODECS = ['PCMU', 'PCMA', 'G722', 'OPUS'] as const;
export type VoiceCodecName = (typeof VOICE_CODECS)[number];

/** Every carrier accepts these. */
export const NARROWBAND_CODECS: readonly VoiceCodecName[] = ['PCMU', 'PCMA'];

export const TRUNK_DEFAULTS = {
  transport: 'udp',
  /** Means "not given": the engine queries SRV records first, and TLS uses 5061. */
  port: 5060,
  codecs: NARROWBAND_CODECS,
  maxConcurrentCalls: 100,
  callsPerSecond: 10,
  dialFormat: 'e164',
  callerIdHeader: 'from',
} as const;
