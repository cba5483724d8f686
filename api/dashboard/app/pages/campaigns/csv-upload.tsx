// Contacts from a CSV file: choice of columns, faults of rows, then sending in batches.

import { useEffect, useMemo, useState } from 'preact/hooks';
import {
  type Column,
  columnsFault,
  guessColumns,
  type Target,
} from '../../../../../db/domain/contacts/contact-columns.ts';
import { messageOf } from '../../../../../db/domain/unexpected.ts';
import type { Campaign } from '../../api-types.ts';
import { loadPhoneReader, type PhoneReader } from '../../phone-reader.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Select } from '../../ui/fields/field.tsx';
import { FileField } from '../../ui/fields/file-field.tsx';
import { Card, Notice } from '../../ui/layout.tsx';
import { t, words } from '../../words/words.ts';
import { likelyCountry } from '../../zones.ts';
import { readContacts } from './contacts-csv.ts';
import { type CsvTable, readCsv } from './csv-file.ts';
import { CsvRows } from './csv-rows.tsx';
import { CsvSending } from './csv-sending.tsx';

const TARGETS: ReadonlyArray<[Target, string]> = [
  ['phoneNumber', words('Phone number')],
  ['name', words('Name')],
  ['email', words('E-mail address')],
  ['variable', words('Variable')],
  ['metadata', words('Metadata')],
  ['skip', words('Leave out')],
];

interface UploadProps {
  campaign: Campaign;
  /** Contacts were added. */
  onSent: () => void;
  onClose: () => void;
}

export function CsvUpload(props: UploadProps) {
  const [table, setTable] = useState<CsvTable | null>(null);
  const [reader, setReader] = useState<PhoneReader | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const open = async (file: File) => {
    setFault(null);
    try {
      const [read, phones] = await Promise.all([readCsv(file), loadPhoneReader()]);
      setReader(phones);
      setTable(read);
    } catch (problem) {
      setFault(messageOf(problem));
    }
  };
  return (
    <Card
      title={table === null ? t('Upload contacts') : table.fileName}
      actions={
        table === null && (
          <Button isSmall onClick={props.onClose}>
            {t('Cancel')}
          </Button>
        )
      }
    >
      {fault !== null && <Notice tone="bad">{fault}</Notice>}
      {table === null || reader === null ? (
        <FileField
          label={t('Drop a CSV file here, or choose one')}
          hint={t(
            'A line a contact, any order of columns. Comma, semicolon or tab. You see what becomes of it before anything is sent.',
          )}
          accept=".csv,.tsv,.txt,text/csv"
          onChange={(file) => void open(file)}
        />
      ) : (
        <Mapping {...props} table={table} reader={reader} onOther={() => setTable(null)} />
      )}
    </Card>
  );
}

function Mapping({
  campaign,
  table,
  reader,
  onOther,
  onSent,
  onClose,
}: UploadProps & { table: CsvTable; reader: PhoneReader; onOther: () => void }) {
  const [country, setCountry] = useState(likelyCountry);
  const [hasHeader, setHeader] = useState(() => !looksLikeContact(table.rows[0], reader, country));
  const headers = useMemo(
    () => (table.rows[0] ?? []).map((text, index) => (hasHeader ? text : t('Column {number}', { number: index + 1 }))),
    [table, hasHeader],
  );
  const [columns, setColumns] = useState<Column[]>(() => guessed(headers, table, reader, country));
  useEffect(() => setColumns(guessed(headers, table, reader, country)), [headers]);
  const problem = columnsFault(columns);
  const toE164 = useMemo(() => remembered((text) => reader.toE164(text, country)), [reader, country]);
  const from = <T,>(all: readonly T[]): readonly T[] => (hasHeader ? all.slice(1) : all);
  const rows = useMemo(
    () => readContacts(from(table.rows), columns, toE164, from(table.lines)),
    [table, hasHeader, columns, toE164],
  );
  const [isSending, setSending] = useState(false);
  if (isSending)
    return (
      <CsvSending
        campaign={campaign}
        headers={headers}
        rows={rows}
        fileName={table.fileName}
        onSent={onSent}
        onClose={onClose}
      />
    );
  return (
    <>
      <div class="columns">
        <Select
          label={t("Numbers without a country's code are from")}
          hint={t('Those that begin with + or 00 keep their own.')}
          value={country}
          choices={reader.countries}
          onChange={setCountry}
        />
        <Checkbox label={t('The first line has the names of the columns')} value={hasHeader} onChange={setHeader} />
      </div>
      <ColumnChoices columns={columns} rows={hasHeader ? table.rows.slice(1) : table.rows} onChange={setColumns} />
      {problem !== null ? <Notice tone="warn">{problem}</Notice> : <CsvRows rows={rows} columns={columns} />}
      <div class="row">
        <Button
          look="primary"
          disabled={problem !== null || rows.every(({ contact }) => contact === null)}
          onClick={() => setSending(true)}
        >
          {t('Add {count} contacts', { count: rows.filter(({ contact }) => contact !== null).length })}
        </Button>
        <Button onClick={onOther}>{t('Another file')}</Button>
        <Button onClick={onClose}>{t('Cancel')}</Button>
      </div>
    </>
  );
}

function ColumnChoices({
  columns,
  rows,
  onChange,
}: {
  columns: readonly Column[];
  rows: ReadonlyArray<readonly string[]>;
  onChange: (columns: Column[]) => void;
}) {
  return (
    <div class="csv-columns">
      {columns.map((column, index) => (
        <Select
          key={`${index} ${column.header}`}
          label={column.header === '' ? t('Column {number}', { number: index + 1 }) : column.header}
          hint={
            column.target === 'variable' ? (
              <>
                {t('Said as')} <code>{`{{${column.key}}}`}</code>
              </>
            ) : column.target === 'metadata' ? (
              t('Comes back on the call as {key}, never said', { key: column.key })
            ) : (
              (rows.find((row) => row[index]?.trim())?.[index]?.slice(0, 60) ?? t('empty'))
            )
          }
          value={column.target}
          choices={TARGETS.map(([value, text]) => ({ value, text: t(text) }))}
          onChange={(target) => onChange(columns.map((each, at) => (at === index ? { ...each, target } : each)))}
        />
      ))}
    </div>
  );
}

/** Caches results: a number takes about 20 µs, and each choice of a column reads all rows again. */
function remembered(read: (text: string) => string | null): (text: string) => string | null {
  const known = new Map<string, string | null>();
  return (text) => {
    const answer = known.get(text);
    if (answer !== undefined) return answer;
    const found = read(text);
    known.set(text, found);
    return found;
  };
}

const looksLikeContact = (row: readonly string[] | undefined, reader: PhoneReader, country: string): boolean =>
  (row ?? []).some((text) => reader.toE164(text, country) !== null);

/** Guesses columns by names and values; without a phone column, by what the country's numbers look like. */
function guessed(headers: readonly string[], table: CsvTable, reader: PhoneReader, country: string): Column[] {
  const columns = guessColumns(headers, table.rows.slice(1));
  if (columns.some(({ target }) => target === 'phoneNumber')) return columns;
  const found = headers.findIndex((_, index) =>
    table.rows.slice(0, 5).some((row) => reader.toE164(row[index] ?? '', country) !== null),
  );
  return columns.map((column, index) => (index === found ? { ...column, target: 'phoneNumber' } : column));
}
