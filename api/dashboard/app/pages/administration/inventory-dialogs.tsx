// The dialogs by which an ADMIN adds numbers to the inventory and changes one.
import * as LIMITS from '../../api-limits.ts';
import type { InventoryNumber } from '../../api-types.ts';
import { call } from '../../client.ts';
import { type Form, useForm } from '../../form.ts';
import { formatNumber } from '../../format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, NumberField, Select, TextField } from '../../ui/fields/field.tsx';
import { TrunkField } from '../../ui/fields/record-field.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { t } from '../../words/words.ts';

interface Offer {
  monthlyCost: number | null;
  trunkId: string | null;
}

function OfferFields<T extends Offer>({ form }: { form: Form<T> }) {
  return (
    <>
      <TrunkField
        label={t('Trunk')}
        none={t('The oldest trunk')}
        value={form.values.trunkId}
        fault={form.faultOf('trunkId')}
        onChange={(id) => form.set('trunkId', id as T['trunkId'])}
      />
      <NumberField
        label={t('Dollars a month')}
        limits={LIMITS.AddInventoryBody.monthlyCost}
        step={0.01}
        inputMode="decimal"
        value={form.values.monthlyCost}
        fault={form.faultOf('monthlyCost')}
        onChange={(cost) => form.set('monthlyCost', cost as T['monthlyCost'])}
      />
    </>
  );
}

interface NewNumbers extends Offer {
  from: string;
  to: string;
  type: InventoryNumber['type'] | '';
  hasSms: boolean;
}

export function AddNumbers({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const form = useForm<NewNumbers>(
    { from: '', to: '', type: '', hasSms: false, monthlyCost: 0, trunkId: null },
    async ({ values: { from, to, type, hasSms, monthlyCost, trunkId } }) => {
      const { data } = await call('addInventory', {
        body: {
          from,
          to: to.trim() === '' ? from : to,
          trunkId,
          monthlyCost: monthlyCost ?? 0,
          ...(type === '' ? {} : { type }),
          ...(hasSms ? { capabilities: ['voice', 'sms'] } : {}),
        },
      });
      say(
        data.added === 1
          ? t('{phoneNumber} is added', { phoneNumber: data.numbers[0]?.phoneNumber ?? from })
          : t('{count} numbers are added', { count: formatNumber(data.added) }),
      );
      onAdded();
      onClose();
    },
  );
  const { field } = form;
  return (
    <Dialog title={t('Add numbers')} onClose={onClose}>
      <SubmitForm
        form={form}
        shown={['from', 'to', 'type', 'trunkId', 'monthlyCost']}
        send={t('Add')}
        onCancel={onClose}
      >
        <div class="columns">
          <TextField
            label={t('Number')}
            hint={t('With country code')}
            type="tel"
            placeholder="+12125550100"
            required
            {...field('from')}
          />
          <TextField
            label={t('Last number of a range')}
            hint={t('Empty: the one number. {count} at most.', {
              count: formatNumber(LIMITS.AddInventoryBody.numbers.maxItems),
            })}
            type="tel"
            {...field('to')}
          />
        </div>
        <Select
          label={t('Type')}
          {...field('type')}
          choices={[
            { value: '', text: t('By the numbering plan') },
            { value: 'local', text: t('Local') },
            { value: 'mobile', text: t('Mobile') },
            { value: 'toll_free', text: t('Toll free') },
          ]}
        />
        <Checkbox label={t('They also take text messages')} {...field('hasSms')} />
        <OfferFields form={form} />
      </SubmitForm>
    </Dialog>
  );
}

export function EditNumber({
  number: { phoneNumber, trunkId, monthlyCost, status },
  onSaved,
  onClose,
}: {
  number: InventoryNumber;
  onSaved: () => void;
  onClose: () => void;
}) {
  const form = useForm<Offer>({ trunkId, monthlyCost }, async ({ values }) => {
    await call('updateInventory', {
      params: { phoneNumber },
      body: { trunkId: values.trunkId, monthlyCost: values.monthlyCost ?? 0 },
    });
    say(t('Saved'));
    onSaved();
    onClose();
  });
  return (
    <Dialog title={phoneNumber} onClose={onClose}>
      <SubmitForm
        form={form}
        shown={['trunkId', 'monthlyCost']}
        send={t('Save')}
        disabled={!form.isChanged}
        onCancel={onClose}
      >
        {status === 'owned' && <p>{t('Its next call leaves by this trunk, its next month costs this much.')}</p>}
        <OfferFields form={form} />
      </SubmitForm>
    </Dialog>
  );
}
