// Texts for the values of call records, in the words of a telephone operator.
import type { CallProblem } from '../../../../db/domain/calls/problems.ts';
import type { Call } from '../api-types.ts';
import { formatWord } from '../format.ts';
import type { Tone } from '../ui/layout.tsx';

const OUTCOMES: Record<string, string> = {
  completed: 'Completed',
  transferred: 'Transferred to a person',
  voicemail_left: 'Message left',
  voicemail: 'Answering machine',
  agent_failed: 'The agent failed',
  hung_up: 'Hung up before speaking',
  no_response: 'Nobody spoke',
  busy: 'Busy',
  no_answer: 'No answer',
  declined: 'Declined',
  unallocated: 'No such number',
  failed: 'Failed',
  not_joined: 'Never joined',
  expired: 'Not placed in time',
  cancelled: 'Cancelled',
};

const END_REASONS: Record<string, string> = {
  caller_hangup: 'The other side hung up',
  agent_hangup: 'The agent hung up',
  api: 'Ended on request',
  media_timeout: 'No audio came any more',
  media_failure: 'The audio broke down',
  max_duration: 'The longest duration was reached',
  shutdown: 'The service was stopped',
  idle: 'Nobody spoke for too long',
  transfer: 'Handed over to a person',
  model_failure: 'The agent had no model or voice to answer with',
  expired: 'No engine took it in time',
  not_joined: 'The browser never joined',
  crash: 'The engine broke down',
  voicemail: 'An answering machine took it',
  network: 'The network failed',
  busy: 'The line was busy',
  no_answer: 'Nobody answered',
  declined: 'The call was declined',
  unallocated: 'The number does not exist',
  refused: 'The trunk refused the call',
  do_not_call: 'The number is on the do-not-call list',
  campaign_paused: 'The campaign was paused',
  no_trunk: 'No trunk was left to call through',
  capacity: 'All lines of the system were in use',
};

/** Statuses of RFC 3261 21 and others, in the words of a provider's support. */
const SIP_STATUSES: Record<number, string> = {
  400: 'Bad request',
  401: 'Unauthorized: the trunk’s password may be wrong',
  403: 'Forbidden: the trunk may not call this number, or not with this caller id',
  404: 'Number not found',
  407: 'Authentication required: the trunk’s password may be wrong',
  408: 'No answer in time',
  410: 'The number is gone',
  415: 'Unsupported media',
  416: 'The trunk cannot read the number',
  480: 'Temporarily unavailable',
  484: 'The number is incomplete',
  486: 'Busy',
  487: 'Cancelled before the answer',
  488: 'No codec in common with the trunk',
  500: 'The trunk’s own error',
  502: 'The trunk’s gateway failed',
  503: 'The trunk is overloaded or down',
  504: 'The trunk’s gateway did not answer',
  600: 'Busy everywhere',
  603: 'Declined',
  604: 'The number exists nowhere',
  607: 'Unwanted by the person called',
  608: 'Rejected by a spam filter',
};

const Q850_CAUSES: Record<number, string> = {
  1: 'Unallocated number',
  3: 'No route to the number',
  16: 'Normal clearing',
  17: 'Busy',
  18: 'No user responding',
  19: 'No answer',
  20: 'Subscriber absent',
  21: 'Rejected',
  22: 'Number changed',
  27: 'Destination out of order',
  28: 'Invalid number format',
  34: 'No circuit available',
  38: 'Network out of order',
  41: 'Temporary failure',
  42: 'Congestion',
  47: 'Resource unavailable',
  102: 'Timer expired',
};

const outcomeWords = (outcome: string): string => OUTCOMES[outcome] ?? formatWord(outcome);
export const reasonWords = (reason: string): string => END_REASONS[reason] ?? formatWord(reason);
export const sipWords = (status: number): string =>
  SIP_STATUSES[status] === undefined ? String(status) : `${status}, ${SIP_STATUSES[status]}`;
export const causeWords = (cause: number): string =>
  Q850_CAUSES[cause] === undefined ? String(cause) : `${cause}, ${Q850_CAUSES[cause]}`;

export const OUTCOME_CHOICES: ReadonlyArray<[outcome: string, text: string]> = Object.entries(OUTCOMES);

/** Of `problems`; a sentence of the person who listened. */
export const PROBLEM_CHOICES: ReadonlyArray<[kind: CallProblem, text: string, hint: string]> = [
  ['misheard', 'Misheard', 'The caller said something else.'],
  ['wrong_answer', 'Wrong answer', 'Heard right, and answered wrongly or not at all.'],
  ['too_slow', 'Too slow', 'The answer came late.'],
  ['interrupted', 'Interrupted', 'The agent spoke into a sentence, or could not be stopped.'],
  ['other', 'Something else', 'Say it in the note.'],
];
export const problemWords = (kind: CallProblem): string =>
  PROBLEM_CHOICES.find(([each]) => each === kind)?.[1] ?? formatWord(kind);

type Ending = Pick<Call, 'status' | 'outcome'>;

/** The state or outcome of a call in one or two words. */
export function statusWords({ status, outcome }: Ending): string {
  if (status === 'SCHEDULED') return 'Scheduled';
  if (status === 'RINGING') return 'Ringing';
  if (status === 'IN_PROGRESS') return 'In progress';
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
  if (number === 'web') return 'Browser';
  if (number === '') return erasedAt === null ? 'Number withheld' : 'Erased';
  return callerName ?? number;
}

/** "Call with Ada Byron": a heading, or in mid sentence. */
export function callTitle(call: Parameters<typeof otherParty>[0], { inSentence = false } = {}): string {
  const word = inSentence ? 'call' : 'Call';
  const number = call.direction === 'inbound' ? call.fromNumber : call.toNumber;
  if (number === 'web') return `${word} from a browser`;
  if (number === '') return call.erasedAt === null ? `${word} with a withheld number` : `${word} that has been erased`;
  return `${word} with ${otherParty(call)}`;
}
