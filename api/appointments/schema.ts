// Appointments as clients send and read them.
import { type Static, Type } from 'typebox';
import { CHANGED_BY } from '../../db/domain/booking/history.ts';
import { REMINDER_STATES } from '../../db/domain/booking/reminders.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { instant } from '../frame/instants.ts';
import { pageQuery } from '../frame/pagination.ts';
import { VISIBLE } from '../frame/patterns.ts';

const STATES_HELP =
  'What came of the call that reminded of it. `unreached`: nobody answered, or a machine; `undecided`: neither a yes nor a no';

const STATUSES = ['booked', 'cancelled'] as const;

export const AppointmentRecord = Type.Object(
  {
    id: Type.String(),
    callId: nullable(Type.String()),
    conversationId: nullable(
      Type.String({ description: 'In which it was booked; null: on a call, or by hand where callId is null too' }),
    ),
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

const Tell = Type.Boolean({
  description:
    'Whether the person is told by text, where the business has `appointmentTexts` and they called, wrote, or were named by somebody who may reach people; `true` needs the scope `call`. Default: as the business has it',
});

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: VISIBLE });
const Minutes = Type.Integer({
  minimum: 5,
  maximum: 720,
  description: 'Default: as long as the service takes, else 30',
});
const ResourceName = Type.String({ minLength: 1, maxLength: 80 });

export const AppointmentCreate = Type.Object(
  {
    businessId: Type.String({ minLength: 1 }),
    startsAt: Type.String({ format: 'date-time', description: 'Ahead, by at most 366 days' }),
    durationMinutes: Type.Optional(Minutes),
    service: Type.Optional(nullable(Name)),
    resource: Type.Optional(nullable(ResourceName)),
    name: Type.Optional(nullable(Name)),
    phone: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 40, description: 'E.164' }))),
    notes: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
    outsideHours: Type.Optional(Type.Boolean({ description: 'Also when the business is closed. Default false' })),
    tellPerson: Type.Optional(Tell),
  },
  { additionalProperties: false },
);
export type AppointmentCreate = Static<typeof AppointmentCreate>;

export const FreeTimesQuery = Type.Object({
  from: Type.Optional(instant('From', 'the beginning')),
  to: Type.Optional(instant('To', 'the beginning')),
  service: Type.Optional(Name),
  durationMinutes: Type.Optional(Minutes),
  resource: Type.Optional(ResourceName),
  besides: Type.Optional(
    Type.String({ minLength: 1, description: 'An appointment whose own time counts as free: it is to be moved' }),
  ),
});
export type FreeTimesQuery = Static<typeof FreeTimesQuery>;

export const FreeTimesRecord = Type.Object(
  {
    timezone: Type.String(),
    durationMinutes: Type.Number(),
    times: Type.Array(Timestamp, {
      description: 'Every 15 minutes at which one of the resources is free for so long; of 31 days at most',
    }),
  },
  { title: 'FreeTimes' },
);

export const AppointmentPatch = Type.Object(
  {
    startsAt: Type.Optional(Timestamp),
    status: Type.Optional(oneOf(STATUSES)),
    resource: Type.Optional(nullable(ResourceName)),
    tellPerson: Type.Optional(Tell),
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
  resource: Type.Optional(ResourceName),
  agentId: Type.Optional(Type.String({ minLength: 1, description: 'Who booked it, on a call or in writing' })),
  from: Type.Optional(instant('From', 'startsAt')),
  to: Type.Optional(instant('To', 'startsAt')),
});
export type AppointmentQuery = Static<typeof AppointmentQuery>;
