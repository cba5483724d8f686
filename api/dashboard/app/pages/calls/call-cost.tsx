// The cost of a call to the installation: its parts, and each line with what was used.
import { useState } from 'preact/hooks';
import type { Call, CostLine } from '../../api-types.ts';
import { formatDuration, formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { session } from '../../session.ts';
import { Card, Facts } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { useApi } from '../../use-api.ts';
import { Linked } from '../../words/linked.tsx';
import { t } from '../../words/words.ts';
import { formatAmount, KIND_NAMES, PURPOSE_NAMES } from '../costs/cost-words.ts';

export function CallCost({ call: { id, cost, endedAt } }: { call: Call }) {
  if (cost === null) return endedAt === null || session.value?.user.role !== 'ADMIN' ? null : <NoCost />;
  const amount = (part: string | null) => (part === null ? null : formatAmount(part, cost.currency));
  return (
    <Card title={t('Cost')}>
      <Facts
        facts={[
          [t('Total'), <strong key="total">{formatAmount(cost.total, cost.currency)}</strong>],
          [t('Language model'), amount(cost.llm)],
          [t('Recogniser'), amount(cost.stt)],
          [t('Voice'), amount(cost.tts)],
          [t('Trunk'), amount(cost.trunk)],
        ]}
      />
      {cost.partial && <p class="small soft">{t('Something that was used has no price, and is not in the total.')}</p>}
      {cost.estimated && <p class="small soft">{t('A part is reckoned, as nobody tells it.')}</p>}
      <Lines id={id} total={cost.total} currency={cost.currency} />
    </Card>
  );
}

const NoCost = () => (
  <p class="small soft">
    <Linked
      text={t('This call has no cost. Calls that begin after [prices] were written down have one.')}
      to={[link('/admin/costs', { tab: 'prices' })]}
    />
  </p>
);

function Lines({ id, total, currency }: { id: string; total: string | null; currency: string | null }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('Line by line')}</summary>
      {isOpen && <Loaded key={total} id={id} currency={currency} />}
    </details>
  );
}

function Loaded({ id, currency }: { id: string; currency: string | null }) {
  const cost = useApi('getCallCost', { params: { id } });
  return (
    <Answer of={cost}>
      {({ data }) => (
        <Table
          label={t('Cost, line by line')}
          rows={data.lines.map((line, index) => ({ ...line, index }))}
          keyOf={({ index }) => String(index)}
          columns={[
            { title: t('What'), cell: (line) => <What of={line} /> },
            { title: t('Used'), cell: usedText },
            { title: t('Amount'), isNumber: true, cell: ({ amount }) => formatAmount(amount, currency) },
          ]}
        />
      )}
    </Answer>
  );
}

function What({ of: { kind, purpose, engine, model, direction } }: { of: CostLine }) {
  const more = [purpose === 'call' ? null : t(PURPOSE_NAMES[purpose]), model ?? engine, direction];
  return (
    <span class="stack tight">
      <span>{t(KIND_NAMES[kind])}</span>
      <span class="small soft">{more.filter((part) => part !== null).join(' · ')}</span>
    </span>
  );
}

function usedText(line: CostLine): string {
  const { kind, seconds, billedSeconds, characters, inputTokens, cachedTokens, outputTokens } = line;
  const parts: string[] = [];
  if (kind === 'trunk') parts.push(formatDuration(billedSeconds ?? Math.ceil(seconds)));
  else if (seconds > 0) parts.push(formatDuration(Math.ceil(seconds)));
  if (characters > 0) parts.push(t('{count} characters', { count: formatNumber(characters) }));
  if (inputTokens > 0) parts.push(t('{count} tokens in', { count: formatNumber(inputTokens) }));
  if (cachedTokens > 0) parts.push(t('{count} cached', { count: formatNumber(cachedTokens) }));
  if (outputTokens > 0) parts.push(t('{count} out', { count: formatNumber(outputTokens) }));
  return line.estimated ? t('about {used}', { used: parts.join(', ') }) : parts.join(', ');
}
