// Appointments booked by agents.
import { useState } from 'preact/hooks';
import type { Appointment, Business } from '../../api-types.ts';
import { AppointmentTime } from '../../appointments/appointment-time.tsx';
import { call } from '../../client.ts';
import { link, personLink, route } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { chipsOf, Filter, FilterChips } from '../../ui/filters.tsx';
import { Badge, Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { MoveDialog } from './move-dialog.tsx';

const RENEWED_EVERY_MS = 30_000;
/** The call before it. */
const REMINDED: Record<NonNullable<Appointment['reminder']>['state'], string> = {
  calling: words('Is being called'),
  confirmed: words('Comes, as said when called'),
  moved: words('Moved when called'),
  cancelled: words('Cancelled when called'),
  undecided: words('Called: neither yes nor no'),
  unreached: words('Called: nobody reached'),
};

const STATUSES = ['booked', 'cancelled'] as const;

export default function AppointmentsPage() {
  const { query } = route.value;
  const status = STATUSES.find((each) => each === query.get('status'));
  const businessId = query.get('business') ?? '';
  const callId = query.get('call') ?? '';
  const appointments = useApi(
    'listAppointments',
    {
      query: {
        page: currentPage(),
        limit: 20,
        ...(status === undefined ? {} : { status }),
        ...(businessId === '' ? {} : { businessId }),
        ...(callId === '' ? {} : { callId }),
      },
    },
    { everyMs: RENEWED_EVERY_MS },
  );
  const businesses = useAll('listBusinesses');
  const [moved, setMoved] = useState<Appointment | null>(null);
  const businessOf = (id: string): Business | undefined => businesses.answer?.find((business) => business.id === id);
  const filters = [
    {
      name: 'status',
      label: t('Status'),
      choices: [['booked', t('Booked')] as const, ['cancelled', t('Cancelled')] as const],
    },
    {
      name: 'business',
      label: t('Business'),
      choices: (businesses.answer ?? []).map(({ id, name }) => [id, name] as const),
    },
  ];
  const callChips = callId === '' ? [] : [{ name: 'call', label: t('Of one call'), text: callId }];
  const isFiltered = status !== undefined || businessId !== '' || callId !== '';
  const cancel = (appointment: Appointment) =>
    confirm({
      title: t('Cancel the appointment of {name}?', { name: whoOf(appointment) }),
      text: t('Its time can be booked by others. Nobody is called about it.'),
      action: t('Cancel the appointment'),
      perform: async () => {
        await call('updateAppointment', { params: { id: appointment.id }, body: { status: 'cancelled' } });
        appointments.reload();
        say(t('Cancelled the appointment of {name}', { name: whoOf(appointment) }));
      },
    });
  const rebook = (appointment: Appointment) =>
    attempt(
      async () => {
        await call('updateAppointment', { params: { id: appointment.id }, body: { status: 'booked' } });
        appointments.reload();
      },
      t('Booked again for {name}', { name: whoOf(appointment) }),
    );
  return (
    <Page title={t('Appointments')} lead={t('What agents have booked on calls.')}>
      <search class="stack tight">
        <div class="filters">
          {filters.map((each) => (
            <Filter key={each.name} {...each} />
          ))}
        </div>
        <FilterChips chips={[...chipsOf(filters), ...callChips]} />
      </search>
      <List
        of={appointments}
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
          {
            title: t('Who'),
            cell: ({ name, phone, notes }) => (
              <div>
                {name ?? <span class="soft">{t('No name')}</span>}
                {phone !== null && (
                  <div class="small">
                    <a href={personLink(phone)}>{phone}</a>
                  </div>
                )}
                {notes !== null && <div class="small">{notes}</div>}
              </div>
            ),
          },
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
          {
            title: t('Status'),
            cell: ({ status: own, history, reminder }) => (
              <div class="stack tight">
                <div>
                  <Badge tone={own === 'booked' ? 'good' : 'neutral'}>
                    {own === 'booked' ? t('Booked') : t('Cancelled')}
                  </Badge>
                </div>
                {lastChange(history) !== null && <span class="small soft">{lastChange(history)}</span>}
                {reminder !== null && (
                  <a class="small" href={link(`/calls/${reminder.callId}`)}>
                    {t(REMINDED[reminder.state])}
                  </a>
                )}
              </div>
            ),
          },
          {
            title: t('Call'),
            cell: ({ callId: of, conversationId }) => {
              if (conversationId !== null) return <a href={link(`/messages/${conversationId}`)}>{t('Read')}</a>;
              return of === null ? <span class="soft">–</span> : <a href={link(`/calls/${of}`)}>{t('Listen')}</a>;
            },
          },
          {
            title: '',
            cell: (appointment) => (
              <span class="row">
                <Button
                  isSmall
                  label={t('Move the appointment of {name}', { name: whoOf(appointment) })}
                  onClick={() => setMoved(appointment)}
                >
                  {t('Move')}
                </Button>
                {appointment.status === 'booked' ? (
                  <Button
                    isSmall
                    right="work"
                    look="danger"
                    label={t('Cancel the appointment of {name}', { name: whoOf(appointment) })}
                    onClick={() => cancel(appointment)}
                  >
                    {t('Cancel')}
                  </Button>
                ) : (
                  <Button
                    isSmall
                    label={t('Book again for {name}', { name: whoOf(appointment) })}
                    onClick={() => void rebook(appointment)}
                  >
                    {t('Book again')}
                  </Button>
                )}
              </span>
            ),
          },
        ]}
      />
      {moved !== null && (
        <MoveDialog
          appointment={moved}
          who={whoOf(moved)}
          zone={businessOf(moved.businessId)?.timezone ?? null}
          onMoved={appointments.reload}
          onClose={() => setMoved(null)}
        />
      )}
    </Page>
  );
}

const whoOf = ({ name, phone }: Appointment): string => name ?? phone ?? t('an unknown caller');

const CHANGED = {
  call: words('Changed by a caller'),
  client: words('Changed here'),
  calendar: words('Changed in a calendar'),
} as const;

function lastChange(history: Appointment['history']): string | null {
  const last = history.at(-1);
  return last === undefined ? null : t(CHANGED[last.by]);
}
