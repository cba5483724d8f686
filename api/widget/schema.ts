// Public keys of widgets as an account makes them, and what a visitor's page sends and is told.

import { type Static, Type } from 'typebox';
import { TEXT_CHARACTERS_MAX } from '../../db/domain/texts/segments.ts';
import { WIDGET_REFUSALS, WIDGET_WAYS } from '../../db/schema/widget.ts';
import { IceServers } from '../calls/place/schema.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { pageQuery } from '../frame/pagination.ts';
import { NOT_BLANK } from '../frame/patterns.ts';

const strict = { additionalProperties: false } as const;
const cap = (description: string, maximum = 100_000) => Type.Integer({ minimum: 1, maximum, description });

const WidgetRefused = Type.Object(
  {
    reason: oneOf(WIDGET_REFUSALS),
    requests: Type.Integer(),
    origin: nullable(Type.String({ description: 'Of the last of them' })),
    lastAt: Timestamp,
  },
  { title: 'WidgetRefused' },
);

const WidgetUses = Type.Object(
  {
    calls: Type.Integer(),
    callsNow: Type.Integer({ description: 'Under way' }),
    minutes: Type.Number({ description: 'Of calls that began today' }),
    messages: Type.Integer(),
    refused: Type.Array(WidgetRefused),
  },
  { title: 'WidgetUses' },
);

const given = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: NOT_BLANK }),
  origins: Type.Array(
    Type.String({
      ...{ minLength: 1, maxLength: 300 },
      description: 'Scheme, host and port of a page, such as https://www.example.com; nothing else',
    }),
    { minItems: 1, maxItems: 20, uniqueItems: true },
  ),
  allows: Type.Array(oneOf(WIDGET_WAYS), { minItems: 1, uniqueItems: true }),
  callsPerDay: cap('Days are those of UTC'),
  minutesPerDay: cap('Of calls that began today; one that runs is not cut'),
  messagesPerDay: cap('Of visitors'),
  callsAtOnce: cap('Under way', 1_000),
  captchaUrl: nullable(
    Type.String({
      ...{ minLength: 1, maxLength: 2_048 },
      description: 'HTTPS, public: asked with the token that the page got from its captcha; 2xx lets the visitor in',
    }),
  ),
  expiresAt: nullable(Timestamp),
  isActive: Type.Boolean(),
};

export const WidgetKeyRecord = Type.Object(
  {
    id: Type.String(),
    campaignId: Type.String(),
    key: Type.String({ description: 'pk_…, for everybody to see' }),
    previousKeyUntil: nullable(Timestamp),
    ...given,
    today: WidgetUses,
    createdAt: Timestamp,
  },
  { title: 'WidgetKey' },
);
export type WidgetKeyRecord = Static<typeof WidgetKeyRecord>;

const { name, origins, ...others } = given;
export const WidgetKeyCreate = Type.Object(
  { campaignId: Type.String({ minLength: 1 }), name, origins, ...Type.Partial(Type.Object(others)).properties },
  strict,
);
export type WidgetKeyCreate = Static<typeof WidgetKeyCreate>;

export const WidgetKeyPatch = Type.Object(Type.Partial(Type.Object(given)).properties, strict);
export type WidgetKeyPatch = Static<typeof WidgetKeyPatch>;

export const WidgetKeyRotate = Type.Object(
  {
    keepHours: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 168, description: 'The old key is taken for so long; default 24' }),
    ),
  },
  strict,
);

export const WidgetKeyQuery = Type.Object({ ...pageQuery, campaignId: Type.Optional(Type.String({ minLength: 1 })) });
export type WidgetKeyQuery = Static<typeof WidgetKeyQuery>;

// Requests and answers of pages of strangers.

const Captcha = Type.Optional(Type.String({ maxLength: 8_192, description: 'That the page got from its captcha' }));
const Visitor = Type.String({ minLength: 1, maxLength: 100, description: 'The token of the first answer: a secret' });

export const WidgetFacts = Type.Object(
  {
    isOpen: Type.Boolean({ description: 'Whether the agent answers now' }),
    allows: Type.Array(oneOf(WIDGET_WAYS)),
    needsCaptcha: Type.Boolean(),
    agentName: nullable(Type.String()),
    businessName: nullable(Type.String()),
    language: nullable(Type.String({ description: 'BCP 47, in which the agent answers' })),
  },
  { title: 'WidgetFacts' },
);
export type WidgetFacts = Static<typeof WidgetFacts>;

export const WidgetOpen = Type.Object({}, strict);

export const WidgetCallBegin = Type.Object({ captcha: Captcha }, strict);
export const WidgetCall = Type.Object(
  {
    callId: Type.String(),
    socketUrl: Type.String({ description: 'Good once, for 60 seconds' }),
    iceServers: IceServers,
  },
  { title: 'WidgetCall' },
);

export type WidgetCall = Static<typeof WidgetCall>;

export const WidgetMessageWrite = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: TEXT_CHARACTERS_MAX, pattern: NOT_BLANK }),
    visitor: Type.Optional(Visitor),
    captcha: Captcha,
  },
  strict,
);
export type WidgetMessageWrite = Static<typeof WidgetMessageWrite>;

const WidgetMessage = Type.Object(
  {
    id: Type.String(),
    from: oneOf(['visitor', 'agent', 'person'] as const, { description: '`person`: somebody of the business' }),
    text: Type.String(),
    createdAt: Timestamp,
  },
  { title: 'WidgetMessage' },
);
export type WidgetMessage = Static<typeof WidgetMessage>;

export const WidgetWritten = Type.Object({ visitor: Visitor, message: WidgetMessage }, { title: 'WidgetWritten' });

export const WidgetMessageRead = Type.Object(
  {
    visitor: Visitor,
    after: Type.Optional(Type.String({ maxLength: 60, description: 'The id of the last message that is known' })),
    wait: Type.Optional(Type.Boolean({ description: 'Answer once there is something new, or after 20 seconds' })),
  },
  strict,
);
export type WidgetMessageRead = Static<typeof WidgetMessageRead>;

export const WidgetThread = Type.Object(
  {
    messages: Type.Array(WidgetMessage, { description: 'Oldest first; the last 100 where nothing is known' }),
    isAnswering: Type.Boolean({ description: 'The agent is about to write' }),
  },
  { title: 'WidgetThread' },
);
export type WidgetThread = Static<typeof WidgetThread>;
