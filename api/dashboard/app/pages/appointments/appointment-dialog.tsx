// One appointment of the diary: all that there is of it, and what can be done with it.
import type { Appointment, Business } from '../../api-types.ts';
import { AppointmentTime } from '../../appointments/appointment-time.tsx';
import { personLink } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/layout.tsx';
import { t } from '../../words/words.ts';
import { OriginOf, StatusOf } from './appointment-facts.tsx';
import { whoOf } from './who.ts';

export interface Deeds {
  move: (appointment: Appointment) => void;
  cancel: (appointment: Appointment) => void;
  rebook: (appointment: Appointment) => void;
}

export function AppointmentDialog({
  appointment,
  business,
  deeds,
  onClose,
}: {
  appointment: Appointment;
  business: Business | undefined;
  deeds: Deeds;
  onClose: () => void;
}) {
  const { startsAt, endsAt, phone, service, resource, notes, reference, status } = appointment;
  return (
    <Dialog title={whoOf(appointment)} onClose={onClose}>
      <Facts
        facts={[
          [t('When'), <AppointmentTime key="when" {...{ startsAt, endsAt }} zone={business?.timezone ?? null} />],
          [t('Phone number'), phone === null ? null : <a href={personLink(phone)}>{phone}</a>],
          [t('What for'), service],
          [t('With whom'), resource],
          [t('Business'), business?.name],
          [t('Notes'), notes],
          [t('Reference'), reference],
          [t('Status'), <StatusOf key="status" {...appointment} />],
          [t('Booked'), <OriginOf key="origin" {...appointment} />],
        ]}
      />
      <div class="row">
        {status === 'booked' ? (
          <>
            <Button right="work" look="primary" onClick={() => deeds.move(appointment)}>
              {t('Move')}
            </Button>
            <Button right="work" look="danger" onClick={() => deeds.cancel(appointment)}>
              {t('Cancel the appointment')}
            </Button>
          </>
        ) : (
          <Button right="work" look="primary" onClick={() => deeds.rebook(appointment)}>
            {t('Book again')}
          </Button>
        )}
        <Button onClick={onClose}>{t('Close')}</Button>
      </div>
    </Dialog>
  );
}
