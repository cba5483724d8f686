// Texts for the values of call records, in the words of a telephone operator.
import type { CallProblem } from '../../../../db/domain/calls/problems.ts';
import type { Call } from '../api-types.ts';
import { formatWord } from '../format.ts';
import type { Tone } from '../ui/layout.tsx';
import { t, words } from '../words/words.ts';

const OUTCOMES: Record<string, string> = {
  completed: words('Completed'),
  transferred: words('Transferred to a person'),
  voicemail_left: words('Message left'),
  voicemail: words('Answering machine'),
  agent_failed: words('The agent failed'),
  hung_up: words('Hung up before speaking'),
  no_response: words('Nobody spoke'),
  busy: words('Busy'),
  no_answer: words('No answer'),
  declined: words('Declined'),
  unallocated: words('No such number'),
  failed: words('Failed'),
  not_joined: words('Never joined'),
  expired: words('Not placed in time'),
  cancelled: words('Cancelled'),
};

const END_REASONS: Record<string, string> = {
  caller_hangup: words('The other side hung up'),
  agent_hangup: words('The agent hung up'),
  api: words('Ended on request'),
  media_timeout: words('No audio came any more'),
  media_failure: words('The audio broke down'),
  max_duration: words('The longest duration was reached'),
  shutdown: words('The service was stopped'),
  idle: words('Nobody spoke for too long'),
  transfer: words('Handed over to a person'),
  model_failure: words('The agent had no model or voice to answer with'),
  expired: words('No engine took it in time'),
  not_joined: words('The browser never joined'),
  crash: words('The engine broke down'),
  voicemail: words('An answering machine took it'),
  network: words('The network failed'),
  busy: words('The line was busy'),
  no_answer: words('Nobody answered'),
  declined: words('The call was declined'),
  unallocated: words('The number does not exist'),
  refused: words('The trunk refused the call'),
  do_not_call: words('The number is on the do-not-call list'),
  campaign_paused: words('The campaign was paused'),
  no_trunk: words('No trunk was left to call through'),
  capacity: words('All lines of the system were in use'),
};

/** Statuses of RFC 3261 21 and others, in the words of a provider's support. */
const SIP_STATUSES: Record<number, string> = {
  400: words('Bad request'),
  401: words('Unauthorized: the trunk’s password may be wrong'),
  403: words('Forbidden: the trunk may not call this number, or not with this caller id'),
  404: words('Number not found'),
  407: words('Authentication required: the trunk’s password may be wrong'),
  408: words('No answer in time'),
  410: words('The number is gone'),
  415: words('Unsupported media'),
  416: words('The trunk cannot read the number'),
  480: words('Temporarily unavailable'),
  484: words('The number is incomplete'),
  486: words('Busy'),
  487: words('Cancelled before the answer'),
  488: words('No codec in common with the trunk'),
  500: words('The trunk’s own error'),
  502: words('The trunk’s gateway failed'),
  503: words('The trunk is overloaded or down'),
  504: words('The trunk’s gateway did not answer'),
  600: words('Busy everywhere'),
  603: words('Declined'),
  604: words('The number exists nowhere'),
  607: words('Unwanted by the person called'),
  608: words('Rejected by a spam filter'),
};

const Q850_CAUSES: Record<number, string> = {
  1: words('Unallocated number'),
  3: words('No route to the number'),
  16: words('Normal clearing'),
  17: words('Busy'),
  18: words('No user responding'),
  19: words('No answer'),
  20: words('Subscriber absent'),
  21: words('Rejected'),
  22: words('Number changed'),
  27: words('Destination out of order'),
  28: words('Invalid number format'),
  34: words('No circuit available'),
  38: words('Network out of order'),
  41: words('Temporary failure'),
  42: words('Congestion'),
  47: words('Resource unavailable'),
  102: words('Timer expired'),
};

const said = (text: string | undefined): string | undefined => (text === undefined ? undefined : t(text));

export const outcomeWords = (outcome: string): string => said(OUTCOMES[outcome]) ?? formatWord(outcome);
export const reasonWords = (reason: string): string => said(END_REASONS[reason]) ?? formatWord(reason);
/** A call that the telephone network answered was not lost by the network between here and there. */
export const endWords = ({ endReason, sipStatus }: Pick<Call, 'endReason' | 'sipStatus'>): string =>
  endReason === 'network' && sipStatus !== null
    ? t('The telephone provider did not put the call through')
    : reasonWords(endReason ?? '');
export const sipWords = (status: number): string =>
  SIP_STATUSES[status] === undefined ? String(status) : `${status}, ${said(SIP_STATUSES[status])}`;
export const causeWords = (cause: number): string =>
  Q850_CAUSES[cause] === undefined ? String(cause) : `${cause}, ${said(Q850_CAUSES[cause])}`;

export const outcomeChoices = (): Array<[outcome: string, text: string]> =>
  Object.entries(OUTCOMES).map(([outcome, text]) => [outcome, t(text)]);

/** Of `problems`; a sentence of the person who listened. */
export const PROBLEM_CHOICES: ReadonlyArray<[kind: CallProblem, text: string, hint: string]> = [
  ['misheard', words('Misheard'), words('The caller said something else.')],
  ['wrong_answer', words('Wrong answer'), words('Heard right, and answered wrongly or not at all.')],
  ['too_slow', words('Too slow'), words('The answer came late.')],
  ['interrupted', words('Interrupted'), words('The agent spoke into a sentence, or could not be stopped.')],
  ['other', words('Something else'), words('Say it in the note.')],
];
export const problemWords = (kind: CallProblem): string =>
  said(PROBLEM_CHOICES.find(([each]) => each === kind)?.[1]) ?? formatWord(kind);

type Ending = Pick<Call, 'status' | 'outcome'>;

/** The state or outcome of a call in one or two words. */
export function statusWords({ status, outcome }: Ending): string {
  if (status === 'SCHEDULED') return t('Scheduled');
  if (status === 'RINGING') return t('Ringing');
  if (status === 'IN_PROGRESS') return t('In progress');
  return outcome === null ? formatWord(status) : outcomeWords(outcome);
}

export function statusTone({ status, outcome }: Ending): Tone {
  switch (status) {
    case 'RINGING':
    case 'IN_PROGRESS':
      return 'live';
    case 'FAILED':
      return outcome === 'busy' || outcome === 'no_answer' || outcome === 'cancelled' ? 'warn' : 'bad';
    case 'VOICEMAIL':
    case 'SCHEDULED':
      return 'neutral';
    case 'COMPLETED':
      if (outcome === 'agent_failed') return 'bad';
      return outcome === 'hung_up' || outcome === 'no_response' ? 'warn' : 'good';
  }
}

/** The person at the other end. */
export function otherParty({
  direction,
  fromNumber,
  toNumber,
  callerName,
  erasedAt,
}: Pick<Call, 'direction' | 'fromNumber' | 'toNumber' | 'callerName' | 'erasedAt'>): string {
  const number = direction === 'inbound' ? fromNumber : toNumber;
  if (number === 'web') return t('Browser');
  if (number === '') return erasedAt === null ? t('Number withheld') : t('Erased');
  return callerName ?? number;
}

/** "Call with Ada Byron": a heading, or in mid sentence. */
export function callTitle(call: Parameters<typeof otherParty>[0], { inSentence = false } = {}): string {
  const number = call.direction === 'inbound' ? call.fromNumber : call.toNumber;
  if (number === 'web') return inSentence ? t('call from a browser') : t('Call from a browser');
  if (number === '' && call.erasedAt === null)
    return inSentence ? t('call with a withheld number') : t('Call with a withheld number');
  if (number === '') return inSentence ? t('call that has been erased') : t('Call that has been erased');
  const name = otherParty(call);
  return inSentence ? t('call with {name}', { name }) : t('Call with {name}', { name });
}
