// The times of a day that are free for an appointment, to choose one of; what an agent would offer.
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { clockOf, wallTime } from '../../zones.ts';
import { boundsOf, knownDay } from './diary.ts';

interface Wish {
  service?: string;
  durationMinutes?: number;
  resource?: string;
  /** The one that is moved. */
  besides?: string;
}

export function FreeTimes({
  businessId,
  wish,
  wall,
  zone,
  onChoose,
}: {
  businessId: string;
  wish: Wish;
  /** As in the field for it, whose day is looked at. */
  wall: string;
  zone: string;
  onChoose: (wall: string) => void;
}) {
  const day = knownDay(wall.slice(0, 10));
  const { answer } = useApi(
    'getFreeTimes',
    day === null ? null : { params: { id: businessId }, query: { ...boundsOf(day, 1, zone), ...wish } },
  );
  if (answer === null || day === null) return null;
  const { times } = answer.data;
  if (times.length === 0) return <p class="small soft">{t('Nothing is free on that day.')}</p>;
  return (
    <fieldset class="free-times">
      <legend class="small soft">{t('Free on that day')}</legend>
      {times.map((iso) => (
        <button
          key={iso}
          type="button"
          class="chip number"
          aria-pressed={wallTime(iso, zone) === wall}
          onClick={() => onChoose(wallTime(iso, zone))}
        >
          {clockOf(iso, zone)}
        </button>
      ))}
    </fieldset>
  );
}
