// The routes of a number by hour: before its campaign, the first route that fits.
import * as LIMITS from '../../api-limits.ts';
import type { PhoneNumber } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { CampaignField } from '../../ui/fields/record-field.tsx';
import { TimeZoneField } from '../../ui/fields/time-zone-field.tsx';
import { HoursRows } from '../../ui/hours-rows.tsx';
import { Card } from '../../ui/layout.tsx';
import { Rows } from '../../ui/rows.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { t } from '../../words/words.ts';
import { freshRoute, type RouteRow, routeRows, routesOf } from './number-routes.ts';

export function RoutesCard({ number, onSaved }: { number: PhoneNumber; onSaved: (number: PhoneNumber) => void }) {
  const form = useForm({ routes: routeRows(number.routes) }, async ({ values, rebase }) => {
    const body = { routes: routesOf(values.routes) };
    const { data } = await call('updatePhoneNumber', { params: { id: number.id }, body });
    onSaved(data);
    rebase({ routes: routeRows(data.routes) });
    say(t('Saved'));
  });
  return (
    <Card title={t('At certain hours, or from certain lines')}>
      <p class="small soft">{t('The first that fits answers; where none does, the campaign above.')}</p>
      <SubmitForm form={form} shown={['routes']} send={t('Save the routes')} disabled={!form.isChanged}>
        <Rows
          items={form.values.routes}
          onChange={(routes) => form.set('routes', routes)}
          fresh={freshRoute}
          itemName={t('route')}
          addText={t('Add a route')}
          empty={t('None.')}
        >
          {(row, index, change) => (
            <Route row={row} change={change} faultOf={(part) => form.faultOf(`routes[${index}].${part}`, true)} />
          )}
        </Rows>
      </SubmitForm>
    </Card>
  );
}

function Route({
  row,
  change,
  faultOf,
}: {
  row: RouteRow;
  change: (change: Partial<RouteRow>) => void;
  faultOf: (part: string) => string | undefined;
}) {
  return (
    <div class="stack tight">
      <CampaignField
        label={t('Answered by')}
        fault={faultOf('campaignId')}
        none={t('A person: put the caller through')}
        value={row.campaignId}
        onChange={(campaignId) => change({ campaignId })}
      />
      {row.campaignId === null && (
        <TextField
          label={t('Put through to')}
          hint={t('By the agent of the number’s own campaign.')}
          fault={faultOf('target')}
          type="tel"
          value={row.target}
          onChange={(target) => change({ target })}
          placeholder={t('+442079460123 or sip:reception')}
          autocomplete="off"
          limits={LIMITS.UpdatePhoneNumberBody.routes.items.target}
        />
      )}
      <TextField
        label={t('Callers who dialled')}
        hint={t('A line that forwards its calls to this number. Empty: whatever they dialled.')}
        fault={faultOf('forwardedFrom')}
        type="tel"
        value={row.forwardedFrom}
        onChange={(forwardedFrom) => change({ forwardedFrom })}
        placeholder="+442079460018"
        autocomplete="off"
        limits={LIMITS.UpdatePhoneNumberBody.routes.items.forwardedFrom}
      />
      <HoursRows
        hours={row.hours}
        onChange={(hours) => change({ hours })}
        faultOf={faultOf}
        always={t('At any hour')}
        within={t('At these hours')}
      />
      {row.hours.length > 0 && (
        <TimeZoneField
          label={t('Time zone of the hours')}
          hint={t('Empty: that of your account.')}
          fault={faultOf('timezone')}
          value={row.timezone}
          onChange={(timezone) => change({ timezone })}
        />
      )}
    </div>
  );
}
