// Free numbers to buy. A search reserves its results for five minutes, so it runs only on request.

import { useState } from 'preact/hooks';
import * as LIMITS from '../../api-limits.ts';
import type { NumberOffer } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatMoney, formatTime } from '../../format.ts';
import { newIdempotencyKey } from '../../idempotency.ts';
import { go, link, route, setQuery } from '../../router.ts';
import { session } from '../../session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/fields/field.tsx';
import { CampaignField } from '../../ui/fields/record-field.tsx';
import { Card, Empty, Page } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { Table } from '../../ui/table.tsx';
import { say } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { numberWords } from './number-words.ts';

type NumberType = NumberOffer['type'];
const TYPES: ReadonlyArray<NumberType> = ['local', 'mobile', 'toll_free'];

const monthly = (cost: number): string =>
  cost === 0 ? t('Free') : t('{price} a month', { price: formatMoney(cost, 'USD') });

type CarrierPrice = NonNullable<NumberOffer['carrierPrice']>;

/** For ADMINs, whose installation pays it. */
const carrierColumn = () => ({
  title: t('The carrier takes'),
  cell: ({ carrierPrice }: NumberOffer) => (carrierPrice === undefined ? '–' : ofCarrier(carrierPrice)),
});

function ofCarrier({ monthly, setup, currency }: CarrierPrice): string {
  const each = t('{price} a month', { price: formatMoney(monthly, currency) });
  return setup === 0 ? each : t('{each}, {price} once', { each, price: formatMoney(setup, currency) });
}

export default function BuyPage() {
  const { query } = route.value;
  const country = query.get('country');
  const areaCode = query.get('areaCode') ?? '';
  const type = TYPES.find((each) => each === query.get('type'));
  const [chosen, setChosen] = useState<NumberOffer | null>(null);
  const offers = useApi(
    'searchNumbers',
    country === null
      ? null
      : { query: { country, ...(areaCode === '' ? {} : { areaCode }), ...(type === undefined ? {} : { type }) } },
  );
  return (
    <Page
      title={t('Buy a number')}
      lead={t('Numbers shown here are reserved for you for five minutes.')}
      back={{ href: link('/phone-numbers'), text: t('Phone numbers') }}
    >
      <SearchForm fault={offers.error?.faults.map(({ message }) => message).join(' ')} />
      {country !== null && (
        <Answer of={offers}>
          {({ data }) =>
            data.length === 0 ? (
              <NoOffers />
            ) : (
              <Table
                label={t('Numbers on offer')}
                rows={data}
                keyOf={({ phoneNumber }) => phoneNumber}
                columns={[
                  { title: t('Number'), cell: ({ phoneNumber }) => <span class="number nowrap">{phoneNumber}</span> },
                  { title: t('Type'), cell: (offer) => numberWords(offer.type) },
                  { title: t('Area code'), cell: (offer) => offer.areaCode ?? '–' },
                  { title: t('Capabilities'), cell: ({ capabilities }) => capabilities.map(numberWords).join(', ') },
                  { title: t('Reserved until'), cell: ({ reservedUntil }) => formatTime(reservedUntil) },
                  {
                    title: t('Price'),
                    isNumber: true,
                    cell: ({ monthlyCost }) => monthly(monthlyCost),
                  },
                  ...(data.some(({ carrierPrice }) => carrierPrice !== undefined) ? [carrierColumn()] : []),
                  {
                    title: '',
                    cell: (offer) => (
                      <Button
                        isSmall
                        onClick={() => setChosen(offer)}
                        label={t('Buy {phoneNumber}', { phoneNumber: offer.phoneNumber })}
                      >
                        {t('Buy')}
                      </Button>
                    ),
                  },
                ]}
              />
            )
          }
        </Answer>
      )}
      {chosen !== null && (
        <BuyDialog
          offer={chosen}
          onClose={() => {
            setChosen(null);
            offers.reload();
          }}
        />
      )}
    </Page>
  );
}

function SearchForm({ fault }: { fault: string | undefined }) {
  const { query } = route.value;
  const [country, setCountry] = useState(query.get('country') ?? 'US');
  const [areaCode, setAreaCode] = useState(query.get('areaCode') ?? '');
  const [type, setType] = useState<NumberType | ''>(TYPES.find((each) => each === query.get('type')) ?? '');
  const search = (event: Event) => {
    event.preventDefault();
    setQuery({ country: country.trim().toUpperCase() || 'US', areaCode: areaCode.trim(), type });
  };
  return (
    <Card>
      <form class="filters" onSubmit={search}>
        <TextField
          label={t('Country code')}
          value={country}
          limits={LIMITS.searchNumbers.country}
          onChange={setCountry}
          fault={fault}
        />
        <TextField
          label={t('Area code')}
          placeholder={t('Any')}
          inputMode="numeric"
          value={areaCode}
          limits={LIMITS.searchNumbers.areaCode}
          onChange={setAreaCode}
        />
        <Select
          label={t('Type')}
          value={type}
          onChange={setType}
          choices={[{ value: '', text: t('Any') }, ...TYPES.map((value) => ({ value, text: numberWords(value) }))]}
        />
        <Button look="primary">{t('Search')}</Button>
      </form>
      <p class="small soft">{t('The country in two letters, as in US, GB or DE.')}</p>
    </Card>
  );
}

function NoOffers() {
  const isAdmin = session.value?.user.role === 'ADMIN';
  return (
    <Empty
      title={t('No free number fits')}
      action={
        isAdmin ? (
          <div class="row">
            <ButtonLink look="primary" href={link('/admin/carriers')}>
              {t('Go to the carriers')}
            </ButtonLink>
            <ButtonLink href={link('/admin/inventory')}>{t('Go to the inventory')}</ButtonLink>
          </div>
        ) : undefined
      }
    >
      {isAdmin
        ? t(
            'Connect Twilio, Telnyx or Plivo to buy numbers from them here, or add the numbers of your own trunks to the inventory.',
          )
        : t('Try another area code or type, or ask the operator of this installation to add numbers.')}
    </Empty>
  );
}

function BuyDialog({
  offer: { phoneNumber, monthlyCost, carrierPrice },
  onClose,
}: {
  offer: NumberOffer;
  onClose: () => void;
}) {
  // The same key for all tries: a charged purchase whose answer was lost is not charged again.
  const [idempotencyKey] = useState(newIdempotencyKey);
  const form = useForm<{ campaignId: string | null }>({ campaignId: null }, async ({ values }) => {
    const { data } = await call('purchaseNumber', { body: { phoneNumber, ...values } }, { idempotencyKey });
    say(t('{phoneNumber} is yours', { phoneNumber }));
    go(link(`/phone-numbers/${data.id}`));
  });
  return (
    <Dialog title={t('Buy {phoneNumber}?', { phoneNumber })} onClose={onClose}>
      <SubmitForm
        form={form}
        shown={['campaignId']}
        send={
          monthlyCost === 0
            ? t('Take the number')
            : t('Buy for {price} a month', { price: formatMoney(monthlyCost, 'USD') })
        }
        onCancel={onClose}
      >
        <p>
          {monthlyCost === 0
            ? t('It costs nothing.')
            : t('It costs {price} for each calendar month, this one included.', {
                price: formatMoney(monthlyCost, 'USD'),
              })}
        </p>
        {carrierPrice !== undefined && (
          <p class="small soft">{t('The carrier takes {price}.', { price: ofCarrier(carrierPrice) })}</p>
        )}
        <CampaignField
          label={t('Campaign')}
          hint={t('You can route it later too')}
          none={t('None for now')}
          {...form.field('campaignId')}
        />
      </SubmitForm>
    </Dialog>
  );
}
