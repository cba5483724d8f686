// The results of a call after its end: the values and criteria that its business and its campaign asked for.
import type { ComponentChildren } from 'preact';
import type { Call } from '../../api-types.ts';
import { formatName } from '../../calls/result-columns.tsx';
import { formatDateTime, formatPercent, formatWord } from '../../format.ts';
import { Badge, Card, Facts, type Tone } from '../../ui/layout.tsx';
import { t, words } from '../../words/words.ts';

type Analysis = NonNullable<Call['analysis']>;

export function CallResults({ call: { analysis, score, disposition } }: { call: Call }) {
  if (analysis === null) return null;
  const { data, reasons, criteria, by, analysedAt } = analysis;
  return (
    <Card title={t('Results')}>
      <Facts
        facts={[
          [t('Disposition'), disposition === null ? null : formatWord(disposition)],
          [t('Score'), score === null ? null : formatPercent(score)],
          ...Object.entries(data)
            // It stands above.
            .filter(([name, value]) => name !== 'disposition' || typeof value !== 'string')
            .map(([name, value]): [string, ComponentChildren] => [
              formatName(name),
              <Value key={name} value={value} reason={reasons[name]} />,
            ]),
        ]}
      />
      <Criteria criteria={criteria} />
      <p class="small soft">
        {by === 'model'
          ? t('Found by the language model, {time}', { time: formatDateTime(analysedAt) })
          : t('Found by the built-in receptionist, {time}', { time: formatDateTime(analysedAt) })}
      </p>
    </Card>
  );
}

/** The service's own, where there is nothing to say; a model's reasons are in its words. */
const REASONS: readonly string[] = [
  words('The call does not say it.'),
  words('Without a language model this is not known.'),
];
const saidReason = (reason: string): string => (REASONS.includes(reason) ? t(reason) : reason);

function Value({ value, reason }: { value: unknown; reason: string | undefined }) {
  if (value === null || value === undefined)
    return <span class="soft">{reason === undefined ? t('Not known') : saidReason(reason)}</span>;
  return (
    <>
      {typeof value === 'boolean'
        ? value
          ? t('Yes')
          : t('No')
        : typeof value === 'string'
          ? value
          : JSON.stringify(value)}
      {reason !== undefined && <div class="small soft">{saidReason(reason)}</div>}
    </>
  );
}

function verdictOf(isMet: boolean | null): { tone: Tone; text: string } {
  if (isMet === null) return { tone: 'neutral', text: t('Not told') };
  return isMet ? { tone: 'good', text: t('Met') } : { tone: 'bad', text: t('Not met') };
}

function Criteria({ criteria }: Pick<Analysis, 'criteria'>) {
  const entries = Object.entries(criteria);
  if (entries.length === 0) return null;
  return (
    <ul class="results" aria-label={t('Criteria')}>
      {entries.map(([name, isMet]) => {
        const { tone, text } = verdictOf(isMet);
        return (
          <li key={name} class="row spread">
            <span>{formatName(name)}</span> <Badge tone={tone}>{text}</Badge>
          </li>
        );
      })}
    </ul>
  );
}
