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
import { t, words } from '../words/words.ts';
import { ConnectCalendar } from './connect-calendar.tsx';
import { OpenCalendar } from './open-calendar.tsx';

const RENEWED_EVERY_MS = 30_000;

export function CalendarsCard({ businessId, resources }: { businessId: string; resources: readonly string[] }) {
  const calendars = useApi('listCalendars', { params: { id: businessId } }, { everyMs: RENEWED_EVERY_MS });
  const { reload } = calendars;
  const [opened, setOpened] = useState<Calendar | null>(null);
  return (
    <>
      <Card title={t('Calendars')}>
        <p class="small soft">
          {t(
            'When somebody is busy there, no caller is offered the time. Each is read every five minutes, and no call waits for it.',
          )}
        </p>
        <Answer of={calendars}>
          {({ data }) =>
            data.length === 0 ? (
              <p class="soft">{t('None yet: appointments are booked in our own book alone.')}</p>
            ) : (
              <Table
                rows={data}
                label={t('Calendars')}
                keyOf={({ id }) => id}
                columns={[
                  { title: t('Name'), cell: (calendar) => <NameOf calendar={calendar} /> },
                  { title: t('Whose'), cell: ({ resource }) => resource ?? t('The whole business') },
                  { title: t('State'), cell: (calendar) => <StateOf calendar={calendar} /> },
                  { title: t('Read'), cell: ({ readAt }) => <Time at={readAt} /> },
                  {
                    title: '',
                    cell: (calendar) => (
                      <div class="row">
                        <Button
                          isSmall
                          label={t('Read {name} now', { name: calendar.name })}
                          onClick={() => void readNow(businessId, calendar, reload)}
                        >
                          {t('Read now')}
                        </Button>
                        <Opening calendar={calendar} onAsked={() => setOpened(calendar)} />
                        <Button
                          isSmall
                          label={t('Take {name} out', { name: calendar.name })}
                          onClick={() => askToRemove(businessId, calendar, reload)}
                        >
                          {t('Take out')}
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
  const text = kind === 'caldav' ? t('New password') : t('Sign in again');
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
        {writes ? (names ? t('Read and written') : t('Read and written, without names')) : t('Read, not written')}
      </span>
    </div>
  );
}

const STATES = {
  ok: { tone: 'good', text: words('Connected') },
  failing: { tone: 'warn', text: words('Tried again in minutes') },
  refused: { tone: 'bad', text: words('You have to mend it') },
} as const;

/** The last reading counts while it fails, and bookings go on. */
function StateOf({ calendar: { kind, state, error, busyTimes, unwritten, writeError } }: { calendar: Calendar }) {
  const { tone, text } = STATES[state];
  return (
    <div class="stack tight">
      <div>
        <Badge tone={tone}>{t(text)}</Badge>
      </div>
      {error !== null && (
        <span class="small">{t('It could not be read: {error}. The last reading counts.', { error })}</span>
      )}
      {state === 'refused' && kind === 'ics' && (
        <span class="small soft">{t('Connect it anew where its address has changed, and take this one out.')}</span>
      )}
      {unwritten > 0 && (
        <span class="small">
          {unwritten === 1
            ? t('One appointment is not written there yet')
            : t('{count} appointments are not written there yet', { count: unwritten })}
          {writeError === null ? '' : `: ${writeError}`}.
        </span>
      )}
      {error === null && (
        <span class="small soft">
          {busyTimes === 0
            ? t('Nobody is busy in the coming year')
            : t('{count} busy times in the coming year', { count: busyTimes })}
        </span>
      )}
    </div>
  );
}

async function readNow(businessId: string, { id, name }: Calendar, onRead: () => void): Promise<void> {
  try {
    const { data } = await call('refreshCalendar', { params: { id: businessId, calendarId: id } });
    say(data.error === null ? t('Read {name}', { name }) : `${name}: ${data.error}`);
  } catch (fault) {
    say(messageOf(fault));
  }
  onRead();
}

function askToRemove(businessId: string, { id, name }: Calendar, onRemoved: () => void): void {
  confirm({
    title: t('Take {name} out?', { name }),
    text: t('Its busy times can be booked from now on. Appointments that were written there stay there.'),
    action: t('Take it out'),
    perform: async () => {
      await call('removeCalendar', { params: { id: businessId, calendarId: id } });
      say(t('Took {name} out', { name }));
      onRemoved();
    },
  });
}
