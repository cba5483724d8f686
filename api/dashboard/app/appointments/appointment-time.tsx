// An appointment's time as text, for tables and pages.

import { t } from '../words/words.ts';
import { ownZone, rangeIn } from '../zones.ts';

/** By the business's clocks, because customers come there, with their zone; and by the reader's, if they differ. */
export function AppointmentTime({ startsAt, endsAt, zone }: { startsAt: string; endsAt: string; zone: string | null }) {
  const own = ownZone();
  const shown = rangeIn(startsAt, endsAt, zone ?? own);
  const here = rangeIn(startsAt, endsAt, own);
  return (
    <div>
      <time dateTime={startsAt} title={startsAt}>
        {shown}
      </time>
      <div class="small soft">{zone === null ? t('{zone}, your time', { zone: own }) : zone}</div>
      {here !== shown && <div class="small soft">{t('Your time: {time}', { time: here })}</div>}
    </div>
  );
}
