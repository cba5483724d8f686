// Cancels an appointment, and asks whether its person is told.
import { useState } from 'preact/hooks';
import type { Appointment, Business } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { t } from '../../words/words.ts';
import { TellField, toldByDefault } from './tell-field.tsx';
import { whoOf } from './who.ts';

export function CancelDialog({
  appointment,
  business,
  onDone,
  onClose,
}: {
  appointment: Appointment;
  business: Business | undefined;
  onDone: () => void;
  onClose: () => void;
}) {
  const [tellPerson, setTold] = useState(toldByDefault(business, appointment.phone, 'changes'));
  const name = whoOf(appointment);
  const form = useForm({}, async () => {
    const told = tellPerson === null ? {} : { tellPerson };
    await call('updateAppointment', { params: { id: appointment.id }, body: { status: 'cancelled', ...told } });
    say(t('Cancelled the appointment of {name}', { name }));
    onDone();
    onClose();
  });
  return (
    <Dialog title={t('Cancel the appointment of {name}?', { name })} onClose={onClose}>
      <SubmitForm
        right="work"
        form={form}
        look="danger"
        send={t('Cancel the appointment')}
        beside={<Button onClick={onClose}>{t('Keep it')}</Button>}
      >
        <p>{t('Its time can be booked by others. Nobody is called about it.')}</p>
        {tellPerson !== null && <TellField value={tellPerson} onChange={setTold} />}
      </SubmitForm>
    </Dialog>
  );
}
