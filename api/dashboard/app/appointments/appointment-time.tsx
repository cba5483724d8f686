/** "Tue 3 May, 14:00–14:45", and the same in the business's zone if its clock differs. */
export function AppointmentTime({ startsAt, endsAt, zone }: { startsAt: string; endsAt: string; zone: string | null }) {
  const own = rangeIn(startsAt, endsAt, undefined);
  const there = zone === null ? own : rangeIn(startsAt, endsAt, zone);
  return (
    <div>
      <time dateTime={startsAt} title={startsAt}>
        {own}
      </time>
      {there !== own && (
        <div class="small soft">
          {there} in {zone}
        </div>
      )}
    </div>
  );
}

const rangeIn = (startsAt: string, endsAt: string, timeZone: string | undefined): string =>
  new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).formatRange(Date.parse(startsAt), Date.parse(endsAt));
