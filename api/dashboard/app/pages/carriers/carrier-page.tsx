// One connected account: what its key can do, its trunk, its numbers, and to whom they are offered.
import { useState } from 'preact/hooks';
import * as LIMITS from '../../api-limits.ts';
import type { Carrier } from '../../api-types.ts';
import { type ApiError, call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatAgo, formatWord } from '../../format.ts';
import type { PageProps } from '../../page-props.ts';
import { go, link } from '../../router.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, NumberField, Select, TextField } from '../../ui/fields/field.tsx';
import { Badge, Card, Page } from '../../ui/layout.tsx';
import { Answer, ErrorNotice } from '../../ui/status.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { faultOf, useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { CarrierNumbers } from './carrier-numbers.tsx';
import { CarrierTrunk } from './carrier-trunk.tsx';
import { CARRIERS, ORDER_TONES, ORDER_WORDS } from './carrier-words.ts';

export default function CarrierPage({ params: { id = '' } }: PageProps) {
  const carrier = useApi('getCarrier', { params: { id } });
  const found = carrier.answer?.data;
  const [isLeaving, setLeaving] = useState(false);
  return (
    <Page
      title={found?.name ?? t('Carrier')}
      back={{ href: link('/admin/carriers'), text: t('Carriers') }}
      actions={
        found && (
          <Button look="danger" onClick={() => setLeaving(true)}>
            {t('Disconnect')}
          </Button>
        )
      }
    >
      <Answer of={carrier}>
        {({ data }) => (
          <>
            <Findings carrier={data} onTested={carrier.reload} />
            <CarrierTrunk carrier={data} onMade={carrier.reload} />
            <Orders carrier={data} />
            {data.trunkId !== null && <CarrierNumbers carrier={data} />}
            <Settings carrier={data} key={data.id} onSaved={carrier.reload} />
          </>
        )}
      </Answer>
      {isLeaving && found && <Disconnect carrier={found} onClose={() => setLeaving(false)} />}
    </Page>
  );
}

function Findings({ carrier, onTested }: { carrier: Carrier; onTested: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const test = () => {
    setBusy(true);
    setError(null);
    call('testCarrier', { params: { id: carrier.id } })
      .then(onTested)
      .catch((fault: unknown) => setError(faultOf(fault)))
      .finally(() => setBusy(false));
  };
  return (
    <Card
      title={t('The key')}
      actions={
        <Button onClick={test} isBusy={isBusy}>
          {t('Test')}
        </Button>
      }
    >
      {carrier.findings.length === 0 && <p class="soft">{t('Not tested yet.')}</p>}
      {carrier.findings.map(({ subject, ok, text }) => (
        <div class="row" key={subject}>
          <Badge tone={ok ? 'good' : 'bad'}>{formatWord(subject)}</Badge>
          <span>{text}</span>
        </div>
      ))}
      <p class="small soft">
        {carrier.keyId !== null && <>{carrier.keyId} · </>}
        {t('The key ends in {end}', { end: carrier.keyEnd ?? '–' })}
        {carrier.testedAt !== null && ` · ${t('tested {ago}', { ago: formatAgo(carrier.testedAt) })}`}
      </p>
      <ErrorNotice error={error} shown={[]} />
    </Card>
  );
}

function Orders({ carrier }: { carrier: Carrier }) {
  const orders = useApi('listCarrierOrders', { params: { id: carrier.id }, query: { limit: 10 } });
  return (
    <Card
      title={t('Numbers bought here')}
      actions={
        carrier.trunkId !== null && (
          <ButtonLink look="primary" href={link('/phone-numbers/buy')}>
            {t('Buy a number')}
          </ButtonLink>
        )
      }
    >
      <Answer of={orders}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="soft">
              {carrier.trunkId === null
                ? t('Make the trunk first: its numbers are then found when you buy one.')
                : t('None was bought yet. The price of each is shown before you buy it.')}
            </p>
          ) : (
            <Table
              label={t('The last purchases')}
              rows={data}
              keyOf={(order) => order.id}
              columns={[
                { title: t('Number'), cell: ({ phoneNumber }) => <span class="number nowrap">{phoneNumber}</span> },
                {
                  title: t('State'),
                  cell: ({ state, error }) => (
                    <div class="stack tight">
                      <span>
                        <Badge tone={ORDER_TONES[state]}>{t(ORDER_WORDS[state])}</Badge>
                      </span>
                      {error !== null && <span class="small soft">{error}</span>}
                    </div>
                  ),
                },
                { title: t('When'), cell: ({ createdAt }) => <Time at={createdAt} /> },
              ]}
            />
          )
        }
      </Answer>
    </Card>
  );
}

const valuesOf = ({ name, keyId, offeredTo, monthlyCost }: Carrier) => ({
  name,
  keyId: keyId ?? '',
  key: '',
  offeredTo,
  monthlyCost,
});

function Settings({ carrier, onSaved }: { carrier: Carrier; onSaved: () => void }) {
  const words = CARRIERS[carrier.kind];
  const form = useForm(valuesOf(carrier), async ({ changes, reset }) => {
    const { data } = await call('updateCarrier', { params: { id: carrier.id }, body: changes });
    reset(valuesOf(data));
    say(t('Saved'));
    onSaved();
  });
  useUnsaved(form.isChanged);
  const { field } = form;
  return (
    <SubmitForm
      form={form}
      shown={['name', 'keyId', 'key', 'offeredTo', 'monthlyCost']}
      send={t('Save')}
      disabled={!form.isChanged}
    >
      <Card title={t('Settings')}>
        <div class="columns">
          <TextField label={t('Name')} limits={LIMITS.UpdateCarrierBody.name} required {...field('name')} />
          <Select
            label={t('Its numbers are offered to')}
            hint={t('You pay the carrier for what they buy')}
            {...field('offeredTo')}
            choices={[
              { value: 'admins', text: t('Accounts of ADMINs') },
              { value: 'accounts', text: t('All accounts') },
            ]}
          />
          <NumberField
            label={t('Dollars a month for an account')}
            hint={t('Empty: the carrier’s own price')}
            step={0.01}
            inputMode="decimal"
            limits={LIMITS.UpdateCarrierBody.monthlyCost}
            {...field('monthlyCost')}
          />
          {words.keyId !== null && <TextField label={words.keyId} autocomplete="off" {...field('keyId')} />}
          <TextField
            label={t('New: {name}', { name: t(words.key) })}
            hint={t('Empty: the one that is stored')}
            type="password"
            autocomplete="off"
            {...field('key')}
          />
        </div>
      </Card>
    </SubmitForm>
  );
}

function Disconnect({ carrier: { id, name, kind, trunkId }, onClose }: { carrier: Carrier; onClose: () => void }) {
  const form = useForm({ undo: trunkId !== null }, async ({ values: { undo } }) => {
    await call('deleteCarrier', { params: { id }, query: undo ? { undo } : {} });
    say(t('{name} is disconnected', { name }));
    go(link('/admin/carriers'), { replace: true });
  });
  return (
    <Dialog title={t('Disconnect {name}?', { name })} onClose={onClose}>
      <SubmitForm form={form} send={t('Disconnect')} look="danger" onCancel={onClose}>
        <p>{t('Its key is forgotten. Numbers that were bought here must be released before.')}</p>
        <Checkbox
          label={t('Take the trunk back, here and at {name}', { name: CARRIERS[kind].name })}
          hint={t('Without it both go on, and calls with them.')}
          {...form.field('undo')}
        />
      </SubmitForm>
    </Dialog>
  );
}
