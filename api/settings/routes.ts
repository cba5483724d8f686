// /admin/settings: settings of the whole installation that an ADMIN changes at run time.
import { type Static, Type } from 'typebox';
import { readSetting, writeSetting } from '../../db/queries/settings/settings.ts';
import { callShareOf } from '../../db/rules/call-share.ts';
import type { Db } from '../../db/schema.ts';
import type { ApiContext } from '../context.ts';
import { showsCosts } from '../costs/visible.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, nullable, ok } from '../frame/envelope-schema.ts';
import { Destinations, DestinationsField, destinationsColumn, destinationsRecord } from '../spend/destinations.ts';
import { SpendLimitsField, SpendLimitsRecord, spendLimitsColumn, spendLimitsRecord } from '../spend/spend-limits.ts';

const Settings = Type.Object(
  {
    destinations: Destinations,
    spendLimits: SpendLimitsRecord,
    callShare: nullable(Type.Integer({ description: 'As an ADMIN set it; null: the default, 50' })),
    showCosts: Type.Boolean({ description: 'Every account sees what its calls cost the installation' }),
  },
  { title: 'Settings' },
);

const SettingsPatch = Type.Object(
  {
    destinations: DestinationsField,
    spendLimits: SpendLimitsField,
    callShare: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: 100,
          description:
            'Percent of the places, and of a trunk’s calls per second, that one account may take beside others',
        }),
      ),
    ),
    showCosts: Type.Optional(
      Type.Boolean({
        description:
          'Every account sees what its calls cost the installation, in calls that are priced from then on. Without it the accounts of ADMINs alone do',
      }),
    ),
  },
  { additionalProperties: false },
);

const tags = ['Administration'];

export function registerSettings(app: App, context: ApiContext): void {
  const record = async (db: Db): Promise<Static<typeof Settings>> => ({
    destinations: destinationsRecord(await readSetting(db, 'destinations')),
    spendLimits: spendLimitsRecord(await readSetting(db, 'spendLimits')),
    callShare: callShareOf(await readSetting(db, 'callShare')),
    showCosts: await showsCosts(db),
  });
  app.get(
    '/admin/settings',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'The settings of the installation',
        response: { 200: ok(Settings), ...errorResponses(401, 403, 429) },
      },
    },
    async () => ({ data: await record(context.read) }),
  );
  app.patch(
    '/admin/settings',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'Change the settings of the installation',
        body: SettingsPatch,
        response: { 200: ok(Settings), ...errorResponses(400, 401, 403, 422, 429) },
      },
    },
    async (request) => {
      const destinations = destinationsColumn(request.body.destinations);
      const data = await context.db.transaction().execute(async (trx) => {
        if (destinations !== undefined) await writeSetting(trx, 'destinations', destinations);
        const limits = spendLimitsColumn(request.body.spendLimits, await readSetting(trx, 'spendLimits'));
        if (limits !== undefined) await writeSetting(trx, 'spendLimits', limits);
        const { callShare, showCosts } = request.body;
        if (callShare !== undefined)
          await writeSetting(trx, 'callShare', callShare === null ? null : JSON.stringify(callShare));
        if (showCosts !== undefined) await writeSetting(trx, 'showCosts', showCosts ? 'true' : null);
        return record(trx);
      });
      context.log.info({ userId: request.auth.userId, settings: Object.keys(request.body) }, 'settings changed');
      return { data };
    },
  );
}
