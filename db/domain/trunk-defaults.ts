// The supported voice codecs, and the defaults of a trunk.

export const VOICE_CODECS = ['PCMU', 'PCMA', 'G722', 'OPUS'] as const;
export type VoiceCodecName = (typeof VOICE_CODECS)[number];

/** Every carrier accepts these. */
export const NARROWBAND_CODECS: readonly VoiceCodecName[] = ['PCMU', 'PCMA'];

/** How a trunk writes the numbers of its INVITEs where they can be read in two ways. `auto`: as each INVITE shows. */
export const INBOUND_FORMATS = ['auto', 'e164', 'national'] as const;
export type InboundFormat = (typeof INBOUND_FORMATS)[number];

export const TRUNK_DEFAULTS = {
  transport: 'udp',
  /** Means "not given": the engine queries SRV records first, and TLS uses 5061. */
  port: 5060,
  codecs: NARROWBAND_CODECS,
  maxConcurrentCalls: 100,
  callsPerSecond: 10,
  inboundFormat: 'auto',
  dialFormat: 'e164',
  callerIdHeader: 'from',
} as const;
