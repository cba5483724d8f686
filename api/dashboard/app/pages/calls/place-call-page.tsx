// Places one call by hand: callee, campaign and calling number.
import { useState } from 'preact/hooks';
import type { Campaign, PhoneNumber } from '../../api-types.ts';
import { AttemptKey } from '../../attempt-key.ts';
import { filledVariables, VariableFields, type Variables } from '../../calls/variable-fields.tsx';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { go, link, route, setQuery } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Select, TextField } from '../../ui/fields/field.tsx';
import { Card, Empty, Page } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { useAll } from '../../use-all.ts';
import { faultOf, useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';

const back = () => ({ href: link('/calls'), text: t('Calls') });

export default function PlaceCallPage() {
  const campaigns = useAll('listCampaigns');
  const numbers = useAll('listPhoneNumbers');
  const wanted = route.value.query.get('campaignId');
  return (
    <Page
      title={t('Place a call')}
      back={back()}
      lead={t(
        'It is dialled within about two seconds, whatever the campaign’s calling hours are, or at a time within them.',
      )}
    >
      <Answer of={campaigns}>
        {(data) => (
          <Answer of={numbers}>
            {(all) => {
              const usable = all.filter(({ isActive }) => isActive);
              const callable = data.filter(({ id }) => usable.some(({ campaignId }) => campaignId === id));
              const campaign = callable.find(({ id }) => id === wanted) ?? callable[0];
              if (campaign === undefined) return <NoNumber />;
              const own = usable.filter(({ campaignId }) => campaignId === campaign.id);
              return <PlaceCallForm campaign={campaign} campaigns={callable} numbers={own} key={campaign.id} />;
            }}
          </Answer>
        )}
      </Answer>
    </Page>
  );
}

function NoNumber() {
  return (
    <Empty
      title={t('No campaign has a number to call from')}
      action={
        <ButtonLink look="primary" href={link('/phone-numbers')}>
          {t('To the phone numbers')}
        </ButtonLink>
      }
    >
      {t(
        'A call shows a number of its campaign. Get one, give it to a campaign, then call from here. To try an agent without a number, talk to it in this browser.',
      )}
    </Empty>
  );
}

function PlaceCallForm({
  campaign,
  campaigns,
  numbers,
}: {
  campaign: Campaign;
  campaigns: readonly Campaign[];
  numbers: readonly PhoneNumber[];
}) {
  const preview = useApi('previewCampaign', { params: { id: campaign.id }, body: { direction: 'outbound' } });
  const [variables, setVariables] = useState<Variables>({});
  const [attempt] = useState(() => new AttemptKey());
  const form = useForm(
    { toNumber: route.value.query.get('to') ?? '', fromPhoneNumberId: numbers[0]?.id ?? '', scheduledAt: '' },
    async ({ values }) => {
      const filled = filledVariables(variables);
      const body = {
        campaignId: campaign.id,
        toNumber: values.toNumber.replace(/[\s()./-]/g, ''),
        fromPhoneNumberId: values.fromPhoneNumberId,
        ...(values.scheduledAt === '' ? {} : { scheduledAt: new Date(values.scheduledAt).toISOString() }),
        ...(Object.keys(filled).length === 0 ? {} : { variables: filled }),
      };
      // The call is dialled once, even if the request is repeated for lack of an answer.
      const idempotencyKey = attempt.keyFor(body);
      const { data } = await call('placeCall', { body }, { idempotencyKey }).catch((fault: unknown) => {
        attempt.failed(faultOf(fault).status);
        throw fault;
      });
      go(link(`/calls/${data.id}`));
    },
  );
  return (
    <Card>
      <SubmitForm
        right="work"
        form={form}
        shown={['toNumber', 'campaignId', 'fromPhoneNumberId', 'scheduledAt']}
        send={form.values.scheduledAt === '' ? t('Call now') : t('Schedule the call')}
      >
        <TextField
          label={t('Number to call')}
          type="tel"
          required
          placeholder="+442079460017"
          hint={t('With country code')}
          {...form.field('toNumber')}
        />
        <div class="columns">
          <Select
            label={t('Campaign')}
            hint={t('Says which agent speaks, and for which business')}
            value={campaign.id}
            fault={form.faultOf('campaignId')}
            choices={campaigns.map(({ id, name }) => ({ value: id, text: name }))}
            onChange={(campaignId) => setQuery({ campaignId, to: form.values.toNumber })}
          />
          <Select
            label={t('Call from')}
            hint={t('What the person called sees')}
            value={form.values.fromPhoneNumberId}
            fault={form.faultOf('fromPhoneNumberId')}
            choices={numbers.map(({ id, phoneNumber }) => ({ value: id, text: phoneNumber }))}
            onChange={(value) => form.set('fromPhoneNumberId', value)}
          />
        </div>
        <TextField
          label={t('Call later')}
          type="datetime-local"
          hint={t(
            'Empty: now. By the clock of this device, within the campaign’s calling hours where the number rings',
          )}
          {...form.field('scheduledAt')}
        />
        <Answer of={preview}>
          {({ data }) => <VariableFields preview={data} variables={variables} onChange={setVariables} />}
        </Answer>
      </SubmitForm>
    </Card>
  );
}
