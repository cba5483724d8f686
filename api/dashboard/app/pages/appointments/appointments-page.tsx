// The diary: appointments of a week or a day with the times that are free, or all of them as a list. What agents have
// booked stands beside what is booked here by hand.
import { useState } from 'preact/hooks';
import type { Appointment, Business } from '../../api-types.ts';
import { call } from '../../client.ts';
import { route, setQuery } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/layout.tsx';
import { may } from '../../ui/rights.ts';
import { Answer, ErrorNotice } from '../../ui/status.tsx';
import { currentTab, Tabs } from '../../ui/table.tsx';
import { attempt } from '../../ui/toast.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { dayRange, instantOf, ownZone } from '../../zones.ts';
import { AppointmentDialog, type Deeds } from './appointment-dialog.tsx';
import { AppointmentFilters, filterOf } from './appointment-filters.tsx';
import { AppointmentList, useList } from './appointment-list.tsx';
import { BookDialog } from './book-dialog.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { boundsOf, dayAfter, dayIn, daysFrom, diaryOf, knownDay } from './diary.ts';
import { DiaryView } from './diary-view.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { whoOf } from './who.ts';

const RENEWED_EVERY_MS = 30_000;
const DAYS = { week: 7, day: 1 };

type Shown =
  | { dialog: 'open' | 'move' | 'cancel'; appointment: Appointment }
  /** ISO: the time that is proposed. */
  | { dialog: 'book'; startsAt: string };

export default function AppointmentsPage() {
  const tab = currentTab<'week' | 'day' | 'list'>([
    ['week', t('Week')],
    ['day', t('Day')],
    ['list', t('List')],
  ]);
  const { query } = route.value;
  const filter = filterOf(query);
  const businesses = useAll('listBusinesses');
  const agents = useAll('listAgents').answer ?? [];
  const live = (businesses.answer ?? []).filter(({ deletedAt }) => deletedAt === null);
  const businessOf = (id: string | undefined): Business | undefined =>
    businesses.answer?.find((business) => business.id === id);
  // Where there is one only, nobody has to choose it.
  const business = businessOf(filter.businessId ?? (live.length === 1 ? live[0]?.id : undefined));
  const zone = business?.timezone ?? commonZone(live);
  const today = dayIn(new Date().toISOString(), zone);
  const first = knownDay(query.get('day')) ?? today;
  const count = tab === 'day' ? DAYS.day : DAYS.week;
  const isDiary = tab !== 'list' && businesses.answer !== null;
  const bounds = boundsOf(first, count, zone);
  const booked = useAll('listAppointments', isDiary ? { ...filter, ...bounds } : null, { everyMs: RENEWED_EVERY_MS });
  const list = useList(filter, tab === 'list');
  const free = useApi(
    'getFreeTimes',
    isDiary && business !== undefined && filter.status !== 'cancelled'
      ? { params: { id: business.id }, query: { ...bounds, ...(filter.resource && { resource: filter.resource }) } }
      : null,
  );
  const [shown, setShown] = useState<Shown | null>(null);
  const reload = () => {
    booked.reload();
    list.reload();
    free.reload();
  };
  const deeds: Deeds = {
    move: (appointment) => setShown({ dialog: 'move', appointment }),
    cancel: (appointment) => setShown({ dialog: 'cancel', appointment }),
    rebook: (appointment) => {
      setShown(null);
      void attempt(
        async () => {
          await call('updateAppointment', { params: { id: appointment.id }, body: { status: 'booked' } });
          reload();
        },
        t('Booked again for {name}', { name: whoOf(appointment) }),
      );
    },
  };
  const book = (startsAt: string) => setShown({ dialog: 'book', startsAt });
  return (
    <Page
      title={t('Appointments')}
      lead={t('What agents have booked, and what you book by hand.')}
      actions={
        live.length > 0 && (
          <Button
            right="work"
            look="primary"
            onClick={() => book(free.answer?.data.times[0] ?? proposed(first, today, zone))}
          >
            {t('Book an appointment')}
          </Button>
        )
      }
    >
      <Tabs
        tabs={[
          ['week', t('Week')],
          ['day', t('Day')],
          ['list', t('List')],
        ]}
        current={tab}
      />
      <AppointmentFilters businesses={businesses.answer ?? []} agents={agents} />
      {tab === 'list' ? (
        <AppointmentList of={list} isFiltered={Object.keys(filter).length > 0} businessOf={businessOf} deeds={deeds} />
      ) : (
        <>
          <DaysBar first={first} count={count} today={today} zone={zone} />
          <ErrorNotice error={businesses.error} onRetry={businesses.reload} />
          <Answer of={booked}>
            {(appointments) => (
              <DiaryView
                days={diaryOf(daysFrom(first, count), appointments, free.answer?.data ?? null, zone)}
                zone={zone}
                today={today}
                onOpen={(appointment) => setShown({ dialog: 'open', appointment })}
                onFree={may('work') ? ({ startsAt }) => book(startsAt) : null}
              />
            )}
          </Answer>
          {business === undefined && live.length > 1 && (
            <p class="small soft">{t('Choose a business to see which times are free.')}</p>
          )}
        </>
      )}
      {shown !== null && (
        <Dialogs
          key={shown.dialog}
          shown={shown}
          businesses={live}
          businessOf={businessOf}
          deeds={deeds}
          onDone={reload}
          onClose={() => setShown((now) => (now === shown ? null : now))}
        />
      )}
    </Page>
  );
}

/** The zone of all of them; the reader's where they differ. */
function commonZone(businesses: readonly Business[]): string {
  const [zone, ...others] = new Set(businesses.map(({ timezone }) => timezone));
  return zone === undefined || others.length > 0 ? ownZone() : zone;
}

/** The next whole hour, or nine o'clock of another day. */
function proposed(first: string, today: string, zone: string): string {
  if (first !== today) return instantOf(`${first}T09:00`, zone);
  const next = new Date();
  next.setMinutes(60, 0, 0);
  return next.toISOString();
}

function DaysBar({ first, count, today, zone }: { first: string; count: number; today: string; zone: string }) {
  const goTo = (day: string) => setQuery({ day: day === today ? undefined : day });
  return (
    <div class="row spread">
      <div class="row">
        <Button isSmall label={t('Days before')} onClick={() => goTo(dayAfter(first, -count))}>
          ←
        </Button>
        <Button isSmall disabled={first === today} onClick={() => goTo(today)}>
          {t('Today')}
        </Button>
        <Button isSmall label={t('Days after')} onClick={() => goTo(dayAfter(first, count))}>
          →
        </Button>
        <strong>{dayRange(first, dayAfter(first, count - 1))}</strong>
      </div>
      <span class="small soft">{zone === ownZone() ? t('{zone}, your time', { zone }) : zone}</span>
    </div>
  );
}

function Dialogs({
  shown,
  businesses,
  businessOf,
  deeds,
  onDone,
  onClose,
}: {
  shown: Shown;
  businesses: readonly Business[];
  businessOf: (id: string | undefined) => Business | undefined;
  deeds: Deeds;
  onDone: () => void;
  onClose: () => void;
}) {
  const { businessId, resource } = filterOf(route.value.query);
  if (shown.dialog === 'book')
    return (
      <BookDialog
        businesses={businesses}
        businessId={businessId ?? ''}
        resource={resource ?? ''}
        startsAt={shown.startsAt}
        onDone={onDone}
        onClose={onClose}
      />
    );
  const of = { appointment: shown.appointment, business: businessOf(shown.appointment.businessId), onClose };
  if (shown.dialog === 'open') return <AppointmentDialog {...of} deeds={deeds} />;
  return shown.dialog === 'move' ? <MoveDialog {...of} onDone={onDone} /> : <CancelDialog {...of} onDone={onDone} />;
}
