// One changed field: its value before and after, the items that a list lost and got, or the words of a long text.
import { useAll } from '../use-all.ts';
import { t } from '../words/words.ts';
import { differenceOf } from './differences.ts';
import { fieldName } from './field-names.ts';
import { shortened, type Words } from './words.ts';

interface ChangeProps {
  field: string;
  from: unknown;
  to: unknown;
  words?: Words;
}

export function Change({ field, from, to, words }: ChangeProps) {
  return (
    <div class="change">
      <strong>{fieldName(field)}</strong>
      {words !== undefined ? (
        <ChangedWords words={words} />
      ) : field === 'toolIds' ? (
        <Tools from={from} to={to} />
      ) : (
        <Values from={from} to={to} />
      )}
      {(isCompound(from) || isCompound(to)) && (
        <details class="small soft">
          <summary>{t('As it is stored')}</summary>
          <pre class="prompt">{[from, to].map((value) => JSON.stringify(value, null, 2)).join('\n→\n')}</pre>
        </details>
      )}
    </div>
  );
}

/** By their names; one that is deleted has its id alone. */
function Tools({ from, to }: { from: unknown; to: unknown }) {
  const tools = useAll('listTools').answer;
  const named = (ids: unknown): unknown =>
    Array.isArray(ids) ? ids.map((id: unknown) => tools?.find((tool) => tool.id === id)?.name ?? id) : ids;
  return <Values from={named(from)} to={named(to)} />;
}

const isCompound = (value: unknown): boolean => typeof value === 'object' && value !== null;

function Values({ from, to }: { from: unknown; to: unknown }) {
  const difference = differenceOf(from, to);
  if (difference.kind === 'record')
    return (
      <>
        {difference.changes.map((change) => (
          <span key={change.field}>
            {fieldName(change.field)}: <Values from={change.from} to={change.to} />
          </span>
        ))}
      </>
    );
  if (difference.kind === 'value') {
    return (
      <span>
        {difference.from !== null && (
          <>
            <del>{difference.from}</del> →{' '}
          </>
        )}
        <ins>{difference.to}</ins>
      </span>
    );
  }
  return (
    <>
      {difference.out.map((line) => (
        <del key={line}>{line}</del>
      ))}
      {difference.into.map((line) => (
        <ins key={line}>{line}</ins>
      ))}
      {difference.out.length + difference.into.length === 0 && <span class="soft">{t('in another order')}</span>}
    </>
  );
}

const ChangedWords = ({ words }: { words: Words }) => (
  <span class="words">
    {shortened(words).map(({ text, is }, at) =>
      is === 'gone' ? (
        <del key={at}>{text}</del>
      ) : is === 'new' ? (
        <ins key={at}>{text}</ins>
      ) : (
        <span key={at}>{text}</span>
      ),
    )}
  </span>
);
