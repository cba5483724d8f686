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

interface Offer {
  monthlyCost: number | null;
  trunkId: string | null;
}

function OfferFields<T extends Offer>({ form }: { form: Form<T> }) {
  return (
    <>
      <TrunkField
        label="Trunk"
        none="The oldest trunk"
        value={form.values.trunkId}
        fault={form.faultOf('trunkId')}
        onChange={(id) => form.set('trunkId', id as T['trunkId'])}
      />
      <NumberField
        label="Dollars a month"
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
          ? `${data.numbers[0]?.phoneNumber ?? from} is added`
          : `${formatNumber(data.added)} numbers are added`,
      );
      onAdded();
      onClose();
    },
  );
  const { field } = form;
  return (
    <Dialog title="Add numbers" onClose={onClose}>
      <SubmitForm form={form} shown={['from', 'to', 'type', 'trunkId', 'monthlyCost']} send="Add" onCancel={onClose}>
        <div class="columns">
          <TextField
            label="Number"
            hint="With country code"
            type="tel"
            placeholder="+12125550100"
            required
            {...field('from')}
          />
          <TextField
            label="Last number of a range"
            hint={`Empty: the one number. ${formatNumber(LIMITS.AddInventoryBody.numbers.maxItems)} at most.`}
            type="tel"
            {...field('to')}
          />
        </div>
        <Select
          label="Type"
          {...field('type')}
          choices={[
            { value: '', text: 'By the numbering plan' },
            { value: 'local', text: 'Local' },
            { value: 'mobile', text: 'Mobile' },
            { value: 'toll_free', text: 'Toll free' },
          ]}
        />
        <Checkbox label="They also take text messages" {...field('hasSms')} />
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
    say('Saved');
    onSaved();
    onClose();
  });
  return (
    <Dialog title={phoneNumber} onClose={onClose}>
      <SubmitForm
        form={form}
        shown={['trunkId', 'monthlyCost']}
        send="Save"
        disabled={!form.isChanged}
        onCancel={onClose}
      >
        {status === 'owned' && <p>Its next call leaves by this trunk, its next month costs this much.</p>}
        <OfferFields form={form} />
      </SubmitForm>
    </Dialog>
  );
}
