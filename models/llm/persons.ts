// Whom the agent may hand a caller to at this hour.
import { reachableAt } from '../../db/domain/numbers/reachable-destinations.ts';
import { destinationKey, type TransferDestination } from '../../db/domain/numbers/transfer-destinations.ts';
import type { DialogueBusiness } from './llm.ts';

type WithPersons = Pick<DialogueBusiness, 'transferNumber' | 'destinations' | 'timezone'>;

/** Destinations that may be called now. */
export const reachablePersons = ({ destinations = [], timezone }: WithPersons, nowMs: number): TransferDestination[] =>
  reachableAt(destinations, { timezone, nowMs });

/** Whether there is anybody: one of them, or the number of last resort. */
export const canHandOver = (business: WithPersons, nowMs: number): boolean =>
  business.transferNumber !== null || reachablePersons(business, nowMs).length > 0;

export function personNamed(persons: readonly TransferDestination[], name: string): TransferDestination | undefined {
  return persons.find((each) => destinationKey(each.name) === destinationKey(name));
}
