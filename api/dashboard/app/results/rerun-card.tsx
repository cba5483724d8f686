// Calls of the past, read again for what is wanted now: begin it, see how far it is, cancel it, see what failed.

import { useEffect, useState } from 'preact/hooks';
import * as LIMITS from '../api-limits.ts';
import type { Operations } from '../api-operations.ts';
import { endOfDay, startOfDay } from '../calls/local-days.ts';
import { call } from '../client.ts';
import { formatNumber } from '../format.ts';
import { link } from '../router.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox, NumberField, TextField } from '../ui/fields/field.tsx';
import { Card, Notice, Progress } from '../ui/layout.tsx';
import { Time } from '../ui/time.tsx';
import { attempt } from '../ui/toast.tsx';
import { useApi } from '../use-api.ts';
import { t, words } from '../words/words.ts';

const RENEWED_EVERY_MS = 2_000;
/** Somebody else may begin one. */
const IDLE_EVERY_MS = 20_000;
const SHOWN_FAILURES = 10;

type Rerun = Operations['getRerun']['answer']['data'];

const WORDS: Record<Rerun['status'], string> = {
  RUNNING: words('Under way'),
  COMPLETED: words('Done'),
  CANCELLED: words('Cancelled'),
  FAILED: words('Given up'),
};

/** `hasChanges`: what is on the page is not saved, so calls would be read for what was saved before. */
export function RerunCard({
  businessId,
  campaignId,
  hasChanges,
}: {
  businessId: string;
  campaignId?: string;
  hasChanges: boolean;
}) {
  const [isFollowed, setFollowed] = useState(false);
  const list = useApi(
    'listReruns',
    { params: { id: businessId }, query: { page: 1, limit: 1 } },
    { everyMs: isFollowed ? RENEWED_EVERY_MS : IDLE_EVERY_MS },
  );
  const latest = list.answer?.data[0];
  const isRunning = latest?.status === 'RUNNING';
  useEffect(() => setFollowed(isRunning), [isRunning]);
  return (
    <Card title={t('Calls of the past')}>
      <p class="small soft">
        {t(
          'Have calls read again after you have changed what you want to know. New results take the place of the old ones; a call that fails keeps what it has.',
        )}
      </p>
      {latest !== undefined && <Latest key={latest.id} rerun={latest} onChange={list.reload} />}
      {!isRunning && (
        <Begin businessId={businessId} campaignId={campaignId} hasChanges={hasChanges} onBegun={list.reload} />
      )}
    </Card>
  );
}

function Begin({
  businessId,
  campaignId,
  hasChanges,
  onBegun,
}: {
  businessId: string;
  campaignId: string | undefined;
  hasChanges: boolean;
  onBegun: () => void;
}) {
  const [from, setFrom] = useState('');
  const [limit, setLimit] = useState<number | null>(1_000);
  const [missingOnly, setMissingOnly] = useState(false);
  const [webhooks, setWebhooks] = useState(false);
  const [to, setTo] = useState('');
  const [isBusy, setBusy] = useState(false);
  const begin = async (): Promise<void> => {
    setBusy(true);
    const startDate = startOfDay(from);
    const endDate = endOfDay(to);
    const body = {
      ...(campaignId === undefined ? {} : { campaignId }),
      ...(startDate === undefined ? {} : { startDate }),
      ...(endDate === undefined ? {} : { endDate }),
      ...(limit === null ? {} : { limit }),
      missingOnly,
      webhooks,
    };
    await attempt(() => call('startRerun', { params: { id: businessId }, body }));
    setBusy(false);
    onBegun();
  };
  return (
    <div class="stack tight">
      <div class="filters">
        <TextField label={t('First day')} type="date" value={from} max={to || undefined} onChange={setFrom} />
        <TextField label={t('Last day')} type="date" value={to} min={from || undefined} onChange={setTo} />
        <NumberField
          label={t('At most')}
          value={limit}
          onChange={setLimit}
          limits={LIMITS.StartRerunBody.limit}
          inputMode="numeric"
        />
      </div>
      <Checkbox label={t('Only calls without results')} value={missingOnly} onChange={setMissingOnly} />
      <Checkbox label={t('Tell webhooks of each (call.analysed)')} value={webhooks} onChange={setWebhooks} />
      {hasChanges && <Notice tone="warn">{t('Save first: calls are read for what is saved.')}</Notice>}
      <div>
        <Button isBusy={isBusy} disabled={hasChanges} onClick={() => void begin()}>
          {t('Read calls again')}
        </Button>
      </div>
    </div>
  );
}

function Latest({ rerun, onChange }: { rerun: Rerun; onChange: () => void }) {
  const { id, businessId, status, total, done, failed, error, createdAt } = rerun;
  const isRunning = status === 'RUNNING';
  return (
    <div class="stack tight">
      <div class="row spread">
        <span>
          {t(WORDS[status])}:{' '}
          {t('{done} of {total} calls have new results', { done: formatNumber(done), total: formatNumber(total) })}
          {failed > 0 && `, ${t('{count} failed', { count: formatNumber(failed) })}`}
        </span>
        {isRunning ? (
          <Button
            isSmall
            onClick={() =>
              void attempt(() => call('cancelRerun', { params: { id: businessId, rerunId: id } })).then(onChange)
            }
          >
            {t('Cancel')}
          </Button>
        ) : (
          <span class="small soft">
            {t('Begun')} <Time at={createdAt} />
          </span>
        )}
      </div>
      {total > 0 && <Progress label={t('Calls read again')} value={done + failed} max={total} />}
      {error !== null && <Notice tone="bad">{error}</Notice>}
      {failed > 0 && <Failures rerun={rerun} />}
    </div>
  );
}

function Failures({ rerun: { id, businessId, failed } }: { rerun: Rerun }) {
  const { answer } = useApi('getRerun', { params: { id: businessId, rerunId: id } }, { everyMs: RENEWED_EVERY_MS });
  const failures = answer?.data.failures.slice(0, SHOWN_FAILURES) ?? [];
  return (
    <details class="small">
      <summary>{t('What failed')}</summary>
      <ul>
        {failures.map(({ callId, reason }) => (
          <li key={callId}>
            <a href={link(`/calls/${callId}`)}>{callId}</a>: {reason}
          </li>
        ))}
      </ul>
      {failed > failures.length && failures.length > 0 && (
        <p class="soft">{t('The newest of {count}.', { count: formatNumber(failed) })}</p>
      )}
    </details>
  );
}
