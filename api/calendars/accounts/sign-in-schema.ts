// Sign-ins to Google and Microsoft as clients begin and watch them.
import { type Static, Type } from 'typebox';
import { CALENDAR_ACCOUNT_KINDS, SIGN_IN_STATES } from '../../../db/schema/calendars.ts';
import { nullable, oneOf, Timestamp } from '../../frame/envelope-schema.ts';

export const CalendarSignInRecord = Type.Object(
  {
    id: Type.String(),
    kind: oneOf(CALENDAR_ACCOUNT_KINDS),
    state: oneOf(SIGN_IN_STATES, { description: '`done`: connect one of its calendars' }),
    url: nullable(Type.String({ description: 'Where the calendar’s owner signs in, while it waits' })),
    code: nullable(Type.String({ description: 'What they enter there; null: nothing' })),
    error: nullable(Type.String()),
    calendars: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        isWritable: Type.Boolean({ description: 'Appointments can be written there' }),
      }),
    ),
    expiresAt: Timestamp,
  },
  { title: 'CalendarSignIn' },
);
export type CalendarSignInRecord = Static<typeof CalendarSignInRecord>;

export const CalendarAccountsRecord = Type.Object(
  { google: Type.Boolean(), microsoft: Type.Boolean() },
  {
    title: 'CalendarAccounts',
    description: 'True: the installation has an application there, so that somebody can sign in',
  },
);

export const CalendarSignInCreate = Type.Object(
  { kind: oneOf(CALENDAR_ACCOUNT_KINDS) },
  { additionalProperties: false },
);

export const CalendarSignInCode = Type.Object(
  {
    state: Type.String({ minLength: 1, maxLength: 200, description: 'As Google gave it back' }),
    code: Type.String({ minLength: 1, maxLength: 2_000, description: 'As Google gave it' }),
  },
  { additionalProperties: false },
);
export type CalendarSignInCode = Static<typeof CalendarSignInCode>;
