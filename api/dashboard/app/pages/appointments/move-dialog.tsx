// Moves an appointment to another time; it keeps its duration.
import type { Appointment } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { t } from '../../words/words.ts';
import { instantOf, ownZone, rangeIn, wallTime } from '../../zones.ts';

export function MoveDialog({
  appointment,
  who,
  zone,
  onMoved,
  onClose,
}: {
  appointment: Appointment;
  who: string;
  /** Of the business; null: unknown. */
  zone: string | null;
  onMoved: () => void;
  onClose: () => void;
}) {
  const clocks = zone ?? ownZone();
  const form = useForm({ startsAt: wallTime(appointment.startsAt, clocks) }, async ({ values }) => {
    const startsAt = instantOf(values.startsAt, clocks);
    const { data } = await call('updateAppointment', { params: { id: appointment.id }, body: { startsAt } });
    say(
      t('Moved {name} to {time} ({clocks})', { name: who, time: rangeIn(data.startsAt, data.endsAt, clocks), clocks }),
    );
    onMoved();
    onClose();
  });
  return (
    <Dialog title={t('Move the appointment of {name}', { name: who })} onClose={onClose}>
      <SubmitForm
        right="work"
        form={form}
        shown={['startsAt']}
        send={t('Move it')}
        beside={<Button onClick={onClose}>{t('Keep it')}</Button>}
      >
        <TextField
          label={t('Begins at')}
          hint={
            zone === null
              ? t('In your time, {clocks}. It keeps its length. Nobody is called about it.', { clocks })
              : t('By the business’s clocks, {clocks}. It keeps its length. Nobody is called about it.', { clocks })
          }
          type="datetime-local"
          {...form.field('startsAt')}
          required
        />
      </SubmitForm>
    </Dialog>
  );
}
