// Calendars that a business's appointments are booked around: their state in plain words, and what can be done.
import { useState } from 'preact/hooks';
import { messageOf } from '../../../../db/domain/unexpected.ts';
import type { Calendar } from '../api-types.ts';
import { call } from '../client.ts';
import { Button } from '../ui/button.tsx';
import { confirm } from '../ui/dialog.tsx';
import { Badge, Card } from '../ui/layout.tsx';
import { Answer } from '../ui/status.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { say } from '../ui/toast.tsx';
import { useApi } from '../use-api.ts';
import { ConnectCalendar } from './connect-calendar.tsx';
import { OpenCalendar } from './open-calendar.tsx';

const RENEWED_EVERY_MS = 30_000;

export function CalendarsCard({ businessId, resources }: { businessId: string; resources: readonly string[] }) {
  const calendars = useApi('listCalendars', { params: { id: businessId } }, { everyMs: RENEWED_EVERY_MS });
  const { reload } = calendars;
  const [opened, setOpened] = useState<Calendar | null>(null);
  return (
    <>
      <Card title="Calendars">
        <p class="small soft">
          When somebody is busy there, no caller is offered the time. Each is read every five minutes, and no call waits
          for it.
        </p>
        <Answer of={calendars}>
          {({ data }) =>
            data.length === 0 ? (
              <p class="soft">None yet: appointments are booked in our own book alone.</p>
            ) : (
              <Table
                rows={data}
                label="Calendars"
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Name', cell: (calendar) => <NameOf calendar={calendar} /> },
                  { title: 'Whose', cell: ({ resource }) => resource ?? 'The whole business' },
                  { title: 'State', cell: (calendar) => <StateOf calendar={calendar} /> },
                  { title: 'Read', cell: ({ readAt }) => <Time at={readAt} /> },
                  {
                    title: '',
                    cell: (calendar) => (
                      <div class="row">
                        <Button
                          isSmall
                          label={`Read ${calendar.name} now`}
                          onClick={() => void readNow(businessId, calendar, reload)}
                        >
                          Read now
                        </Button>
                        <Opening calendar={calendar} onAsked={() => setOpened(calendar)} />
                        <Button
                          isSmall
                          label={`Take ${calendar.name} out`}
                          onClick={() => askToRemove(businessId, calendar, reload)}
                        >
                          Take out
                        </Button>
                      </div>
                    ),
                  },
                ]}
              />
            )
          }
        </Answer>
      </Card>
      {opened !== null && (
        <OpenCalendar businessId={businessId} calendar={opened} onClose={() => setOpened(null)} onOpened={reload} />
      )}
      <ConnectCalendar businessId={businessId} resources={resources} onConnected={reload} />
    </>
  );
}

/** Another password, or another sign-in; an address is a calendar of its own. */
function Opening({ calendar: { kind, name, state }, onAsked }: { calendar: Calendar; onAsked: () => void }) {
  if (kind === 'ics' || (kind !== 'caldav' && state !== 'refused')) return null;
  const text = kind === 'caldav' ? 'New password' : 'Sign in again';
  return (
    <Button isSmall label={`${text}: ${name}`} onClick={onAsked}>
      {text}
    </Button>
  );
}

function NameOf({ calendar: { name, address, writes, names } }: { calendar: Calendar }) {
  return (
    <div class="stack tight">
      <span>{name}</span>
      <span class="small soft">{address}</span>
      <span class="small soft">
        {writes ? `Read and written${names ? '' : ', without names'}` : 'Read, not written'}
      </span>
    </div>
  );
}

const STATES = {
  ok: { tone: 'good', text: 'Connected' },
  failing: { tone: 'warn', text: 'Tried again in minutes' },
  refused: { tone: 'bad', text: 'You have to mend it' },
} as const;

/** The last reading counts while it fails, and bookings go on. */
function StateOf({ calendar: { kind, state, error, busyTimes, unwritten, writeError } }: { calendar: Calendar }) {
  const { tone, text } = STATES[state];
  return (
    <div class="stack tight">
      <div>
        <Badge tone={tone}>{text}</Badge>
      </div>
      {error !== null && <span class="small">It could not be read: {error}. The last reading counts.</span>}
      {state === 'refused' && kind === 'ics' && (
        <span class="small soft">Connect it anew where its address has changed, and take this one out.</span>
      )}
      {unwritten > 0 && (
        <span class="small">
          {unwritten === 1 ? 'One appointment is' : `${unwritten} appointments are`} not written there yet
          {writeError === null ? '' : `: ${writeError}`}.
        </span>
      )}
      {error === null && (
        <span class="small soft">
          {busyTimes === 0 ? 'Nobody is busy in the coming year' : `${busyTimes} busy times in the coming year`}
        </span>
      )}
    </div>
  );
}

async function readNow(businessId: string, { id, name }: Calendar, onRead: () => void): Promise<void> {
  try {
    const { data } = await call('refreshCalendar', { params: { id: businessId, calendarId: id } });
    say(data.error === null ? `Read ${name}` : `${name}: ${data.error}`);
  } catch (fault) {
    say(messageOf(fault));
  }
  onRead();
}

function askToRemove(businessId: string, { id, name }: Calendar, onRemoved: () => void): void {
  confirm({
    title: `Take ${name} out?`,
    text: 'Its busy times can be booked from now on. Appointments that were written there stay there.',
    action: 'Take it out',
    perform: async () => {
      await call('removeCalendar', { params: { id: businessId, calendarId: id } });
      say(`Took ${name} out`);
      onRemoved();
    },
  });
}
