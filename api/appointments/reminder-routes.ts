// /businesses/:id/reminders: whether a business's appointments are reminded of by a call, by whom, and when.

import { type Static, Type } from 'typebox';
import { REMINDER_HOURS_MAX, REMINDER_HOURS_MIN } from '../../db/domain/booking/reminders.ts';
import { deleteReminders, getReminders, putReminders } from '../../db/queries/businesses/reminders.ts';
import { getCampaign } from '../../db/queries/campaigns/campaigns.ts';
import { businessRow, liveBusiness } from '../businesses/service.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, nullable, ok } from '../frame/envelope-schema.ts';
import { type FieldError, invalid } from '../frame/errors.ts';
import { CLOCK_TIME } from '../frame/patterns.ts';
import { requireScope } from '../plugins/auth.ts';

const tags = ['Appointments'];
const Params = Type.Object({ id: Type.String() });

const ReminderRecord = Type.Object(
  {
    campaignId: nullable(Type.String({ description: 'Its agent, number and calling window; null: nobody is called' })),
    dayBeforeAt: nullable(Type.String({ description: 'HH:MM of the day before, by the business’s clock' })),
    hoursBefore: nullable(Type.Integer()),
  },
  { title: 'AppointmentReminders' },
);
type ReminderRecord = Static<typeof ReminderRecord>;

const ReminderBody = Type.Object(
  {
    campaignId: Type.String({ description: 'Of this business: its agent, number and calling window' }),
    dayBeforeAt: Type.Optional(
      Type.String({
        pattern: CLOCK_TIME,
        description: 'HH:MM of the day before, by the business’s clock. Default 17:00',
      }),
    ),
    hoursBefore: Type.Optional(
      Type.Integer({ minimum: REMINDER_HOURS_MIN, maximum: REMINDER_HOURS_MAX, description: 'In its place' }),
    ),
  },
  { additionalProperties: false },
);
type ReminderBody = Static<typeof ReminderBody>;

const DAY_BEFORE_AT = '17:00';
const NONE: ReminderRecord = { campaignId: null, dayBeforeAt: null, hoursBefore: null };

export function registerReminders(app: App, context: ApiContext): void {
  app.get(
    '/businesses/:id/reminders',
    {
      schema: {
        tags,
        summary: 'Whether appointments are reminded of by a call',
        params: Params,
        response: { 200: ok(ReminderRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async ({ auth, params }) => {
      await businessRow(context.read, auth.accountId, params.id);
      const row = await getReminders(context.read, auth.accountId, params.id);
      const { campaignId, dayBeforeAt, hoursBefore } = row ?? NONE;
      return { data: { campaignId, dayBeforeAt, hoursBefore } };
    },
  );
  app.put(
    '/businesses/:id/reminders',
    {
      schema: {
        tags,
        summary: 'Have appointments reminded of by a call',
        params: Params,
        body: ReminderBody,
        response: { 200: ok(ReminderRecord), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    async ({ auth, params, body }) => {
      requireScope(auth, 'call');
      return { data: await setReminders(context, auth.accountId, params.id, body) };
    },
  );
  app.delete(
    '/businesses/:id/reminders',
    {
      schema: {
        tags,
        summary: 'Remind of no appointments any more',
        params: Params,
        response: { 200: ok(ReminderRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async ({ auth, params }) => {
      await businessRow(context.read, auth.accountId, params.id);
      await deleteReminders(context.db, auth.accountId, params.id);
      return { data: NONE };
    },
  );
}

/** @throws {ApiError} 404, 409, 422 */
async function setReminders(
  context: ApiContext,
  accountId: string,
  businessId: string,
  { campaignId, dayBeforeAt, hoursBefore }: ReminderBody,
): Promise<ReminderRecord> {
  await liveBusiness(context.read, accountId, businessId);
  const faults: FieldError[] = [];
  const campaign = await getCampaign(context.read, accountId, campaignId);
  if (campaign === undefined || campaign.deletedAt !== null || campaign.businessId !== businessId)
    faults.push({ field: 'campaignId', message: 'names no campaign of this business' });
  if (dayBeforeAt !== undefined && hoursBefore !== undefined)
    faults.push({ field: 'hoursBefore', message: 'stands in place of dayBeforeAt' });
  if (faults.length > 0) throw invalid(faults);
  const time =
    hoursBefore === undefined
      ? { dayBeforeAt: dayBeforeAt ?? DAY_BEFORE_AT, hoursBefore: null }
      : { dayBeforeAt: null, hoursBefore };
  await putReminders(context.db, { businessId, accountId, campaignId, ...time, createdAt: context.now() });
  return { campaignId, ...time };
}
