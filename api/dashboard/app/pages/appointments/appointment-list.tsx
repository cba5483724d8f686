// Appointments as a list, the newest booking first.
import type { Appointment, Business } from '../../api-types.ts';
import { AppointmentTime } from '../../appointments/appointment-time.tsx';
import { personLink } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { type Loaded, useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import type { Deeds } from './appointment-dialog.tsx';
import { OriginOf, StatusOf } from './appointment-facts.tsx';
import type { AppointmentFilter } from './appointment-filters.tsx';
import { whoOf } from './who.ts';

const RENEWED_EVERY_MS = 30_000;

export const useList = (filter: AppointmentFilter, isShown: boolean) =>
  useApi('listAppointments', isShown ? { query: { page: currentPage(), limit: 20, ...filter } } : null, {
    everyMs: RENEWED_EVERY_MS,
  });

export function AppointmentList({
  of,
  isFiltered,
  businessOf,
  deeds,
}: {
  of: ReturnType<typeof useList> extends Loaded<infer T> ? Loaded<T> : never;
  isFiltered: boolean;
  businessOf: (id: string) => Business | undefined;
  deeds: Deeds;
}) {
  return (
    <List
      of={of}
      label={t('Appointments')}
      empty={
        <Empty title={isFiltered ? t('No appointment fits') : t('No appointments yet')}>
          {isFiltered
            ? t('Choose another status or business.')
            : t('An agent books them inside the opening hours of its business, when a caller asks for one.')}
        </Empty>
      }
      keyOf={({ id }) => id}
      columns={[
        {
          title: t('When'),
          cell: ({ startsAt, endsAt, businessId: at }) => (
            <AppointmentTime startsAt={startsAt} endsAt={endsAt} zone={businessOf(at)?.timezone ?? null} />
          ),
        },
        { title: t('Who'), cell: Person },
        {
          title: t('What for'),
          cell: ({ service, resource, businessId: at }) => (
            <div>
              {service ?? <span class="soft">–</span>}
              {resource !== null && <div class="small">{t('with {resource}', { resource })}</div>}
              <div class="small soft">{businessOf(at)?.name ?? ''}</div>
            </div>
          ),
        },
        { title: t('Status'), cell: StatusOf },
        { title: t('Booked'), cell: OriginOf },
        { title: '', cell: (appointment) => <DeedsOf appointment={appointment} deeds={deeds} /> },
      ]}
    />
  );
}

function Person({ name, phone, notes }: Appointment) {
  return (
    <div>
      {name ?? <span class="soft">{t('No name')}</span>}
      {phone !== null && (
        <div class="small">
          <a href={personLink(phone)}>{phone}</a>
        </div>
      )}
      {notes !== null && <div class="small">{notes}</div>}
    </div>
  );
}

function DeedsOf({ appointment, deeds }: { appointment: Appointment; deeds: Deeds }) {
  const name = whoOf(appointment);
  return (
    <span class="row">
      <Button
        isSmall
        right="work"
        label={t('Move the appointment of {name}', { name })}
        onClick={() => deeds.move(appointment)}
      >
        {t('Move')}
      </Button>
      {appointment.status === 'booked' ? (
        <Button
          isSmall
          right="work"
          look="danger"
          label={t('Cancel the appointment of {name}', { name })}
          onClick={() => deeds.cancel(appointment)}
        >
          {t('Cancel it')}
        </Button>
      ) : (
        <Button
          isSmall
          right="work"
          label={t('Book again for {name}', { name })}
          onClick={() => deeds.rebook(appointment)}
        >
          {t('Book again')}
        </Button>
      )}
    </span>
  );
}
