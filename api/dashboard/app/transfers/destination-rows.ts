// Persons to whom the agent may hand a caller, as rows of a form, and back to a body.
import type { WeekdayHours } from '../../../../db/domain/hours/opening-hours.ts';
import { RING_SECONDS } from '../../../../db/domain/numbers/transfer-destinations.ts';
import type { Business, UpdateBusinessBody } from '../api-types.ts';

type Destination = Business['destinations'][number];

export interface DestinationRow extends Omit<Destination, 'hours' | 'extensionDigits' | 'ringSeconds' | 'order'> {
  hours: WeekdayHours[];
  /** Empty: none. */
  extensionDigits: string;
  /** Null: the usual time. */
  ringSeconds: number | null;
  /** Null: its place in the list. */
  order: number | null;
}

export const freshDestination = (): DestinationRow => ({
  name: '',
  description: '',
  target: '',
  hours: [],
  extensionDigits: '',
  mode: 'brief',
  accept: 'key',
  after: 'leave',
  ringSeconds: RING_SECONDS.usual,
  order: null,
});

export const destinationRows = (destinations: readonly Destination[]): DestinationRow[] =>
  destinations.map((each) => ({ ...each, hours: each.hours ?? [], extensionDigits: each.extensionDigits ?? '' }));

export const destinationsOf = (rows: readonly DestinationRow[]): NonNullable<UpdateBusinessBody['destinations']> =>
  rows.map(({ hours, extensionDigits, ringSeconds, order, ...row }) => ({
    ...row,
    hours: hours.length === 0 ? null : hours,
    extensionDigits: extensionDigits.trim() === '' ? null : extensionDigits.trim(),
    ringSeconds: ringSeconds ?? RING_SECONDS.usual,
    ...(order === null ? {} : { order }),
  }));

/** Fields that another way of handing over changes too: nobody is asked where the caller's side calls the person. */
export const withMode = (row: DestinationRow, mode: Destination['mode']): Partial<DestinationRow> => {
  if (mode === 'blind') return { mode, accept: 'none', after: 'leave', extensionDigits: '' };
  return mode === 'brief' && row.mode !== 'brief' && row.accept === 'none' ? { mode, accept: 'key' } : { mode };
};
