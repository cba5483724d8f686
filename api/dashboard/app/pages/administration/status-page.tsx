// The faults of the installation, their remedies, and links to the pages for them.
import type { Status } from '../../api-types.ts';
import { formatNumber, formatTime } from '../../format.ts';
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Badge, Card, Figures, Notice, Page, type Tone } from '../../ui/layout.tsx';
import { Remedy } from '../../ui/remedy.tsx';
import { Answer } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { useApi } from '../../use-api.ts';
import { Linked } from '../../words/linked.tsx';
import { t, words } from '../../words/words.ts';
import { type Check, capitalized, titleOf } from './check-words.ts';
import { RefusedByServer } from './refused-by-server.tsx';

const EVERY_MS = 5_000;
const PAGES: Partial<Record<Check['name'], [path: string, text: string]>> = {
  campaign: ['/campaigns', words('Go to campaigns')],
  trunk: ['/admin/trunks', words('Go to trunks')],
  model: ['/admin/models', words('Go to models')],
  turns: ['/calls?outcome=agent_failed', words('Go to the calls that failed')],
  webhooks: ['/webhooks', words('Go to your webhooks')],
};
const TONES: Record<Check['state'], Tone> = { ok: 'good', warning: 'warn', failing: 'bad' };
const WORDS: Record<Check['state'], string> = { ok: words('OK'), warning: words('Warning'), failing: words('Failing') };
const SUMMARIES: Record<Check['state'], string> = {
  ok: words('Everything is working.'),
  warning: words('The service works, but something needs attention.'),
  failing: words('Something is not working.'),
};
const SEVERITY: ReadonlyArray<Check['state']> = ['failing', 'warning'];

export default function StatusPage() {
  const status = useApi('getStatus', {}, { everyMs: EVERY_MS });
  return (
    <Page title={t('Status')} lead={t('The whole installation, checked every five seconds.')}>
      <Answer of={status}>
        {({ data: { state, checkedAt, mails, calls, learned, checks } }) => {
          const faults = SEVERITY.flatMap((severity) => checks.filter((check) => check.state === severity));
          return (
            <>
              <Notice tone={TONES[state]}>
                <strong>{t(SUMMARIES[state])}</strong>
              </Notice>
              {faults.map((check) => (
                <Fault key={titleOf(check)} check={check} />
              ))}
              {mails === 'file' && (
                <Notice>
                  {t(
                    'No mail server is set: invitations and codes are files in {folder} and reach nobody by themselves. Set {server}, and {sender} to an address that it may send for.',
                    { folder: 'DATA_DIR/outbox', server: 'SMTP_URL', sender: 'MAIL_FROM' },
                  )}
                </Notice>
              )}
              {calls !== null && <Capacity calls={calls} />}
              {learned.length > 0 && <RefusedByServer learned={learned} onForgotten={status.reload} />}
              <Table
                label={t('Checks')}
                rows={checks}
                keyOf={titleOf}
                columns={[
                  { title: t('Check'), cell: titleOf },
                  {
                    title: t('State'),
                    cell: (check) => <Badge tone={TONES[check.state]}>{t(WORDS[check.state])}</Badge>,
                  },
                ]}
              />
              <p class="small soft">{t('Checked at {time}', { time: formatTime(checkedAt) })}</p>
            </>
          );
        }}
      </Answer>
    </Page>
  );
}

function Capacity({ calls: { now, max, limit } }: { calls: NonNullable<Status['calls']> }) {
  return (
    <Card title={t('Calls now')}>
      <Figures figures={[[t('Ringing and answered'), <Share key="share" now={now} max={max} />]]} />
      {limit !== null && <p class="small">{limit.message}.</p>}
      <p class="small soft">
        <Linked
          text={t(
            'The most at a time is {variable}; unset, it follows from the cores and from the measured cost of the engines that listen and speak on this machine: [{page}].',
            { variable: 'MAX_CALLS', page: 'docs/capacity.md' },
          )}
          to={['docs/capacity.md']}
        />
      </p>
    </Card>
  );
}

function Share({ now, max }: { now: number; max: number }) {
  return (
    <>
      {formatNumber(now)} <small>{t('of {count} at a time', { count: formatNumber(max) })}</small>
    </>
  );
}

function Fault({ check }: { check: Check }) {
  const page = PAGES[check.name];
  return (
    <Card title={titleOf(check)} actions={<Badge tone={TONES[check.state]}>{t(WORDS[check.state])}</Badge>}>
      {check.message !== null && <p>{capitalized(check.message)}.</p>}
      {check.remedy !== null && (
        <p class="soft">
          <Remedy text={check.remedy} />
        </p>
      )}
      {page !== undefined && (
        <div>
          <ButtonLink isSmall href={link(page[0])}>
            {t(page[1])}
          </ButtonLink>
        </div>
      )}
    </Card>
  );
}
