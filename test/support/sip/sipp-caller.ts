// Scenarios of sipp as a caller of the service: it dials, and goes on as the steps say.
import { runSipp, type SippRun } from './sipp.ts';

interface SippCaller {
  /** The user part of its address. */
  user: string;
  /** Headers of its INVITE. */
  headers?: readonly string[];
  /** Where it wants its audio, if not at the port of sipp; and whether it holds the call from the beginning. */
  audio?: { port?: number; isHeld?: boolean };
  /** From the ACK to the end. */
  steps: readonly string[];
}

const CALLEE = 'sip:[service]@[remote_ip]:[remote_port]';

function request(method: string, user: string, cseq: number, rest: readonly string[], toTag = '[peer_tag_param]') {
  return [
    `${method} ${CALLEE} SIP/2.0`,
    `Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]`,
    `From: <sip:${user}@[local_ip]:[local_port]>;tag=[call_number]`,
    `To: <${CALLEE}>${toTag}`,
    'Call-ID: [call_id]',
    `CSeq: ${cseq} ${method}`,
    `Contact: <sip:${user}@[local_ip]:[local_port]>`,
    'Max-Forwards: 70',
    ...rest,
  ].join('\n');
}

const send = (text: string, isRepeated = true): string =>
  `<send${isRepeated ? ' retrans="500"' : ''}><![CDATA[\n${text}\n\n]]></send>`;
const withBody = (type: string, body: string): string[] => [`Content-Type: ${type}`, 'Content-Length: [len]', '', body];
const EMPTY = ['Content-Length: 0'];

/** PCMU with telephone events. `version`: of the session, which an offer that changes it raises. */
export function sdp({ port, isHeld = false }: NonNullable<SippCaller['audio']> = {}, version = 1): string {
  return [
    'v=0',
    `o=sipp 1 ${version} IN IP4 [local_ip]`,
    's=-',
    'c=IN IP4 [local_ip]',
    't=0 0',
    `m=audio ${port ?? '[media_port]'} RTP/AVP 0 101`,
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:101 telephone-event/8000',
    `a=${isHeld ? 'sendonly' : 'sendrecv'}`,
  ].join('\n');
}

export const pauseFor = (ms: number): string => `<pause milliseconds="${ms}"/>`;

const expects = (status: number): string => `<recv response="${status}"></recv>`;

/** A request of its own, and the 200 to it. */
export const asks = (
  user: string,
  method: string,
  cseq: number,
  headers: readonly string[] = [],
  body: [type: string, text: string] | null = null,
): string => send(request(method, user, cseq, [...headers, ...(body ? withBody(...body) : EMPTY)])) + expects(200);

export const acknowledges = (user: string, cseq: number): string => send(request('ACK', user, cseq, EMPTY), false);

/** Waits for a request of ours, and answers it. */
export function answers(
  user: string,
  method: string,
  { status = '200 OK', headers = [], session }: { status?: string; headers?: readonly string[]; session?: string } = {},
): string {
  const lines = [
    `SIP/2.0 ${status}`,
    ...['[last_Via:]', '[last_From:]', '[last_To:]', '[last_Call-ID:]', '[last_CSeq:]'],
    `Contact: <sip:${user}@[local_ip]:[local_port]>`,
    ...headers,
    ...(session === undefined ? EMPTY : withBody('application/sdp', session)),
  ];
  const isAcknowledged = method === 'INVITE';
  return [
    `<recv request="${method}" crlf="true"></recv>`,
    send(lines.join('\n'), isAcknowledged),
    ...(isAcknowledged ? ['<recv request="ACK" crlf="true"></recv>'] : []),
  ].join('\n');
}

export const hangsUp = (user: string, cseq: number): string => asks(user, 'BYE', cseq);

/** A call to `demo` of the service; it fails unless everything comes as its steps say. */
export function callWithSipp(sipAddress: string, { user, headers = [], audio, steps }: SippCaller): Promise<SippRun> {
  const invite = [...headers, ...withBody('application/sdp', sdp(audio))];
  const scenario = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<scenario name="${user}">`,
    send(request('INVITE', user, 1, invite, '')),
    '<recv response="100" optional="true"></recv>',
    '<recv response="180" optional="true"></recv>',
    expects(200),
    acknowledges(user, 1),
    ...steps,
    '</scenario>',
  ].join('\n');
  return runSipp(['-m', '1', '-s', 'demo', '-timeout', '150', '-timeout_error', sipAddress], scenario);
}
