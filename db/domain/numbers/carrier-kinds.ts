// The carriers with an API whose accounts can be connected.

export const CARRIER_KINDS = ['twilio', 'telnyx', 'plivo'] as const;
export type CarrierKind = (typeof CARRIER_KINDS)[number];

export const CARRIER_NAMES: Record<CarrierKind, string> = { twilio: 'Twilio', telnyx: 'Telnyx', plivo: 'Plivo' };
