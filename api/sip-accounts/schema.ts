// Bodies and records of /admin/sip-accounts.

import { type Static, Type } from 'typebox';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { ONE_LINE, patterned } from '../frame/patterns.ts';

/** The user part of a SIP URI without escapes that is neither an IP address nor a number with `+`. */
const username = Type.String({
  minLength: 2,
  maxLength: 32,
  pattern: patterned(
    '^[A-Za-z0-9][A-Za-z0-9_-]*$',
    'must begin with a letter or a digit, and have letters, digits, _ and - only',
  ),
  description: 'Without regard to case; kept in lower case',
});

const fields = {
  displayName: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64, pattern: ONE_LINE }))),
  password: Type.Optional(
    Type.String({
      minLength: 12,
      maxLength: 64,
      pattern: patterned('^[!-~]+$', 'must have no blanks and only the letters, digits and marks of ASCII'),
      writeOnly: true,
    }),
  ),
  callsTo: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: '`demo` or a campaign’s id; null: the phone can be called and calls nobody',
      }),
    ),
  ),
  enabled: Type.Optional(Type.Boolean()),
};

export const SipAccountBody = Type.Object({ username, ...fields }, { additionalProperties: false });
export type SipAccountBody = Static<typeof SipAccountBody>;

export const SipAccountPatch = Type.Object(
  { username: Type.Optional(username), ...fields },
  { additionalProperties: false },
);
export type SipAccountPatch = Static<typeof SipAccountPatch>;

const Registration = Type.Object({
  contact: Type.String(),
  transport: oneOf(['udp', 'tcp', 'tls']),
  address: Type.String({ description: 'Where its packets come from' }),
  port: Type.Integer(),
  userAgent: nullable(Type.String()),
  since: Timestamp,
  expiresAt: Timestamp,
});

const record = {
  id: Type.String(),
  accountId: Type.String({ description: 'Whose calls it makes, and whose calls may be transferred to it' }),
  username: Type.String(),
  displayName: nullable(Type.String()),
  callsTo: nullable(Type.String()),
  enabled: Type.Boolean(),
  registration: nullable(Registration),
  createdAt: Timestamp,
  deletedAt: nullable(Timestamp),
};

export const SipAccount = Type.Object(record, { title: 'SipAccount' });
export type SipAccount = Static<typeof SipAccount>;

export const NewSipAccount = Type.Object(
  { ...record, password: Type.String({ description: 'Shown here only' }) },
  { title: 'NewSipAccount' },
);
export type NewSipAccount = Static<typeof NewSipAccount>;

/** Fields of the record that a client may send back unchanged. */
export const SIP_ACCOUNT_READ_ONLY = ['id', 'accountId', 'registration', 'createdAt', 'deletedAt', '_count'] as const;

export const SipAccountParams = Type.Object({ id: Type.String() });
