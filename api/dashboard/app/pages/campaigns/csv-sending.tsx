// Sends the valid rows, shows the progress, and finally the result of each row.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Campaign } from '../../api-types.ts';
import { type ApiError, call } from '../../client.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { Badge, Notice, Progress } from '../../ui/layout.tsx';
import { ErrorNotice } from '../../ui/status.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { faultOf } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { type ContactRow, csvOf, isSendable } from './contacts-csv.ts';
import { type UploadedRow, uploadContacts } from './contacts-upload.ts';

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function CsvSending({
  campaign,
  headers,
  rows,
  fileName,
  onSent,
  onClose,
}: {
  campaign: Campaign;
  headers: readonly string[];
  rows: readonly ContactRow[];
  fileName: string;
  onSent: () => void;
  onClose: () => void;
}) {
  const sendable = rows.filter(isSendable);
  const [done, setDone] = useState<readonly UploadedRow[]>([]);
  const [error, setError] = useState<ApiError | null>(null);
  const [isSending, setSending] = useState(true);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const sent = useRef<UploadedRow[]>([]);
  const isGone = useRef(false);
  useUnsaved(isSending, { of: 'tab', text: t('Contacts that are not sent yet are not added.') });
  const go = async () => {
    setSending(true);
    setError(null);
    const lines = new Set(sent.current.map(({ row }) => row.line));
    const left = sendable.filter(({ line }) => !lines.has(line));
    try {
      await uploadContacts(
        left,
        async (contacts) => {
          if (isGone.current) throw new DOMException('left', 'AbortError');
          const { data, warnings: given } = await call('addContacts', {
            params: { id: campaign.id },
            body: { contacts },
          });
          if (given !== undefined) setWarnings(given);
          return data;
        },
        (uploaded) => {
          sent.current.push(...uploaded);
          setDone([...sent.current]);
        },
        wait,
      );
    } catch (fault) {
      if (!isGone.current) setError(faultOf(fault));
    }
    setSending(false);
    onSent();
  };
  useEffect(() => {
    void go();
    return () => {
      isGone.current = true;
    };
  }, []);
  const countOf = (result: UploadedRow['result']) => done.filter((each) => each.result === result).length;
  const unread = rows.filter(({ problem }) => problem !== null);
  const refused = unread.length + countOf('refused');
  return (
    <div class="stack">
      <Progress label={t('Contacts sent')} value={done.length} max={sendable.length} />
      <div class="row" role="status">
        <span>
          {isSending
            ? t('{done} of {total} sent', { done: formatNumber(done.length), total: formatNumber(sendable.length) })
            : error === null
              ? t('All sent')
              : t('Stopped after {done} of {total}', {
                  done: formatNumber(done.length),
                  total: formatNumber(sendable.length),
                })}
        </span>
        <Badge tone="good">{t('{count} added', { count: formatNumber(countOf('added')) })}</Badge>
        {countOf('merged') > 0 && (
          <Badge tone="warn">{t('{count} merged', { count: formatNumber(countOf('merged')) })}</Badge>
        )}
        {refused > 0 && <Badge tone="bad">{t('{count} left out', { count: formatNumber(refused) })}</Badge>}
      </div>
      {warnings.map((warning) => (
        <Notice tone="warn" key={warning}>
          {warning}
        </Notice>
      ))}
      <ErrorNotice error={error} onRetry={() => void go()} />
      {!isSending && (
        <div class="row">
          <Button look="primary" onClick={onClose}>
            {t('Done')}
          </Button>
          <Button onClick={() => download(csvFile(resultsCsv(done, unread)), `results-${fileName}`)}>
            {t('Download the results')}
          </Button>
          {refused > 0 && (
            <Button onClick={() => download(csvFile(leftOutCsv(headers, done, unread)), `left-out-${fileName}`)}>
              {t('Download what was left out')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

const csvFile = (text: string): Blob => new Blob([text], { type: 'text/csv;charset=utf-8' });

function resultsCsv(done: readonly UploadedRow[], unread: readonly ContactRow[]): string {
  const lines = [
    ...done.map(({ row, result, reason }) => ({ line: row.line, number: row.contact.phoneNumber, result, reason })),
    ...unread.map(({ line, problem }) => ({ line, number: '', result: 'left out', reason: problem ?? '' })),
  ].sort((a, b) => a.line - b.line);
  return csvOf([
    ['line', 'phoneNumber', 'result', 'reason'],
    ...lines.map(({ line, number, result, reason }) => [String(line), number, result, reason]),
  ]);
}

/** The left-out rows unchanged, with their reasons: to be corrected and uploaded again. */
function leftOutCsv(headers: readonly string[], done: readonly UploadedRow[], unread: readonly ContactRow[]): string {
  const lines = [
    ...done
      .filter(({ result }) => result === 'refused')
      .map(({ row, reason }) => ({ line: row.line, cells: row.cells, reason })),
    ...unread.map(({ line, cells, problem }) => ({ line, cells, reason: problem ?? '' })),
  ].sort((a, b) => a.line - b.line);
  return csvOf([[...headers, 'problem'], ...lines.map(({ cells, reason }) => [...cells, reason])]);
}
