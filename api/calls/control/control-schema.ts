// Schemas of what is done to a running call, and of listening to it.

import { type Static, Type } from 'typebox';
import type { CallControlKind } from '../../../db/domain/calls/control.ts';
import { SECRET_DIGITS_MAX } from '../../../db/domain/secret-digits.ts';
import { oneOf, Timestamp } from '../../frame/envelope-schema.ts';
import { NOT_BLANK, patterned } from '../../frame/patterns.ts';

const KINDS = [
  'say',
  'instruct',
  'mute',
  'unmute',
  'digits',
  'collect-digits',
  'transfer',
  'recording',
  'take-over',
  'hand-back',
] as const satisfies readonly CallControlKind[];

const SAY_MAX = 1_000;

const digitCount = (description: string) =>
  Type.Integer({ minimum: 1, maximum: SECRET_DIGITS_MAX, description: `Of \`collect-digits\`. ${description}` });

export const ControlBody = Type.Object(
  {
    kind: oneOf(KINDS),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: SAY_MAX,
        pattern: NOT_BLANK,
        description:
          'Of `say` and `collect-digits`: spoken as it is. Of `instruct`: for the agent’s model, for the rest of the call',
      }),
    ),
    when: Type.Optional(
      oneOf(['now', 'pause'] as const, {
        default: 'pause',
        description: 'Of `say`: in place of what the agent is saying; or once both sides are silent',
      }),
    ),
    digits: Type.Optional(
      Type.String({
        pattern: patterned(
          '^[0-9*#A-Dw]{1,40}$',
          'must be 1 to 40 keys: digits, *, #, A to D, and w for half a second',
        ),
        description: 'Of `digits`: 0-9, *, #, A-D, and w for a pause of half a second',
      }),
    ),
    minDigits: Type.Optional(digitCount('Default 1, of a card 13')),
    maxDigits: Type.Optional(digitCount(`Default ${SECRET_DIGITS_MAX}, of a card 19`)),
    isCard: Type.Optional(Type.Boolean({ description: 'Of `collect-digits`: the last digit is a check digit' })),
    to: Type.Optional(Type.String({ maxLength: 64, description: 'Of `transfer`: E.164, or sip:USERNAME' })),
    recording: Type.Optional(
      oneOf(['mask', 'unmask'] as const, {
        description: 'Of `recording`: both channels are silence from now on, or no longer; times stay true',
      }),
    ),
    by: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Of `take-over`: `socket`, one who listens; or E.164 or sip:USERNAME, which is called',
      }),
    ),
    listenerId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Of `take-over` by `socket`: `id` of the listening' }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'say: text, when; instruct: text; digits: digits; collect-digits: text, minDigits, maxDigits, isCard; transfer: to; recording: recording; take-over: by, listenerId; mute, unmute and hand-back: nothing else',
  },
);
export type ControlBody = Static<typeof ControlBody>;

export const ControlRecord = Type.Object(
  {
    kind: oneOf(KINDS),
    callId: Type.String(),
    state: oneOf(['done', 'ringing'] as const, {
      description: '`ringing`: the telephone of the one who takes over rings; the call’s stream tells when they talk',
    }),
  },
  { title: 'CallControl' },
);

export const ListenRecord = Type.Object(
  {
    id: Type.String({ description: 'Of this listening, for `take-over`' }),
    socketUrl: Type.String({
      description: 'WebSocket: PCM16 stereo 16 kHz, caller left, agent right; and JSON. With its token',
    }),
    token: Type.String({ description: 'Valid once, for 60 s, and as long as who asked for it may sign in' }),
    expiresAt: Timestamp,
  },
  { title: 'Listening' },
);
export type ListenRecord = Static<typeof ListenRecord>;
