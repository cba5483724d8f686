// `appointmentTexts` of a business: the schema of the field, and its column.
import { type Static, Type } from 'typebox';
import { type AppointmentTexts, REMIND_HOURS_MAX } from '../../db/domain/texts/appointment-texts.ts';
import type { Auth } from '../frame/app.ts';
import { nullable } from '../frame/envelope-schema.ts';
import { requireScope } from '../plugins/auth.ts';

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const CONFIRM = 'A text after the booking on a call. Default true';
const CHANGES = 'A text after it was moved or cancelled. Default true';
const REMIND = Type.Integer({
  ...{ minimum: 1, maximum: REMIND_HOURS_MAX },
  description: 'So many hours before it, between 8 and 21 where the number is; null: none. Default 24',
});

export const AppointmentTextsInput = nullable(
  Type.Object(
    { confirm: flag(CONFIRM), changes: flag(CHANGES), remindHoursBefore: Type.Optional(nullable(REMIND)) },
    { additionalProperties: false, description: 'Texts to persons about their appointments (docs/messages.md)' },
  ),
);

export const AppointmentTextsRecord = nullable(
  Type.Object(
    { confirm: Type.Boolean(), changes: Type.Boolean(), remindHoursBefore: nullable(Type.Integer()) },
    { title: 'AppointmentTexts' },
  ),
);

/** @throws {ApiError} 403: others than `current` reach people */
export function checkMayText(
  auth: Auth,
  wanted: Static<typeof AppointmentTextsInput> | undefined,
  current: string | null,
): void {
  if (wanted != null && appointmentTextsColumn(wanted) !== current) requireScope(auth, 'call');
}

export function appointmentTextsColumn(body: Static<typeof AppointmentTextsInput>): string | null {
  if (body === null) return null;
  const { confirm = true, changes = true, remindHoursBefore = 24 } = body;
  const texts: AppointmentTexts = { confirm, changes, remindHoursBefore };
  return JSON.stringify(texts);
}
