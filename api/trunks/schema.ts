// Bodies and records of /admin/trunks.

import { type Static, Type } from 'typebox';
import { READING_RULES } from '../../db/domain/numbers/reading-rules.ts';
import { INBOUND_FORMATS, VOICE_CODECS } from '../../db/domain/trunk-defaults.ts';
import { HEALTH_STATES, REGISTRATION_STATES } from '../../db/domain/trunk-state.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { COUNTRY, ONE_LINE, patterned } from '../frame/patterns.ts';
import { Destinations, DestinationsField } from '../spend/destinations.ts';

const TRANSPORTS = ['udp', 'tcp', 'tls'] as const;

/** Characters allowed in a SIP header or URI without quoting (RFC 3261 25.1), so that no field can break a message. */
const WORD = patterned("^[A-Za-z0-9._~!%*+`'=$&?/@:-]+$", 'must be the user part of a SIP address, without blanks');
const HOST = patterned(
  '^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?\\.?$|^\\[?[0-9A-Fa-f:.]+\\]?$',
  'must be a host name or an IP address, without a port, for example sip.example.com',
);

const optionalText = (pattern: string, maxLength: number) =>
  Type.Optional(nullable(Type.String({ minLength: 1, maxLength, pattern })));

const fields = {
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  transport: Type.Optional(oneOf(TRANSPORTS)),
  username: optionalText(WORD, 128),
  password: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 256, writeOnly: true }))),
  register: Type.Optional(Type.Boolean()),
  inboundAllow: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 64 })),
  codecs: Type.Optional(Type.Array(oneOf(VOICE_CODECS), { minItems: 1, uniqueItems: true })),
  maxConcurrentCalls: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  callsPerSecond: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  authUsername: optionalText(WORD, 128),
  fromDomain: optionalText(HOST, 253),
  outboundProxy: optionalText(
    patterned(
      '^(sips?:)?[A-Za-z0-9.\\[\\]:_-]+(;[A-Za-z0-9=_-]+)*$',
      'must be a host or a SIP address, for example sip:proxy.example.com;transport=tls',
    ),
    300,
  ),
  country: optionalText(COUNTRY, 2),
  inboundFormat: Type.Optional(oneOf(INBOUND_FORMATS)),
  dialFormat: Type.Optional(oneOf(['e164', '00', 'national'])),
  dialPrefix: optionalText(patterned('^[0-9*#+]{1,16}$', 'must be 1 to 16 digits, *, # or +'), 16),
  callerIdHeader: Type.Optional(oneOf(['from', 'pai', 'both'])),
  srtp: Type.Optional(Type.Boolean()),
  optionsPing: Type.Optional(Type.Boolean()),
  acceptsRefer: Type.Optional(Type.Boolean()),
  backupTrunkId: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
  destinations: DestinationsField,
};

const name = Type.String({ minLength: 1, maxLength: 100, pattern: ONE_LINE });
const host = Type.String({ minLength: 1, maxLength: 253, pattern: HOST });

export const TrunkBody = Type.Object({ name, host, ...fields }, { additionalProperties: false });
export type TrunkBody = Static<typeof TrunkBody>;

export const TrunkPatch = Type.Object(
  { name: Type.Optional(name), host: Type.Optional(host), ...fields },
  { additionalProperties: false },
);
export type TrunkPatch = Static<typeof TrunkPatch>;

export const Trunk = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    host: Type.String(),
    port: Type.Integer(),
    transport: oneOf(TRANSPORTS),
    username: nullable(Type.String()),
    register: Type.Boolean(),
    inboundAllow: Type.Array(Type.String()),
    codecs: Type.Array(Type.String()),
    maxConcurrentCalls: Type.Integer(),
    callsPerSecond: Type.Integer(),
    authUsername: nullable(Type.String()),
    fromDomain: nullable(Type.String()),
    outboundProxy: nullable(Type.String()),
    country: nullable(Type.String()),
    inboundFormat: oneOf(INBOUND_FORMATS),
    dialFormat: oneOf(['e164', '00', 'national']),
    dialPrefix: nullable(Type.String()),
    callerIdHeader: oneOf(['from', 'pai', 'both']),
    srtp: Type.Boolean(),
    optionsPing: Type.Boolean({ description: 'Whether health is asked by OPTIONS' }),
    acceptsRefer: Type.Boolean({
      description: 'Whether a blind transfer is asked of its side by REFER; false: the two calls are joined here',
    }),
    backupTrunkId: nullable(Type.String()),
    destinations: Destinations,
    registration: Type.Object({
      state: oneOf(REGISTRATION_STATES),
      expiresAt: nullable(Timestamp),
    }),
    health: Type.Object({ state: oneOf(HEALTH_STATES), checkedAt: nullable(Timestamp) }),
    lastError: nullable(Type.String()),
    lastErrorAt: nullable(Timestamp),
    activeCalls: Type.Integer(),
    createdAt: Timestamp,
    deletedAt: nullable(Timestamp),
  },
  { title: 'Trunk' },
);
export type Trunk = Static<typeof Trunk>;

const RULES = Object.entries(READING_RULES).map(([rule, meaning]) => `${rule}: ${meaning}`);

/** How an INVITE was read. */
export const ReadInvite = Type.Object(
  {
    id: Type.String(),
    calledReceived: Type.String({ description: 'As it stood in the INVITE' }),
    calledNumber: Type.String({ description: 'As it was read: E.164 where it is a number' }),
    callerReceived: Type.String({ description: 'Empty once the call was erased' }),
    callerNumber: Type.String({ description: 'Empty once the call was erased' }),
    rule: Type.String({ description: `${RULES.join('; ')}. The list is open` }),
    createdAt: Timestamp,
  },
  { title: 'ReadInvite' },
);
export type ReadInvite = Static<typeof ReadInvite>;

/** Fields of the record that a client may send back unchanged. */
export const TRUNK_READ_ONLY = [
  'id',
  'registration',
  'health',
  'lastError',
  'lastErrorAt',
  'activeCalls',
  'createdAt',
  'deletedAt',
  '_count',
] as const;

export const TrunkParams = Type.Object({ id: Type.String() });
