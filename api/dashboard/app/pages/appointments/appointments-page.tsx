// Appointments booked by agents.
import { useState } from 'preact/hooks';
import type { Appointment, Business } from '../../api-types.ts';
import { AppointmentTime } from '../../appointments/appointment-time.tsx';
import { call } from '../../client.ts';
import { formatWord } from '../../format.ts';
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
import { MoveDialog } from './move-dialog.tsx';

const RENEWED_EVERY_MS = 30_000;
/** The call before it. */
const REMINDED: Record<NonNullable<Appointment['reminder']>['state'], string> = {
  calling: 'Is being called',
  confirmed: 'Comes, as said when called',
  moved: 'Moved when called',
  cancelled: 'Cancelled when called',
  undecided: 'Called: neither yes nor no',
  unreached: 'Called: nobody reached',
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
    { name: 'status', label: 'Status', choices: STATUSES.map((each) => [each, formatWord(each)] as const) },
    {
      name: 'business',
      label: 'Business',
      choices: (businesses.answer ?? []).map(({ id, name }) => [id, name] as const),
    },
  ];
  const callChips = callId === '' ? [] : [{ name: 'call', label: 'Of one call', text: callId }];
  const isFiltered = status !== undefined || businessId !== '' || callId !== '';
  const cancel = (appointment: Appointment) =>
    confirm({
      title: `Cancel the appointment of ${whoOf(appointment)}?`,
      text: 'Its time can be booked by others. Nobody is called about it.',
      action: 'Cancel the appointment',
      perform: async () => {
        await call('updateAppointment', { params: { id: appointment.id }, body: { status: 'cancelled' } });
        appointments.reload();
        say(`Cancelled the appointment of ${whoOf(appointment)}`);
      },
    });
  const rebook = (appointment: Appointment) =>
    attempt(
      async () => {
        await call('updateAppointment', { params: { id: appointment.id }, body: { status: 'booked' } });
        appointments.reload();
      },
      `Booked again for ${whoOf(appointment)}`,
    );
  return (
    <Page title="Appointments" lead="What agents have booked on calls.">
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
        label="Appointments"
        empty={
          <Empty title={isFiltered ? 'No appointment fits' : 'No appointments yet'}>
            {isFiltered
              ? 'Choose another status or business.'
              : 'An agent books them inside the opening hours of its business, when a caller asks for one.'}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'When',
            cell: ({ startsAt, endsAt, businessId: at }) => (
              <AppointmentTime startsAt={startsAt} endsAt={endsAt} zone={businessOf(at)?.timezone ?? null} />
            ),
          },
          {
            title: 'Who',
            cell: ({ name, phone, notes }) => (
              <div>
                {name ?? <span class="soft">No name</span>}
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
            title: 'What for',
            cell: ({ service, resource, businessId: at }) => (
              <div>
                {service ?? <span class="soft">–</span>}
                {resource !== null && <div class="small">with {resource}</div>}
                <div class="small soft">{businessOf(at)?.name ?? ''}</div>
              </div>
            ),
          },
          {
            title: 'Status',
            cell: ({ status: own, history, reminder }) => (
              <div class="stack tight">
                <div>
                  <Badge tone={own === 'booked' ? 'good' : 'neutral'}>
                    {own === 'booked' ? 'Booked' : 'Cancelled'}
                  </Badge>
                </div>
                {lastChange(history) !== null && <span class="small soft">{lastChange(history)}</span>}
                {reminder !== null && (
                  <a class="small" href={link(`/calls/${reminder.callId}`)}>
                    {REMINDED[reminder.state]}
                  </a>
                )}
              </div>
            ),
          },
          {
            title: 'Call',
            cell: ({ callId: of, conversationId }) => {
              if (conversationId !== null) return <a href={link(`/messages/${conversationId}`)}>Read</a>;
              return of === null ? <span class="soft">–</span> : <a href={link(`/calls/${of}`)}>Listen</a>;
            },
          },
          {
            title: '',
            cell: (appointment) => (
              <span class="row">
                <Button
                  isSmall
                  label={`Move the appointment of ${whoOf(appointment)}`}
                  onClick={() => setMoved(appointment)}
                >
                  Move
                </Button>
                {appointment.status === 'booked' ? (
                  <Button
                    isSmall
                    right="work"
                    look="danger"
                    label={`Cancel the appointment of ${whoOf(appointment)}`}
                    onClick={() => cancel(appointment)}
                  >
                    Cancel
                  </Button>
                ) : (
                  <Button
                    isSmall
                    label={`Book again for ${whoOf(appointment)}`}
                    onClick={() => void rebook(appointment)}
                  >
                    Book again
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

const whoOf = ({ name, phone }: Appointment): string => name ?? phone ?? 'an unknown caller';

const CHANGED = {
  call: 'Changed by a caller',
  client: 'Changed here',
  calendar: 'Changed in a calendar',
} as const;

function lastChange(history: Appointment['history']): string | null {
  const last = history.at(-1);
  return last === undefined ? null : CHANGED[last.by];
}
