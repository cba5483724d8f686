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
import { RefusedByServer } from './refused-by-server.tsx';

type Check = Status['checks'][number];

const EVERY_MS = 5_000;
const NAMES: Record<Check['name'], string> = {
  engine: 'Engine',
  database: 'Database',
  disk: 'Disk',
  files: 'Object store',
  clock: 'Clock',
  trunk: 'Trunk',
  model: 'Model',
  turns: 'Turns of callers',
  webhooks: 'Webhooks',
  mails: 'Mails',
  campaign: 'Campaign',
  spend: 'Outbound minutes',
};
const PAGES: Partial<Record<Check['name'], [path: string, text: string]>> = {
  campaign: ['/campaigns', 'Go to campaigns'],
  trunk: ['/admin/trunks', 'Go to trunks'],
  model: ['/admin/models', 'Go to models'],
  turns: ['/calls?outcome=agent_failed', 'Go to the calls that failed'],
  webhooks: ['/webhooks', 'Go to your webhooks'],
};
const TONES: Record<Check['state'], Tone> = { ok: 'good', warning: 'warn', failing: 'bad' };
const WORDS: Record<Check['state'], string> = { ok: 'OK', warning: 'Warning', failing: 'Failing' };
const SUMMARIES: Record<Check['state'], string> = {
  ok: 'Everything is working.',
  warning: 'The service works, but something needs attention.',
  failing: 'Something is not working.',
};
const SEVERITY: ReadonlyArray<Check['state']> = ['failing', 'warning'];

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A model's subject already contains its kind: `voice: flite`. */
function titleOf({ name, subject }: Check): string {
  if (subject === null) return NAMES[name];
  return name === 'model' ? capitalized(subject) : `${NAMES[name]}: ${subject}`;
}

export default function StatusPage() {
  const status = useApi('getStatus', {}, { everyMs: EVERY_MS });
  return (
    <Page title="Status" lead="The whole installation, checked every five seconds.">
      <Answer of={status}>
        {({ data: { state, checkedAt, mails, calls, learned, checks } }) => {
          const faults = SEVERITY.flatMap((severity) => checks.filter((check) => check.state === severity));
          return (
            <>
              <Notice tone={TONES[state]}>
                <strong>{SUMMARIES[state]}</strong>
              </Notice>
              {faults.map((check) => (
                <Fault key={titleOf(check)} check={check} />
              ))}
              {mails === 'file' && (
                <Notice>
                  No mail server is set: invitations and codes are files in <code>DATA_DIR/outbox</code> and reach
                  nobody by themselves. Set <code>SMTP_URL</code>, and <code>MAIL_FROM</code> to an address that it may
                  send for.
                </Notice>
              )}
              {calls !== null && <Capacity calls={calls} />}
              {learned.length > 0 && <RefusedByServer learned={learned} onForgotten={status.reload} />}
              <Table
                label="Checks"
                rows={checks}
                keyOf={titleOf}
                columns={[
                  { title: 'Check', cell: titleOf },
                  { title: 'State', cell: (check) => <Badge tone={TONES[check.state]}>{WORDS[check.state]}</Badge> },
                ]}
              />
              <p class="small soft">Checked at {formatTime(checkedAt)}</p>
            </>
          );
        }}
      </Answer>
    </Page>
  );
}

function Capacity({ calls: { now, max, limit } }: { calls: NonNullable<Status['calls']> }) {
  return (
    <Card title="Calls now">
      <Figures figures={[['Ringing and answered', <Share key="share" now={now} max={max} />]]} />
      {limit !== null && <p class="small">{limit.message}.</p>}
      <p class="small soft">
        The most at a time is <code>MAX_CALLS</code>; unset, it follows from the cores and from the measured cost of the
        engines that listen and speak on this machine: <a href="docs/capacity.md">docs/capacity.md</a>.
      </p>
    </Card>
  );
}

function Share({ now, max }: { now: number; max: number }) {
  return (
    <>
      {formatNumber(now)} <small>of {formatNumber(max)} at a time</small>
    </>
  );
}

function Fault({ check }: { check: Check }) {
  const page = PAGES[check.name];
  return (
    <Card title={titleOf(check)} actions={<Badge tone={TONES[check.state]}>{WORDS[check.state]}</Badge>}>
      {check.message !== null && <p>{capitalized(check.message)}.</p>}
      {check.remedy !== null && (
        <p class="soft">
          <Remedy text={check.remedy} />
        </p>
      )}
      {page !== undefined && (
        <div>
          <ButtonLink isSmall href={link(page[0])}>
            {page[1]}
          </ButtonLink>
        </div>
      )}
    </Card>
  );
}
