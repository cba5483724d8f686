// After a call that did not come off: what to do about it, by the answer of the telephone network or else by the reason
// of its end.
import type { Call } from '../api-types.ts';
import { t, words } from '../words/words.ts';

const CHECK_PASSWORD = words('An administrator checks user name and password of the trunk, under Trunks.');
const CHECK_NUMBER = words('Check the number: is it complete, with its country code?');
const TRY_LATER = words('Try again later.');
const PROVIDER_FAULT = words(
  'The fault is the telephone provider’s. Try again in a few minutes, then ask the provider.',
);
const DECLINED = words('The person does not want the call now. Do not try again soon.');

const BY_NETWORK_ANSWER: Readonly<Record<number, string>> = {
  401: CHECK_PASSWORD,
  402: words('Ask the telephone provider: the credit may be used up.'),
  403: words('Ask the telephone provider whether it allows calls to this number, and with your number shown.'),
  404: CHECK_NUMBER,
  407: CHECK_PASSWORD,
  408: TRY_LATER,
  410: words('The number is not in use any more. Take it out of your contacts.'),
  415: words('An administrator adds a codec to the trunk, under Trunks.'),
  416: CHECK_NUMBER,
  480: TRY_LATER,
  484: CHECK_NUMBER,
  486: TRY_LATER,
  488: words('An administrator adds a codec to the trunk, under Trunks.'),
  500: PROVIDER_FAULT,
  502: PROVIDER_FAULT,
  503: PROVIDER_FAULT,
  504: PROVIDER_FAULT,
  600: TRY_LATER,
  603: DECLINED,
  604: words('The number is not in use any more. Take it out of your contacts.'),
  607: DECLINED,
  608: words('A filter took the call for spam. Ask the telephone provider to vouch for your number.'),
};

const BY_END: Readonly<Record<string, string>> = {
  media_timeout: words('An administrator checks that the firewall lets the sound through (RTP).'),
  media_failure: words('Try again. If it stays so, an administrator looks at Status.'),
  model_failure: words('An administrator tests language model, recogniser and voice, under Models.'),
  not_joined: words('Allow the microphone for this page in the browser, then try again.'),
  expired: words('An administrator looks at Status: no call was taken for a while.'),
  crash: words('Call again. The service has started anew by itself.'),
  shutdown: words('Call again once the service runs.'),
  network: words('Try again. If it stays so, an administrator looks at the trunk, under Trunks.'),
  refused: words('Ask the telephone provider why it refuses the call.'),
  no_trunk: words('An administrator adds a trunk, under Trunks.'),
  capacity: words('Try again when a call has ended, or have the operator allow more at a time.'),
  campaign_paused: words('Resume the campaign, then call again.'),
  do_not_call: words('Take the number off the do-not-call list only if the person wants calls.'),
  unallocated: CHECK_NUMBER,
  busy: TRY_LATER,
  no_answer: TRY_LATER,
  declined: DECLINED,
};

export function adviceOf({
  status,
  endReason,
  sipStatus,
}: Pick<Call, 'status' | 'endReason' | 'sipStatus'>): string | null {
  if (endReason === null) return null;
  // An answer of the network says something of calls that nobody took; 487 is our own hanging up.
  const ofNetwork = status === 'FAILED' && sipStatus !== null ? BY_NETWORK_ANSWER[sipStatus] : undefined;
  const advice = ofNetwork ?? BY_END[endReason];
  return advice === undefined ? null : t(advice);
}
