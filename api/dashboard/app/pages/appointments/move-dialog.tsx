// Moves an appointment to another time, of which those that are free are shown; it keeps its duration.
import { useState } from 'preact/hooks';
import { MINUTE_MS } from '../../../../../db/domain/hours/durations.ts';
import type { Appointment, Business } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/fields/field.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { t } from '../../words/words.ts';
import { instantOf, ownZone, rangeIn, wallTime } from '../../zones.ts';
import { FreeTimes } from './free-times.tsx';
import { TellField, toldByDefault } from './tell-field.tsx';
import { whoOf } from './who.ts';

export function MoveDialog({
  appointment,
  business,
  onDone,
  onClose,
}: {
  appointment: Appointment;
  /** Undefined: it is gone. */
  business: Business | undefined;
  onDone: () => void;
  onClose: () => void;
}) {
  const { id, startsAt, endsAt, resource, phone } = appointment;
  const who = whoOf(appointment);
  const clocks = business?.timezone ?? ownZone();
  const durationMinutes = (Date.parse(endsAt) - Date.parse(startsAt)) / MINUTE_MS;
  const [tellPerson, setTold] = useState(toldByDefault(business, phone, 'changes'));
  const initial = { startsAt: wallTime(startsAt, clocks), resource: resource ?? '' };
  const form = useForm(initial, async ({ values, changes }) => {
    const body = {
      startsAt: instantOf(values.startsAt, clocks),
      ...(changes.resource === undefined ? {} : { resource: changes.resource }),
      ...(tellPerson === null ? {} : { tellPerson }),
    };
    const { data } = await call('updateAppointment', { params: { id }, body });
    say(
      t('Moved {name} to {time} ({clocks})', { name: who, time: rangeIn(data.startsAt, data.endsAt, clocks), clocks }),
    );
    onDone();
    onClose();
  });
  const names = business?.resources.map(({ name }) => name) ?? [];
  const chosen = names.includes(form.values.resource) ? { resource: form.values.resource } : {};
  return (
    <Dialog title={t('Move the appointment of {name}', { name: who })} onClose={onClose}>
      <SubmitForm
        right="work"
        form={form}
        shown={['startsAt', 'resource']}
        send={t('Move it')}
        beside={<Button onClick={onClose}>{t('Keep it')}</Button>}
      >
        <TextField
          label={t('Begins at')}
          hint={
            business === undefined
              ? t('In your time, {clocks}. It keeps its length. Nobody is called about it.', { clocks })
              : t('By the business’s clocks, {clocks}. It keeps its length. Nobody is called about it.', { clocks })
          }
          type="datetime-local"
          {...form.field('startsAt')}
          required
        />
        {business !== undefined && (
          <FreeTimes
            businessId={business.id}
            wish={{ besides: id, ...(durationMinutes >= 5 ? { durationMinutes } : {}), ...chosen }}
            wall={form.values.startsAt}
            zone={clocks}
            onChoose={(wall) => form.set('startsAt', wall)}
          />
        )}
        {names.length > 0 && resource !== null && (
          <Select
            label={t('With whom')}
            {...form.field('resource')}
            choices={[...new Set([...names, resource])].map((value) => ({ value, text: value }))}
          />
        )}
        {tellPerson !== null && <TellField value={tellPerson} onChange={setTold} />}
      </SubmitForm>
    </Dialog>
  );
}
