// The result of each row of a file: rows with a problem first, because the user must act on them.
import { useState } from 'preact/hooks';
import type { Column } from '../../../../../db/domain/contacts/contact-columns.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/layout.tsx';
import { Table } from '../../ui/table.tsx';
import { t } from '../../words/words.ts';
import type { ContactRow } from './contacts-csv.ts';

const SHOWN = 20;

export function CsvRows({ rows, columns }: { rows: readonly ContactRow[]; columns: readonly Column[] }) {
  const [areAllShown, setAllShown] = useState(false);
  const faulty = rows.filter(({ problem }) => problem !== null);
  const repeated = rows.filter(({ sameAs }) => sameAs !== null);
  const good = rows.filter(({ problem, sameAs }) => problem === null && sameAs === null);
  const ordered = [...faulty, ...repeated, ...good];
  const shown = ordered.slice(0, areAllShown ? SHOWN * 25 : SHOWN);
  return (
    <div class="stack tight">
      <div class="row">
        <Badge tone="good">{t('{count} good', { count: formatNumber(good.length) })}</Badge>
        {repeated.length > 0 && (
          <Badge tone="warn">{t('{count} repeated, merged', { count: formatNumber(repeated.length) })}</Badge>
        )}
        {faulty.length > 0 && (
          <Badge tone="bad">{t('{count} with a problem, left out', { count: formatNumber(faulty.length) })}</Badge>
        )}
      </div>
      <Table
        label={t('What becomes of the rows')}
        rows={shown}
        keyOf={({ line }) => String(line)}
        columns={[
          { title: t('Line'), isNumber: true, cell: ({ line }) => formatNumber(line) },
          {
            title: t('Phone number'),
            cell: ({ contact, cells }) =>
              contact?.phoneNumber ?? cells[columns.findIndex(({ target }) => target === 'phoneNumber')] ?? '',
          },
          { title: t('Name'), cell: ({ contact }) => contact?.name ?? '' },
          {
            title: t('Variables'),
            cell: ({ contact }) =>
              Object.entries(contact?.variables ?? {})
                .map(([name, value]) => `${name}: ${value}`)
                .join(', '),
          },
          {
            title: t('Problem'),
            cell: ({ problem, sameAs }) =>
              problem !== null ? (
                <span class="fault">{problem}</span>
              ) : sameAs !== null ? (
                <span class="soft">{t('Same number as line {line}: merged', { line: formatNumber(sameAs) })}</span>
              ) : (
                ''
              ),
          },
        ]}
      />
      {ordered.length > shown.length && (
        <div class="row small soft">
          {t('{count} more lines', { count: formatNumber(ordered.length - shown.length) })}
          {!areAllShown && (
            <Button isSmall onClick={() => setAllShown(true)}>
              {t('Show more')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
