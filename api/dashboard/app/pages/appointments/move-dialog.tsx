// Moves an appointment to another time; it keeps its duration.
import type { Appointment } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatDateTime, localTime } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/status.tsx';
import { say } from '../../ui/toast.tsx';

export function MoveDialog({
  appointment,
  who,
  onMoved,
  onClose,
}: {
  appointment: Appointment;
  who: string;
  onMoved: () => void;
  onClose: () => void;
}) {
  const form = useForm({ startsAt: localTime(appointment.startsAt) }, async ({ values }) => {
    const startsAt = new Date(values.startsAt).toISOString();
    const { data } = await call('updateAppointment', { params: { id: appointment.id }, body: { startsAt } });
    say(`Moved ${who} to ${formatDateTime(data.startsAt)}`);
    onMoved();
    onClose();
  });
  return (
    <Dialog title={`Move the appointment of ${who}`} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <TextField
          label="Begins at"
          hint="In your time. It keeps its length. Nobody is called about it."
          type="datetime-local"
          {...form.field('startsAt')}
          required
        />
        <ErrorNotice error={form.error} shown={['startsAt']} />
        <div class="row">
          <Button look="primary" isBusy={form.isSending}>
            Move it
          </Button>
          <Button onClick={onClose}>Keep it</Button>
        </div>
      </form>
    </Dialog>
  );
}
