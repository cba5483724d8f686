// The campaign on web sites: public keys, the line that goes into the site's pages, and what visitors did today.
import { useState } from 'preact/hooks';
import type { Campaign, WidgetKey } from '../../api-types.ts';
import { call } from '../../client.ts';
import { formatDateTime, formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Badge, Card, Empty, Facts, Figures, Notice } from '../../ui/layout.tsx';
import { Secret } from '../../ui/secret.tsx';
import { Answer } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { WebsiteKeyDialog } from './website-key-dialog.tsx';

const RENEWED_EVERY_MS = 5_000;
/** As many as an account may have. */
const KEYS_MAX = 100;

export function WebsiteTab({ campaign: { id, status } }: { campaign: Campaign }) {
  const keys = useApi('listWidgetKeys', { query: { campaignId: id, limit: KEYS_MAX } }, { everyMs: RENEWED_EVERY_MS });
  const [edited, setEdited] = useState<WidgetKey | 'new' | null>(null);
  const make = (
    <Button look="primary" onClick={() => setEdited('new')}>
      {t('New website key')}
    </Button>
  );
  const isAnswering = status === 'RUNNING' || status === 'COMPLETED';
  return (
    <div class="stack">
      {!isAnswering && <Notice tone="warn">{t('Visitors are answered once the campaign is started.')}</Notice>}
      <Answer of={keys}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={t('Not on a web site yet')} action={make}>
              {t(
                'Visitors of your own pages call this agent from the browser, or write to it. Make a key, and paste one line into your pages.',
              )}
            </Empty>
          ) : (
            <>
              <div>{make}</div>
              {data.map((key) => (
                <KeyCard key={key.id} of={key} onEdit={() => setEdited(key)} onChange={keys.reload} />
              ))}
            </>
          )
        }
      </Answer>
      {edited !== null && (
        <WebsiteKeyDialog
          campaignId={id}
          known={edited === 'new' ? null : edited}
          onSaved={keys.reload}
          onClose={() => setEdited(null)}
        />
      )}
    </div>
  );
}

const snippet = (key: string): string =>
  `<script src="${new URL('widget.js', document.baseURI).href}" data-key="${key}" async></script>`;

function KeyCard({ of, onEdit, onChange }: { of: WidgetKey; onEdit: () => void; onChange: () => void }) {
  const { id, key, name, isActive, expiresAt, previousKeyUntil } = of;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const rotate = () =>
    confirm({
      title: t('Replace the key of “{name}”?', { name }),
      text: t('Pages may use the old one for 24 hours: put the new line into them until then.'),
      action: t('Replace the key'),
      look: 'primary',
      perform: async () => {
        await call('rotateWidgetKey', { params: { id }, body: {} });
        onChange();
        say(t('The key was replaced'));
      },
    });
  const remove = () =>
    confirm({
      title: t('Delete “{name}”?', { name }),
      text: t('Pages that have this key stop working at once. Calls and conversations stay.'),
      action: t('Delete the key'),
      perform: async () => {
        await call('deleteWidgetKey', { params: { id } });
        onChange();
        say(t('The key was deleted'));
      },
    });
  const turn = () =>
    attempt(
      async () => {
        await call('updateWidgetKey', { params: { id }, body: { isActive: !isActive } });
        onChange();
      },
      isActive ? t('Switched off') : t('Switched on'),
    );
  return (
    <Card
      title={name}
      actions={
        <>
          {!isActive && <Badge tone="warn">{t('Off')}</Badge>}
          {isExpired && <Badge tone="warn">{t('Expired')}</Badge>}
          <a class="button small" href={`widget-trial?key=${key}`} target="_blank" rel="noopener">
            {t('Try it')}
          </a>
          <Button isSmall onClick={onEdit} label={t('Change {name}', { name })}>
            {t('Change')}
          </Button>
          <Button isSmall onClick={() => void turn()}>
            {isActive ? t('Switch off') : t('Switch on')}
          </Button>
          <Button isSmall onClick={rotate}>
            {t('Replace the key')}
          </Button>
          <Button isSmall look="danger" onClick={remove} label={t('Delete {name}', { name })}>
            {t('Delete')}
          </Button>
        </>
      }
    >
      <Secret
        tone="neutral"
        label={t('Paste this into your pages')}
        value={snippet(key)}
        hint={t(
          'The key is public: what it may do is bounded below. Pages with a content security policy need this host in script-src and connect-src.',
        )}
      />
      <Today of={of} />
      <Facts
        facts={[
          [t('Pages'), of.origins.join(', ')],
          [t('Allows'), of.allows.map((way) => t(WAYS[way])).join(', ')],
          [t('Captcha'), of.captchaUrl],
          [t('Ends'), expiresAt === null ? null : <Time at={expiresAt} />],
          [
            t('Old key'),
            previousKeyUntil === null ? null : t('Taken until {time}', { time: formatDateTime(previousKeyUntil) }),
          ],
        ]}
      />
    </Card>
  );
}

const WAYS = { call: words('Calls'), text: words('Messages') } as const;

function Today({ of: { id, today, ...caps } }: { of: WidgetKey }) {
  const { calls, callsNow, minutes, messages, refused } = today;
  const most = (cap: number) => t('of {count}', { count: formatNumber(cap) });
  return (
    <>
      <Figures
        figures={[
          [t('Calls today'), formatNumber(calls), most(caps.callsPerDay)],
          [t('Under way'), formatNumber(callsNow), most(caps.callsAtOnce)],
          [t('Minutes today'), formatNumber(minutes), most(caps.minutesPerDay)],
          [t('Messages today'), formatNumber(messages), most(caps.messagesPerDay)],
        ]}
      />
      {refused.length > 0 && (
        <div class="stack tight">
          <h3>{t('Refused today')}</h3>
          <ul>
            {refused.map(({ reason, requests, origin, lastAt }) => (
              <li key={`${id} ${reason}`}>
                {t(REASONS[reason])}: {formatNumber(requests)}
                {reason === 'origin' && origin !== null && (
                  <>
                    , {t('last from')} <code>{origin}</code>
                  </>
                )}
                , <Time at={lastAt} ago />
              </li>
            ))}
          </ul>
        </div>
      )}
      <p class="small soft">
        {t('Days are those of UTC.')} <a href={link('/messages', { kind: 'web' })}>{t('What visitors wrote')}</a>
      </p>
    </>
  );
}

const REASONS: Readonly<Record<WidgetKey['today']['refused'][number]['reason'], string>> = {
  origin: words('Pages that the key does not name'),
  off: words('While it was switched off'),
  expired: words('After it had expired'),
  way: words('Calls or messages that it does not allow'),
  captcha: words('Captcha not passed'),
  calls_per_day: words('Over the calls of a day'),
  minutes_per_day: words('Over the minutes of a day'),
  messages_per_day: words('Over the messages of a day'),
  calls_at_once: words('Over the calls at once'),
  rate: words('Too often'),
  unavailable: words('Nobody could answer'),
};
