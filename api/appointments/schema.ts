// Appointments as clients send and read them.
import { type Static, Type } from 'typebox';
import { CHANGED_BY } from '../../db/domain/booking/history.ts';
import { REMINDER_STATES } from '../../db/domain/booking/reminders.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { pageQuery } from '../frame/pagination.ts';

const STATES_HELP =
  'What came of the call that reminded of it. `unreached`: nobody answered, or a machine; `undecided`: neither a yes nor a no';

const STATUSES = ['booked', 'cancelled'] as const;

export const AppointmentRecord = Type.Object(
  {
    id: Type.String(),
    callId: nullable(Type.String()),
    conversationId: nullable(Type.String({ description: 'In which it was booked; null: on a call' })),
    businessId: Type.String(),
    service: nullable(Type.String()),
    startsAt: Timestamp,
    endsAt: Timestamp,
    name: nullable(Type.String()),
    phone: nullable(Type.String()),
    notes: nullable(Type.String()),
    status: oneOf(STATUSES),
    resource: nullable(Type.String({ description: 'With whom, or where: a name of the business’s `resources`' })),
    reference: nullable(Type.String({ description: 'By which a caller on another number proves that it is theirs' })),
    history: Type.Array(
      Type.Object({
        at: Timestamp,
        by: oneOf(CHANGED_BY, { description: '`calendar`: in a calendar that is connected' }),
        startsAt: Timestamp,
        status: oneOf(STATUSES),
        resource: nullable(Type.String()),
      }),
      { description: 'How it was before each change, oldest first; the newest 50 are kept' },
    ),
    reminder: nullable(
      Type.Object({ callId: Type.String(), state: oneOf(REMINDER_STATES, { description: STATES_HELP }) }),
    ),
  },
  { title: 'Appointment' },
);

export const AppointmentPatch = Type.Object(
  {
    startsAt: Type.Optional(Timestamp),
    status: Type.Optional(oneOf(STATUSES)),
    resource: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 80 }))),
  },
  { additionalProperties: false },
);
export type AppointmentPatch = Static<typeof AppointmentPatch>;

export const AppointmentQuery = Type.Object({
  ...pageQuery,
  businessId: Type.Optional(Type.String({ minLength: 1 })),
  callId: Type.Optional(Type.String({ minLength: 1 })),
  status: Type.Optional(oneOf(STATUSES)),
  phone: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'The person’s number, E.164' })),
});
export type AppointmentQuery = Static<typeof AppointmentQuery>;
