// The days of the diary beside one another, by the hour; on a narrow screen one below the other, each as a list.
import type { Appointment } from '../../api-types.ts';
import { t } from '../../words/words.ts';
import { clockRangeIn, hourName, weekdayName } from '../../zones.ts';
import { type DiaryDay, type FreeSpan, hoursOf } from './diary.ts';
import { whoOf } from './who.ts';

export function DiaryView({
  days,
  zone,
  today,
  onOpen,
  onFree,
}: {
  days: readonly DiaryDay[];
  zone: string;
  today: string;
  onOpen: (appointment: Appointment) => void;
  /** Null: the user may book nothing. */
  onFree: ((free: FreeSpan) => void) | null;
}) {
  const { from, to } = hoursOf(days);
  const hours = Array.from({ length: to - from }, (_, index) => from + index);
  return (
    <div class="diary" style={{ '--hours': hours.length, '--days': days.length }}>
      <div class="diary-hours" aria-hidden="true">
        {hours.map((hour) => (
          <span key={hour}>{hourName(hour)}</span>
        ))}
      </div>
      {days.map((day) => (
        <section key={day.day} class={day.day === today ? 'diary-day today' : 'diary-day'}>
          <h2>
            {weekdayName(day.day)}
            {day.day === today && <span class="small soft"> {t('Today')}</span>}
          </h2>
          <ol>
            {entriesOf(day).map((entry) =>
              'appointment' in entry ? (
                <li key={entry.appointment.id} style={placeOf(entry, from)}>
                  <Entry of={entry.appointment} zone={zone} onOpen={onOpen} />
                </li>
              ) : (
                <li key={entry.startsAt} style={placeOf(entry, from)}>
                  <Free of={entry} zone={zone} onFree={onFree} />
                </li>
              ),
            )}
          </ol>
          {day.placed.length + day.free.length === 0 && <p class="small soft">{t('Nothing')}</p>}
        </section>
      ))}
    </div>
  );
}

type Entries = Array<DiaryDay['placed'][number] | FreeSpan>;

/** In order; what is free lies behind what is booked at that time. */
const entriesOf = ({ placed, free }: DiaryDay): Entries =>
  [...free, ...placed].sort((a, b) => a.from - b.from || Number('appointment' in a) - Number('appointment' in b));

function placeOf(entry: Entries[number], fromHour: number): Record<string, number> {
  const { lane, lanes } = 'appointment' in entry ? entry : { lane: 0, lanes: 1 };
  return {
    '--from': entry.from / 60 - fromHour,
    '--length': (entry.to - entry.from) / 60,
    '--lane': lane,
    '--lanes': lanes,
  };
}

function Entry({ of, zone, onOpen }: { of: Appointment; zone: string; onOpen: (appointment: Appointment) => void }) {
  const { startsAt, endsAt, status, service, resource } = of;
  const what = [service, resource].filter((part) => part !== null).join(' · ');
  return (
    <button type="button" class={`diary-entry ${status}`} onClick={() => onOpen(of)}>
      <span class="number">{clockRangeIn(startsAt, endsAt, zone)}</span> <strong>{whoOf(of)}</strong>{' '}
      {what !== '' && <span class="small">{what}</span>}
      {status === 'cancelled' && <span class="small"> {t('Cancelled')}</span>}
    </button>
  );
}

function Free({ of, zone, onFree }: { of: FreeSpan; zone: string; onFree: ((free: FreeSpan) => void) | null }) {
  const text = t('Free {time}', { time: clockRangeIn(of.startsAt, of.endsAt, zone) });
  if (onFree === null) return <span class="diary-free">{text}</span>;
  return (
    <button type="button" class="diary-free" aria-label={t('{free}: book', { free: text })} onClick={() => onFree(of)}>
      {text}
    </button>
  );
}
