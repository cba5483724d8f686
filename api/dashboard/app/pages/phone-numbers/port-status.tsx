// The states of a port-in order, in words for its account and for an admin.
import type { PortOrder } from '../../api-types.ts';
import { formatDate } from '../../format.ts';
import { History, type HistoryStep } from '../../ui/history.tsx';
import { Badge, type Tone } from '../../ui/layout.tsx';

export type PortStatus = PortOrder['status'];

export const PORT_WORDS: Record<PortStatus, string> = {
  DRAFT: 'Documents missing',
  SUBMITTED: 'Submitted',
  IN_REVIEW: 'In review',
  FOC_SCHEDULED: 'Date agreed',
  COMPLETED: 'Completed',
  REJECTED: 'Rejected',
  CANCELLED: 'Cancelled',
};
const TONES: Record<PortStatus, Tone> = {
  DRAFT: 'warn',
  SUBMITTED: 'live',
  IN_REVIEW: 'live',
  FOC_SCHEDULED: 'live',
  COMPLETED: 'good',
  REJECTED: 'bad',
  CANCELLED: 'neutral',
};
const PATH: readonly PortStatus[] = ['DRAFT', 'SUBMITTED', 'IN_REVIEW', 'FOC_SCHEDULED', 'COMPLETED'];

/** Where an order may go from each state. */
export const NEXT_STATUSES: Record<PortStatus, readonly PortStatus[]> = {
  DRAFT: ['CANCELLED'],
  SUBMITTED: ['IN_REVIEW', 'REJECTED', 'CANCELLED'],
  IN_REVIEW: ['FOC_SCHEDULED', 'REJECTED', 'CANCELLED'],
  FOC_SCHEDULED: ['COMPLETED', 'REJECTED', 'CANCELLED'],
  COMPLETED: [],
  REJECTED: [],
  CANCELLED: [],
};

export const isUnderWay = (status: PortStatus): boolean => NEXT_STATUSES[status].length > 0;

export function PortBadge({ status }: { status: PortStatus }) {
  return <Badge tone={TONES[status]}>{PORT_WORDS[status]}</Badge>;
}

/** What has happened, and while the order is under way what is still to come. */
export function PortHistory({ order }: { order: PortOrder }) {
  return <History label="History of the order" steps={stepsOf(order)} />;
}

export function stepsOf({ statusHistory, status, focDate }: Pick<PortOrder, 'statusHistory' | 'status' | 'focDate'>) {
  const past = statusHistory.map(
    (entry): HistoryStep => ({
      title: entry.status === 'DRAFT' ? 'Started' : PORT_WORDS[entry.status],
      at: entry.at,
      tone: TONES[entry.status],
      ...(entry.reason === undefined ? {} : { text: entry.reason }),
    }),
  );
  const ahead = isUnderWay(status) ? PATH.slice(PATH.indexOf(status) + 1) : [];
  return [
    ...past,
    ...ahead.map(
      (next): HistoryStep => ({
        title: PORT_WORDS[next],
        at: null,
        ...(next === 'COMPLETED' && focDate !== null ? { text: `Agreed for ${formatDate(focDate)}` } : {}),
      }),
    ),
  ];
}
