// Moves an appointment to another time; it keeps its duration.
import type { Appointment } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
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
    say(`Moved ${who} to ${rangeIn(data.startsAt, data.endsAt, clocks)} (${clocks})`);
    onMoved();
    onClose();
  });
  return (
    <Dialog title={`Move the appointment of ${who}`} onClose={onClose}>
      <SubmitForm
        right="work"
        form={form}
        shown={['startsAt']}
        send="Move it"
        beside={<Button onClick={onClose}>Keep it</Button>}
      >
        <TextField
          label="Begins at"
          hint={`${zone === null ? 'In your time' : "By the business's clocks"}, ${clocks}. It keeps its length. Nobody is called about it.`}
          type="datetime-local"
          {...form.field('startsAt')}
          required
        />
      </SubmitForm>
    </Dialog>
  );
}
