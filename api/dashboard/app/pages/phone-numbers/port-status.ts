// The states of a port-in order, in words for its account and for an admin.
import { isOpenPort, PORT_STATUSES, type PortStatus } from '../../../../../db/domain/port-order.ts';
import type { PortOrder } from '../../api-types.ts';
import { formatDay } from '../../format.ts';
import type { HistoryStep } from '../../ui/history.tsx';
import type { Tone } from '../../ui/layout.tsx';
import { t, words } from '../../words/words.ts';

export const PORT_WORDS: Record<PortStatus, string> = {
  DRAFT: words('Documents missing'),
  SUBMITTED: words('Submitted'),
  IN_REVIEW: words('In review'),
  FOC_SCHEDULED: words('Date agreed'),
  COMPLETED: words('Completed'),
  REJECTED: words('Rejected'),
  CANCELLED: words('Cancelled'),
};
export const PORT_TONES: Record<PortStatus, Tone> = {
  DRAFT: 'warn',
  SUBMITTED: 'live',
  IN_REVIEW: 'live',
  FOC_SCHEDULED: 'live',
  COMPLETED: 'good',
  REJECTED: 'bad',
  CANCELLED: 'neutral',
};
const PATH = PORT_STATUSES.filter((status) => isOpenPort(status) || status === 'COMPLETED');

/** The past steps and, for an open order, the coming ones. */
export function stepsOf({ statusHistory, status, focDate }: Pick<PortOrder, 'statusHistory' | 'status' | 'focDate'>) {
  const past = statusHistory.map(
    (entry): HistoryStep => ({
      title: entry.status === 'DRAFT' ? t('Started') : t(PORT_WORDS[entry.status]),
      at: entry.at,
      tone: PORT_TONES[entry.status],
      ...(entry.reason === undefined ? {} : { text: entry.reason }),
    }),
  );
  const ahead = isOpenPort(status) ? PATH.slice(PATH.indexOf(status) + 1) : [];
  return [
    ...past,
    ...ahead.map(
      (next): HistoryStep => ({
        title: t(PORT_WORDS[next]),
        at: null,
        ...(next === 'COMPLETED' && focDate !== null
          ? { text: t('Scheduled for {day}', { day: formatDay(focDate) }) }
          : {}),
      }),
    ),
  ];
}
