// Why a call is refused before there is a call: the reasons that the engine gives, counts and writes, in words for the
// API.

const REASONS = {
  source_not_allowed: 'the address is no trunk’s and in no allowed network',
  capacity: 'MAX_CALLS are running',
  stopping: '',
  database: 'it did not answer for some seconds: nobody could say whose number it is',
  unknown_number: 'no account has it',
  number_inactive: '',
  no_campaign: 'the number has none, and the account no default one',
  campaign_not_answering: 'it is neither RUNNING nor COMPLETED',
  look_up: 'the look-up of the business refused the caller',
  softphone_may_not_call: 'its account has no callsTo',
  no_common_codec: '',
  media_address: 'its audio is at IPv6 where the service has IPv4, or at a name without an address',
  srtp: 'it is required and was not offered, or was offered without TLS or with a key that is not usable',
  bad_request:
    'no Contact, a sips address without TLS, or a SIP extension, body or session timer that is not understood',
} as const;

export type InviteRefusal = keyof typeof REASONS;

export const INVITE_REFUSALS = Object.keys(REASONS) as InviteRefusal[];

/** Each reason with its meaning, where its name does not say it. */
export const refusalsInWords = (): string =>
  Object.entries(REASONS)
    .map(([reason, meaning]) => (meaning === '' ? reason : `${reason}: ${meaning}`))
    .join('; ');
