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
import { formatAmount, KIND_NAMES, PURPOSE_NAMES } from '../costs/cost-words.ts';

export function CallCost({ call: { id, cost, endedAt } }: { call: Call }) {
  if (cost === null) return endedAt === null || session.value?.user.role !== 'ADMIN' ? null : <NoCost />;
  const amount = (part: string | null) => (part === null ? null : formatAmount(part, cost.currency));
  return (
    <Card title="Cost">
      <Facts
        facts={[
          ['Total', <strong key="total">{formatAmount(cost.total, cost.currency)}</strong>],
          ['Language model', amount(cost.llm)],
          ['Recogniser', amount(cost.stt)],
          ['Voice', amount(cost.tts)],
          ['Trunk', amount(cost.trunk)],
        ]}
      />
      {cost.partial && <p class="small soft">Something that was used has no price, and is not in the total.</p>}
      {cost.estimated && <p class="small soft">A part is reckoned, as nobody tells it.</p>}
      <Lines id={id} total={cost.total} currency={cost.currency} />
    </Card>
  );
}

const NoCost = () => (
  <p class="small soft">
    This call has no cost. Calls that begin after <a href={link('/admin/costs', { tab: 'prices' })}>prices</a> were
    written down have one.
  </p>
);

function Lines({ id, total, currency }: { id: string; total: string | null; currency: string | null }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Line by line</summary>
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
          label="Cost, line by line"
          rows={data.lines.map((line, index) => ({ ...line, index }))}
          keyOf={({ index }) => String(index)}
          columns={[
            { title: 'What', cell: (line) => <What of={line} /> },
            { title: 'Used', cell: usedText },
            { title: 'Amount', isNumber: true, cell: ({ amount }) => formatAmount(amount, currency) },
          ]}
        />
      )}
    </Answer>
  );
}

function What({ of: { kind, purpose, engine, model, direction } }: { of: CostLine }) {
  const more = [purpose === 'call' ? null : PURPOSE_NAMES[purpose], model ?? engine, direction];
  return (
    <span class="stack tight">
      <span>{KIND_NAMES[kind]}</span>
      <span class="small soft">{more.filter((part) => part !== null).join(' · ')}</span>
    </span>
  );
}

function usedText(line: CostLine): string {
  const { kind, seconds, billedSeconds, characters, inputTokens, cachedTokens, outputTokens } = line;
  const parts: string[] = [];
  if (kind === 'trunk') parts.push(formatDuration(billedSeconds ?? Math.ceil(seconds)));
  else if (seconds > 0) parts.push(formatDuration(Math.ceil(seconds)));
  if (characters > 0) parts.push(`${formatNumber(characters)} characters`);
  if (inputTokens > 0)
    parts.push(
      `${formatNumber(inputTokens)} tokens in${cachedTokens > 0 ? `, ${formatNumber(cachedTokens)} cached` : ''}`,
    );
  if (outputTokens > 0) parts.push(`${formatNumber(outputTokens)} out`);
  return `${line.estimated ? 'about ' : ''}${parts.join(', ')}`;
}
