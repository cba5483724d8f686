// The states of a port-in order, in words for its account and for an admin.
import { isOpenPort, PORT_STATUSES, type PortStatus } from '../../../../../db/domain/port-order.ts';
import type { PortOrder } from '../../api-types.ts';
import { formatDay } from '../../format.ts';
import type { HistoryStep } from '../../ui/history.tsx';
import type { Tone } from '../../ui/layout.tsx';

export const PORT_WORDS: Record<PortStatus, string> = {
  DRAFT: 'Documents missing',
  SUBMITTED: 'Submitted',
  IN_REVIEW: 'In review',
  FOC_SCHEDULED: 'Date agreed',
  COMPLETED: 'Completed',
  REJECTED: 'Rejected',
  CANCELLED: 'Cancelled',
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
      title: entry.status === 'DRAFT' ? 'Started' : PORT_WORDS[entry.status],
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
        title: PORT_WORDS[next],
        at: null,
        ...(next === 'COMPLETED' && focDate !== null ? { text: `Scheduled for ${formatDay(focDate)}` } : {}),
      }),
    ),
  ];
}
