// Columns of what was found of calls.
import type { Call } from '../api-types.ts';
import { formatPercent, formatWord } from '../format.ts';
import type { Column } from '../ui/table.tsx';
import { t } from '../words/words.ts';

/** Longer texts are cut: the call's page has them whole. */
const TEXT_MAX = 80;

/** `offered_appointment` and `offeredAppointment` as "Offered appointment". */
export const formatName = (name: string): string => formatWord(name.replace(/([a-z0-9])([A-Z])/g, '$1 $2'));

/** @param name `score`, `disposition` or `data.NAME` */
export function resultColumn(name: string): Column<Call> {
  if (name === 'score') {
    return {
      title: t('Score'),
      isNumber: true,
      cell: ({ score }) => (score === null ? '' : formatPercent(score)),
    };
  }
  if (name === 'disposition') {
    return {
      title: t('Disposition'),
      cell: ({ disposition }) => (disposition === null ? '' : formatWord(disposition)),
    };
  }
  const output = name.replace(/^data\./, '');
  return { title: formatName(output), cell: ({ analysis }) => valueText(analysis?.data[output]) };
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX - 1)}…` : text;
}
