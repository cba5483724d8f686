// Free numbers to buy. A search reserves its results for five minutes, so it runs only on request.

import { useState } from 'preact/hooks';
import * as LIMITS from '../../api-limits.ts';
import type { NumberOffer } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatMoney, formatTime, formatWord } from '../../format.ts';
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

type NumberType = NumberOffer['type'];
const TYPES: ReadonlyArray<NumberType> = ['local', 'mobile', 'toll_free'];

const monthly = (cost: number): string => (cost === 0 ? 'Free' : `${formatMoney(cost, 'USD')} a month`);

type CarrierPrice = NonNullable<NumberOffer['carrierPrice']>;

/** For ADMINs, whose installation pays it. */
const CARRIER_COLUMN = {
  title: 'The carrier takes',
  cell: ({ carrierPrice }: NumberOffer) => (carrierPrice === undefined ? '–' : ofCarrier(carrierPrice)),
};

function ofCarrier({ monthly, setup, currency }: CarrierPrice): string {
  const once = setup === 0 ? '' : `, ${formatMoney(setup, currency)} once`;
  return `${formatMoney(monthly, currency)} a month${once}`;
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
      title="Buy a number"
      lead="Numbers shown here are reserved for you for five minutes."
      back={{ href: link('/phone-numbers'), text: 'Phone numbers' }}
    >
      <SearchForm fault={offers.error?.faults.map(({ message }) => message).join(' ')} />
      {country !== null && (
        <Answer of={offers}>
          {({ data }) =>
            data.length === 0 ? (
              <NoOffers />
            ) : (
              <Table
                label="Numbers on offer"
                rows={data}
                keyOf={({ phoneNumber }) => phoneNumber}
                columns={[
                  { title: 'Number', cell: ({ phoneNumber }) => <span class="number nowrap">{phoneNumber}</span> },
                  { title: 'Type', cell: (offer) => formatWord(offer.type) },
                  { title: 'Area code', cell: (offer) => offer.areaCode ?? '–' },
                  { title: 'Capabilities', cell: ({ capabilities }) => capabilities.map(formatWord).join(', ') },
                  { title: 'Reserved until', cell: ({ reservedUntil }) => formatTime(reservedUntil) },
                  {
                    title: 'Price',
                    isNumber: true,
                    cell: ({ monthlyCost }) => monthly(monthlyCost),
                  },
                  ...(data.some(({ carrierPrice }) => carrierPrice !== undefined) ? [CARRIER_COLUMN] : []),
                  {
                    title: '',
                    cell: (offer) => (
                      <Button isSmall onClick={() => setChosen(offer)} label={`Buy ${offer.phoneNumber}`}>
                        Buy
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
          label="Country code"
          value={country}
          limits={LIMITS.searchNumbers.country}
          onChange={setCountry}
          fault={fault}
        />
        <TextField
          label="Area code"
          placeholder="Any"
          inputMode="numeric"
          value={areaCode}
          limits={LIMITS.searchNumbers.areaCode}
          onChange={setAreaCode}
        />
        <Select
          label="Type"
          value={type}
          onChange={setType}
          choices={[{ value: '', text: 'Any' }, ...TYPES.map((value) => ({ value, text: formatWord(value) }))]}
        />
        <Button look="primary">Search</Button>
      </form>
      <p class="small soft">The country in two letters, as in US, GB or DE.</p>
    </Card>
  );
}

function NoOffers() {
  const isAdmin = session.value?.user.role === 'ADMIN';
  return (
    <Empty
      title="No free number fits"
      action={
        isAdmin ? (
          <div class="row">
            <ButtonLink look="primary" href={link('/admin/carriers')}>
              Go to the carriers
            </ButtonLink>
            <ButtonLink href={link('/admin/inventory')}>Go to the inventory</ButtonLink>
          </div>
        ) : undefined
      }
    >
      {isAdmin
        ? 'Connect Twilio, Telnyx or Plivo to buy numbers from them here, or add the numbers of your own trunks to the inventory.'
        : 'Try another area code or type, or ask the operator of this installation to add numbers.'}
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
    say(`${phoneNumber} is yours`);
    go(link(`/phone-numbers/${data.id}`));
  });
  return (
    <Dialog title={`Buy ${phoneNumber}?`} onClose={onClose}>
      <SubmitForm
        form={form}
        shown={['campaignId']}
        send={monthlyCost === 0 ? 'Take the number' : `Buy for ${formatMoney(monthlyCost, 'USD')} a month`}
        onCancel={onClose}
      >
        <p>
          {monthlyCost === 0 ? (
            'It costs nothing.'
          ) : (
            <>
              It costs <strong>{formatMoney(monthlyCost, 'USD')} for each calendar month</strong>, this one included.
            </>
          )}
        </p>
        {carrierPrice !== undefined && <p class="small soft">The carrier takes {ofCarrier(carrierPrice)}.</p>}
        <CampaignField
          label="Campaign"
          hint="You can route it later too"
          none="None for now"
          {...form.field('campaignId')}
        />
      </SubmitForm>
    </Dialog>
  );
}
