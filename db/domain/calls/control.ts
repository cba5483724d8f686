// The controls of a running call: the requests of an API's client, and the engine's answers. The API refuses with the
// code; docs/live-calls.md says what each does.
import type { SecretDigits } from '../secret-digits.ts';

/**
 * The person who talks in the agent's place: somebody who listens, a softphone (`sip:USERNAME`), or a number in E.164.
 */
export type CallControl =
  | { kind: 'say'; text: string; when: 'now' | 'pause' }
  | { kind: 'instruct'; text: string }
  | { kind: 'mute' }
  | { kind: 'unmute' }
  | { kind: 'digits'; digits: string }
  /** The caller is asked for it with `text`, and the agent's model gets a reference in its place. */
  | ({ kind: 'collect-digits'; text: string | null } & SecretDigits)
  | { kind: 'transfer'; to: string }
  | { kind: 'recording'; recording: 'mask' | 'unmask' }
  /** `userId`: whose listening it is, where somebody who listens talks. */
  | { kind: 'take-over'; by: string; listenerId?: string; userId?: string }
  | { kind: 'hand-back' };

export type CallControlKind = CallControl['kind'];

/** The token of a socket, a listener's or a browser's that calls: for so long it waits to be used, once. */
export const SOCKET_TOKEN_VALID_MS = 60_000;

/** Why the engine does not do it. */
const CONTROL_REFUSALS = [
  'AGENT_TAKES_NO_INSTRUCTIONS',
  'CALL_ENDED',
  'CALL_NOT_ANSWERED',
  'CALL_TAKEN_OVER',
  'CALL_TRANSFERRED',
  'CALL_WITH_MACHINE',
  'DIGITS_UNDER_WAY',
  'LISTENER_GONE',
  'NOT_RECORDED',
  'NOT_TAKEN_OVER',
  'NO_KEYPAD',
  'TAKE_OVER_REFUSED',
  'TRANSFER_UNDER_WAY',
] as const;
export type ControlRefusal = (typeof CONTROL_REFUSALS)[number];

/** `ringing`: the telephone of the one who takes over rings; `detail`: why, where the code does not say it. */
export type ControlAnswer = { state: 'done' | 'ringing' } | { refused: ControlRefusal; detail?: string };

export const done: ControlAnswer = { state: 'done' };

export const CONTROL_MESSAGES: Readonly<Record<ControlRefusal, string>> = {
  AGENT_TAKES_NO_INSTRUCTIONS:
    'The built-in receptionist answers by rules and follows no instructions: use say, or set a language model',
  CALL_ENDED: 'Call has ended',
  CALL_NOT_ANSWERED: 'The call is not answered yet: wait for its answer',
  CALL_TAKEN_OVER: 'A person talks in the agent’s place: hand the call back first',
  CALL_TRANSFERRED: 'The caller was put through to a person, and the agent has left',
  CALL_WITH_MACHINE: 'An answering machine has taken the call',
  DIGITS_UNDER_WAY: 'The caller is keying in a number already: wait for its end',
  LISTENER_GONE: 'You do not listen by this listenerId: POST /calls/:id/listen, and open its socket first',
  NOT_RECORDED: 'The call is not recorded',
  NOT_TAKEN_OVER: 'Nobody has taken the call over',
  NO_KEYPAD: 'The other side of this call takes no digits',
  TAKE_OVER_REFUSED: 'The person could not be called',
  TRANSFER_UNDER_WAY: 'The caller is being transferred: wait for its end',
};
