// The secret address at which other programs read the appointments.

import { useState } from 'preact/hooks';
import { call } from '../client.ts';
import { formatDateTime } from '../format.ts';
import { Button } from '../ui/button.tsx';
import { confirm } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/fields/field.tsx';
import { Card } from '../ui/layout.tsx';
import { Secret } from '../ui/secret.tsx';
import { Answer } from '../ui/status.tsx';
import { attempt, say } from '../ui/toast.tsx';
import { useApi } from '../use-api.ts';
import { t } from '../words/words.ts';

export function FeedCard({ businessId }: { businessId: string }) {
  const params = { id: businessId };
  const feed = useApi('getCalendarFeed', { params });
  const [names, setNames] = useState(true);
  const [url, setUrl] = useState<string | null>(null);
  const make = () =>
    attempt(async () => {
      const { data } = await call('makeCalendarFeed', { params, body: { names } });
      setUrl(data.url);
      feed.reload();
    });
  const revoke = () =>
    confirm({
      title: t('Take the address back?'),
      text: t('Calendars that read it show the appointments no longer, or no longer new ones.'),
      action: t('Take it back'),
      perform: async () => {
        await call('deleteCalendarFeed', { params });
        setUrl(null);
        feed.reload();
        say(t('Took the address back'));
      },
    });
  return (
    <Card title={t('Appointments in your own calendar')}>
      <p class="small soft">
        {t(
          'A secret address that Google, Outlook, Apple and others can subscribe to. They read it when they like: Google takes up to a day. A calendar that is connected above and written has them within seconds.',
        )}
      </p>
      {url !== null && <Secret label={t('The address')} value={url} hint={t('It is shown this one time.')} />}
      <Answer of={feed}>
        {({ data }) => (
          <>
            {data.createdAt !== null && (
              <p>
                {data.names
                  ? t('There is one since {time}, with names.', { time: formatDateTime(data.createdAt) })
                  : t('There is one since {time}, without names.', { time: formatDateTime(data.createdAt) })}
              </p>
            )}
            <Checkbox label={t("With the callers' names and numbers")} value={names} onChange={setNames} />
            <div class="row">
              <Button onClick={() => void make()}>
                {data.createdAt === null ? t('Make the address') : t('Make another one in its place')}
              </Button>
              {data.createdAt !== null && (
                <Button look="danger" onClick={revoke}>
                  {t('Take it back')}
                </Button>
              )}
            </div>
          </>
        )}
      </Answer>
    </Card>
  );
}
