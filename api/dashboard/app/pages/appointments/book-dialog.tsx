// Makes an appointment by hand, by the rules of a booking on a call.
import { useState } from 'preact/hooks';
import type { Business, CreateAppointmentBody } from '../../api-types.ts';
import { AttemptKey } from '../../attempt-key.ts';
import { ApiError, call } from '../../client.ts';
import { type Form, useForm } from '../../form.ts';
import { loadPhoneReader } from '../../phone-reader.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, Select, TextArea, TextField } from '../../ui/fields/field.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { t } from '../../words/words.ts';
import { instantOf, likelyCountry, rangeIn, wallTime } from '../../zones.ts';
import { FreeTimes } from './free-times.tsx';
import { TellField, toldByDefault } from './tell-field.tsx';
import { whoOf } from './who.ts';

interface Values {
  businessId: string;
  service: string;
  /** Blank: whoever is free. */
  resource: string;
  /** By the business's clocks, as in the field for it. */
  startsAt: string;
  name: string;
  phone: string;
  notes: string;
  outsideHours: boolean;
}

const FIELDS = ['businessId', 'service', 'resource', 'startsAt', 'name', 'phone', 'notes'];

export function BookDialog({
  businesses,
  businessId,
  resource,
  startsAt,
  onDone,
  onClose,
}: {
  /** At least one. */
  businesses: readonly Business[];
  businessId: string;
  resource: string;
  startsAt: string;
  onDone: () => void;
  onClose: () => void;
}) {
  const [first] = businesses;
  const chosen = (id: string): Business | undefined => businesses.find((each) => each.id === id) ?? first;
  const business = chosen(businessId);
  const [key] = useState(() => new AttemptKey());
  const [told, setTold] = useState<boolean | null>(null);
  const initial: Values = {
    businessId: business?.id ?? '',
    service: business?.services[0]?.name ?? '',
    resource,
    startsAt: wallTime(startsAt, business?.timezone ?? 'UTC'),
    ...{ name: '', phone: '', notes: '', outsideHours: false },
  };
  const form = useForm(initial, async ({ values }) => {
    const of = chosen(values.businessId);
    const zone = of?.timezone ?? 'UTC';
    const isTold = toldByDefault(of, values.phone, 'confirm');
    const body = await bodyOf(values, zone, isTold === null ? null : (told ?? isTold));
    const idempotencyKey = key.keyFor(body);
    const { data } = await call('createAppointment', { body }, { idempotencyKey }).catch((fault: unknown) => {
      if (fault instanceof ApiError) key.failed(fault.status);
      throw fault;
    });
    say(t('Booked {name}: {time}', { name: whoOf(data), time: rangeIn(data.startsAt, data.endsAt, zone) }));
    onDone();
    onClose();
  });
  const current = chosen(form.values.businessId);
  return (
    <Dialog title={t('Book an appointment')} onClose={onClose}>
      <SubmitForm
        right="work"
        form={form}
        shown={FIELDS}
        send={t('Book it')}
        beside={<Button onClick={onClose}>{t('Cancel')}</Button>}
      >
        {businesses.length > 1 && (
          <Select
            label={t('Business')}
            {...form.field('businessId')}
            onChange={(id) => {
              form.set('businessId', id);
              form.set('service', chosen(id)?.services[0]?.name ?? '');
              form.set('resource', '');
            }}
            choices={businesses.map(({ id, name }) => ({ value: id, text: name }))}
          />
        )}
        {current !== undefined && <BookingFields form={form} business={current} told={told} onTold={setTold} />}
      </SubmitForm>
    </Dialog>
  );
}

function BookingFields({
  form,
  business,
  told,
  onTold,
}: {
  form: Form<Values>;
  business: Business;
  told: boolean | null;
  onTold: (told: boolean) => void;
}) {
  const { id, services, resources, timezone: clocks } = business;
  const { service, resource, startsAt, phone, outsideHours } = form.values;
  const isTold = toldByDefault(business, phone, 'confirm');
  const isClosed = form.error?.code === 'APPOINTMENT_OUTSIDE_HOURS';
  const wish = {
    ...(services.some(({ name }) => name === service) ? { service } : {}),
    ...(resource === '' ? {} : { resource }),
  };
  return (
    <>
      {services.length === 0 ? (
        <TextField label={t('What for')} {...form.field('service')} />
      ) : (
        <Select
          label={t('What for')}
          {...form.field('service')}
          choices={services.map(({ name, duration }) => ({
            value: name,
            text: duration === null ? name : t('{service}, {minutes} min', { service: name, minutes: duration }),
          }))}
        />
      )}
      {resources.length > 0 && (
        <Select
          label={t('With whom')}
          {...form.field('resource')}
          choices={[
            { value: '', text: t('Whoever is free') },
            ...resources.map(({ name }) => ({ value: name, text: name })),
          ]}
        />
      )}
      <TextField
        label={t('Begins at')}
        hint={t('By the business’s clocks, {clocks}.', { clocks })}
        type="datetime-local"
        {...form.field('startsAt')}
        required
      />
      <FreeTimes
        businessId={id}
        wish={wish}
        wall={startsAt}
        zone={clocks}
        onChoose={(wall) => form.set('startsAt', wall)}
      />
      {(isClosed || outsideHours) && (
        <Checkbox
          label={t('Book it outside of the opening hours')}
          value={outsideHours}
          onChange={(next) => form.set('outsideHours', next)}
        />
      )}
      <TextField label={t('Name')} {...form.field('name')} autocomplete="off" />
      <TextField
        label={t('Phone number')}
        hint={t("With the country's code: +44 20 7946 0123")}
        type="tel"
        {...form.field('phone')}
        autocomplete="off"
      />
      <TextArea label={t('Notes')} rows={2} {...form.field('notes')} />
      {isTold !== null && <TellField value={told ?? isTold} onChange={onTold} />}
    </>
  );
}

async function bodyOf(values: Values, zone: string, tellPerson: boolean | null): Promise<CreateAppointmentBody> {
  const { businessId, service, resource, startsAt, outsideHours } = values;
  const [name, phone, notes] = [values.name.trim(), values.phone.trim(), values.notes.trim()];
  const { toE164 } = await loadPhoneReader();
  return {
    businessId,
    startsAt: instantOf(startsAt, zone),
    ...(service.trim() === '' ? {} : { service: service.trim() }),
    ...(resource === '' ? {} : { resource }),
    ...(name === '' ? {} : { name }),
    ...(phone === '' ? {} : { phone: toE164(phone, likelyCountry()) ?? phone }),
    ...(notes === '' ? {} : { notes }),
    ...(outsideHours ? { outsideHours } : {}),
    ...(tellPerson === null ? {} : { tellPerson }),
  };
}
