// The states of an order to port a number in, and how one follows another. The service moves orders by it, and the
// dashboard offers its moves.

export const PORT_STATUSES = [
  'DRAFT',
  'SUBMITTED',
  'IN_REVIEW',
  'FOC_SCHEDULED',
  'COMPLETED',
  'REJECTED',
  'CANCELLED',
] as const;
export type PortStatus = (typeof PORT_STATUSES)[number];

/** Every move that the service makes. */
export const NEXT_PORT_STATUSES: Readonly<Record<PortStatus, readonly PortStatus[]>> = {
  DRAFT: ['SUBMITTED', 'CANCELLED'],
  SUBMITTED: ['IN_REVIEW', 'REJECTED', 'CANCELLED'],
  IN_REVIEW: ['FOC_SCHEDULED', 'REJECTED', 'CANCELLED'],
  FOC_SCHEDULED: ['COMPLETED', 'REJECTED', 'CANCELLED'],
  COMPLETED: [],
  REJECTED: [],
  CANCELLED: [],
};

export const isOpenPort = (status: PortStatus): boolean => NEXT_PORT_STATUSES[status].length > 0;

/** A carrier works on it. */
export const isWithCarrier = (status: PortStatus): boolean => isOpenPort(status) && status !== 'DRAFT';

/**
 * The moves that an admin chooses from. SUBMITTED is none of them: an order is submitted by its second document, and a
 * request to submit one without both is refused.
 */
export const portMovesByHand = (status: PortStatus): readonly PortStatus[] =>
  NEXT_PORT_STATUSES[status].filter((next) => next !== 'SUBMITTED');
