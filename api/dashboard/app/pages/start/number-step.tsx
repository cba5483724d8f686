// The last step: the number under which the agent answers: one that the account has, one of the stock, or later.

import { useState } from 'preact/hooks';
import * as LIMITS from '../../api-limits.ts';
import type { NumberOffer, PhoneNumber } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatMoney } from '../../format.ts';
import { newIdempotencyKey } from '../../idempotency.ts';
import { link } from '../../router.ts';
import { session } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Select, TextField } from '../../ui/fields/field.tsx';
import { Card } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { Linked } from '../../words/linked.tsx';
import { t } from '../../words/words.ts';

interface NumberStepProps {
  campaignId: string;
  country: string | null;
  onTaken: (phoneNumber: string) => void;
  onSkip: () => void;
}

export function NumberStep(props: NumberStepProps) {
  const own = useAll('listPhoneNumbers');
  const [country, setCountry] = useState(props.country ?? 'US');
  const [typed, setTyped] = useState(country);
  const offers = useApi('searchNumbers', { query: { country } });
  return (
    <Card title={t('Which number is it to answer?')}>
      <form
        class="filters"
        onSubmit={(event: Event) => {
          event.preventDefault();
          setCountry(typed.trim().toUpperCase() || country);
        }}
      >
        <TextField
          label={t('Country code')}
          hint={t('The country whose numbers you want, in two letters: GB, DE, US …')}
          value={typed}
          limits={LIMITS.searchNumbers.country}
          onChange={setTyped}
          fault={offers.error?.faults.map(({ message }) => message).join(' ')}
        />
        <Button>{t('Search')}</Button>
      </form>
      <Answer of={own}>
        {(numbers) => (
          <Answer of={offers}>
            {({ data }) => (
              <NumberForm
                key={country}
                own={numbers.filter(({ campaignId }) => campaignId === null)}
                offers={data}
                {...props}
              />
            )}
          </Answer>
        )}
      </Answer>
    </Card>
  );
}

interface NumberFormProps extends NumberStepProps {
  own: readonly PhoneNumber[];
  offers: readonly NumberOffer[];
}

function NumberForm({ own, offers, campaignId, onTaken, onSkip }: NumberFormProps) {
  const [idempotencyKey] = useState(newIdempotencyKey);
  const form = useForm({ phoneNumber: own[0]?.phoneNumber ?? offers[0]?.phoneNumber ?? '' }, async ({ values }) => {
    const { phoneNumber } = values;
    const mine = own.find((each) => each.phoneNumber === phoneNumber);
    if (mine === undefined) await call('purchaseNumber', { body: { phoneNumber, campaignId } }, { idempotencyKey });
    else await call('updatePhoneNumber', { params: { id: mine.id }, body: { campaignId } });
    await call('startCampaign', { params: { id: campaignId } });
    onTaken(phoneNumber);
  });
  const later = (
    <Button look={own.length + offers.length === 0 ? 'primary' : 'plain'} onClick={onSkip}>
      {t('Later')}
    </Button>
  );
  if (own.length + offers.length === 0)
    return (
      <>
        <NoNumber />
        <div class="row">{later}</div>
      </>
    );
  return (
    <SubmitForm form={form} shown={['phoneNumber']} send={t('Answer this number')} beside={later}>
      <Select
        label={t('Number')}
        hint={t('Your own numbers, and those that are free here.')}
        fault={form.faultOf('phoneNumber')}
        value={form.values.phoneNumber}
        onChange={(phoneNumber) => form.set('phoneNumber', phoneNumber)}
        choices={[
          ...own.map(({ phoneNumber }) => ({ value: phoneNumber, text: t('{phoneNumber}, yours', { phoneNumber }) })),
          ...offers.map(({ phoneNumber, monthlyCost }) => ({
            value: phoneNumber,
            text:
              monthlyCost === 0
                ? t('{phoneNumber}, free', { phoneNumber })
                : t('{phoneNumber}, {price} a month', { phoneNumber, price: formatMoney(monthlyCost, 'USD') }),
          })),
        ]}
      />
    </SubmitForm>
  );
}

function NoNumber() {
  const isAdmin = session.value?.user.role === 'ADMIN';
  return isAdmin ? (
    <p>
      <Linked
        text={t(
          'There is no free number in this country yet. Connect your account at Twilio, Telnyx or Plivo under [Carriers], or the line of another telephone provider under [Trunks], and write its numbers down under [Inventory]; then come back. Until then the agent answers in the browser.',
        )}
        to={[link('/admin/carriers'), link('/admin/trunks'), link('/admin/inventory')]}
      />
    </p>
  ) : (
    <p>{t('There is no free number in this country yet: ask the operator of this installation for one.')}</p>
  );
}
