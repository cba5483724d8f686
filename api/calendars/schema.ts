// Calendars elsewhere as clients connect and read them.

import { type Static, Type } from 'typebox';
import { CALENDAR_KINDS, CALENDAR_STATES } from '../../db/schema/calendars.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { NOT_BLANK, patterned } from '../frame/patterns.ts';

const KIND_HELP =
  '`ics`: read at an address, as the secret one of Google and the published one of Outlook; `caldav`: read, and written into; `google`, `microsoft`: the same, after a sign-in there';

export const CalendarRecord = Type.Object(
  {
    id: Type.String(),
    kind: oneOf(CALENDAR_KINDS, { description: KIND_HELP }),
    name: Type.String(),
    resource: nullable(Type.String({ description: 'Whose it is, a name of `resources`; null: the whole business’s' })),
    address: Type.String({ description: 'Without what is secret in it; of Google and Microsoft the account' }),
    writes: Type.Boolean({ description: 'Appointments are written there' }),
    names: Type.Boolean({ description: 'With names, numbers and notes' }),
    state: oneOf(CALENDAR_STATES, {
      description: '`failing`: it is tried again within minutes; `refused`: somebody has to mend it',
    }),
    error: nullable(Type.String()),
    readAt: nullable(Timestamp),
    busyTimes: Type.Integer({ description: 'In the coming year, those that meet as one' }),
    unwritten: Type.Integer({ description: 'Appointments that could not be written there yet' }),
    writeError: nullable(Type.String()),
    createdAt: Timestamp,
  },
  { title: 'Calendar' },
);
export type CalendarRecord = Static<typeof CalendarRecord>;

/** Blanks and what a header cannot carry are no part of either. */
const Username = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: patterned('^[^:\\p{C}]+$', 'must have no colon, no line breaks and no characters that nobody sees'),
});
const Password = Type.String({ minLength: 1, maxLength: 500, description: 'Kept sealed and never shown again' });

const changeable = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK })),
  resource: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 80,
        description: 'Whose it is, a name of `resources`; null, the default: the whole business’s',
      }),
    ),
  ),
  writes: Type.Optional(
    Type.Boolean({ description: 'Write appointments there. Default: true where the calendar can be written' }),
  ),
  names: Type.Optional(Type.Boolean({ description: 'With names, numbers and notes. Default true' })),
  username: Type.Optional(Username),
  password: Type.Optional(Password),
  signIn: Type.Optional(
    Type.String({ maxLength: 60, description: 'Of `google` and `microsoft`: the id of a sign-in that is done' }),
  ),
};

export const CalendarCreate = Type.Object(
  {
    kind: oneOf(CALENDAR_KINDS, { description: KIND_HELP }),
    url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'Of `ics` and `caldav`: https: of the calendar, or of its CalDAV server',
      }),
    ),
    calendar: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'Its name, or its id there, where there are several' }),
    ),
    ...changeable,
  },
  { additionalProperties: false },
);
export type CalendarCreate = Static<typeof CalendarCreate>;

export const CalendarPatch = Type.Object(changeable, { additionalProperties: false });
export type CalendarPatch = Static<typeof CalendarPatch>;
