// `routes` of a phone number: the schema of the field, its rules, and its column.
import { type Static, Type } from 'typebox';
import { NUMBER_ROUTES_MAX, type NumberRoute } from '../../db/domain/numbers/number-routes.ts';
import { asE164 } from '../../db/domain/numbers/phone.ts';
import { findNumberInUse } from '../../db/queries/numbers/inventory.ts';
import { hasCurrent } from '../../db/queries/tenant-rows.ts';
import type { Db } from '../../db/schema.ts';
import { Hours, HoursRecord } from '../businesses/hours-schema.ts';
import { hoursFaults } from '../businesses/opening-hours.ts';
import { nullable } from '../frame/envelope-schema.ts';
import { type FieldError, invalid } from '../frame/errors.ts';
import { NOT_E164 } from '../frame/phone.ts';
import { isZone, NOT_A_ZONE } from '../frame/zones.ts';
import { checkTargets, NOT_A_TARGET, readTarget } from '../spend/targets.ts';

const RouteInput = Type.Object(
  {
    forwardedFrom: Type.Optional(
      nullable(Type.String({ maxLength: 40, description: 'E.164: the number that the caller dialled first' })),
    ),
    hours: Type.Optional(nullable(Type.Array(Hours, { maxItems: 70, description: 'null: at any hour' }))),
    timezone: Type.Optional(nullable(Type.String({ maxLength: 60, description: 'Of the hours; null: the account’s' }))),
    campaignId: Type.Optional(nullable(Type.String({ maxLength: 200, description: 'Its agent answers' }))),
    target: Type.Optional(
      nullable(
        Type.String({
          maxLength: 40,
          description: 'Or, E.164 or `sip:USERNAME`: the caller is put through at once, by the number’s own campaign',
        }),
      ),
    ),
  },
  { additionalProperties: false },
);

export const NumberRoutes = Type.Array(RouteInput, {
  maxItems: NUMBER_ROUTES_MAX,
  description: 'The first that fits answers a call to the number; where none does, its campaign',
});
export type NumberRoutes = Static<typeof NumberRoutes>;

export const NumberRouteRecord = Type.Object(
  {
    forwardedFrom: nullable(Type.String()),
    hours: nullable(Type.Array(HoursRecord)),
    timezone: nullable(Type.String()),
    campaignId: nullable(Type.String()),
    target: nullable(Type.String()),
  },
  { title: 'NumberRoute' },
);

/** The column of a body's field. @throws {ApiError} 422 naming every field at fault */
export async function routesColumn(db: Db, accountId: string, body: NumberRoutes): Promise<string> {
  const faults: FieldError[] = [];
  const routes: NumberRoute[] = [];
  for (const [i, given] of body.entries()) {
    const { forwardedFrom = null, timezone = null, campaignId = null, target = null } = given;
    const at = `routes[${i}]`;
    const hours = given.hours?.length ? given.hours : null;
    if (forwardedFrom !== null && asE164(forwardedFrom) === null)
      faults.push({ field: `${at}.forwardedFrom`, message: NOT_E164 });
    if (timezone !== null && !isZone(timezone)) faults.push({ field: `${at}.timezone`, message: NOT_A_ZONE });
    if ((campaignId === null) === (target === null))
      faults.push({ field: `${at}.campaignId`, message: 'or target must be set, and not both' });
    if (campaignId !== null && !(await hasCurrent(db, 'campaigns', accountId, campaignId)))
      faults.push({ field: `${at}.campaignId`, message: 'names no campaign of this account' });
    if (target !== null && readTarget(target) === null) faults.push({ field: `${at}.target`, message: NOT_A_TARGET });
    if (target !== null && (await findNumberInUse(db, asE164(target) ?? '')) !== null)
      faults.push({ field: `${at}.target`, message: 'is a number of this installation: name its campaign instead' });
    faults.push(...hoursFaults(`${at}.hours`, hours ?? []));
    routes.push({
      forwardedFrom: forwardedFrom && asE164(forwardedFrom),
      hours: hours?.map(({ day, open, close }) => ({ day, open, close })) ?? null,
      timezone,
      campaignId,
      target: target && (readTarget(target) ?? target),
    });
  }
  if (faults.length > 0) throw invalid(faults);
  await checkTargets(
    db,
    accountId,
    routes.flatMap(({ target }, i) => (target === null ? [] : [{ field: `routes[${i}].target`, target }])),
  );
  return JSON.stringify(routes);
}
