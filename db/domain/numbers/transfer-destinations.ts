// Persons to whom a caller may be handed, and in which order they are called. The file
// reachable-destinations.ts says who is reachable when.
import type { WeekdayHours } from '../hours/opening-hours.ts';

/** `blind`: the caller's side calls the person, where it can; `announce`: they hear who calls; `brief`: and why. */
export const TRANSFER_MODES = ['blind', 'announce', 'brief'] as const;
export type TransferMode = (typeof TRANSFER_MODES)[number];

/** How the person takes the call; `none`: by staying on the line. */
export const TRANSFER_ACCEPTS = ['key', 'voice', 'none'] as const;
export type TransferAccept = (typeof TRANSFER_ACCEPTS)[number];

/** The agent's part once both are joined; `stay`: it listens, and has the caller again when the person hangs up. */
export const TRANSFER_AFTERS = ['leave', 'stay'] as const;
type TransferAfter = (typeof TRANSFER_AFTERS)[number];

/** Results of one try to hand the caller to a person. */
export const TRANSFER_RESULTS = [
  /** The caller was joined with them, or their side took the caller over. */
  'accepted',
  'declined',
  'busy',
  'no_answer',
  /** Voicemail, a menu, a service that screens calls. */
  'machine',
  /** They hung up before they had decided. */
  'hung_up',
  /** They said nothing that decides. */
  'silent',
  /** They may not be called, or could not be. */
  'failed',
  /** Another person took the call, the caller hung up, or the engine died. */
  'withdrawn',
] as const;
export type TransferResult = (typeof TRANSFER_RESULTS)[number];

/** As stored. */
export interface TransferDestination {
  name: string;
  /** Says when the agent is to choose it. */
  description: string;
  /** E.164, or `sip:USERNAME` for a softphone of the account. */
  target: string;
  /** In the business's time zone; null: at any hour. */
  hours: WeekdayHours[] | null;
  /** Sent after the answer, `w` for half a second; null: none. */
  extensionDigits: string | null;
  mode: TransferMode;
  accept: TransferAccept;
  after: TransferAfter;
  ringSeconds: number;
  /** Persons of one order ring at once, the ones of the next order after them. */
  order: number;
}

export const DESTINATIONS_MAX = 50;
/** A caller's call has so many legs of persons at a time. */
export const RING_AT_ONCE_MAX = 5;
export const RING_SECONDS = { min: 5, max: 120, usual: 25 } as const;
export const DESTINATION_ORDER_MAX = 100;

/** The lists as stored: a campaign's counts, unless it is empty. */
export function destinationsIn(campaign: { destinations: string }, business: { destinations: string }) {
  const own = storedDestinations(campaign.destinations);
  return own.length > 0 ? own : storedDestinations(business.destinations);
}

/** A column's list. An earlier release wrote no `after`. */
export function storedDestinations(json: string): TransferDestination[] {
  if (json === '[]') return [];
  const stored = JSON.parse(json) as Array<Omit<TransferDestination, 'after'> & { after?: TransferAfter }>;
  return stored.map((each) => ({ ...each, after: each.after ?? 'leave' }));
}

/** How a name is compared: people and models differ in case and blanks. */
export const destinationKey = (name: string): string =>
  name.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase();

/**
 * Plans the calls in rounds: persons of the chosen one's order at once, then the next order's. Without a choice it
 * begins with the first order. Empty: nobody may be called, or nobody of that name.
 */
export function ringPlan(destinations: readonly TransferDestination[], chosen: string | null): TransferDestination[][] {
  const wanted =
    chosen === null ? null : destinations.find(({ name }) => destinationKey(name) === destinationKey(chosen));
  if (wanted === undefined) return [];
  const orders = [...new Set(destinations.map(({ order }) => order))].sort((a, b) => a - b);
  return orders
    .filter((order) => wanted === null || order >= wanted.order)
    .map((order) => {
      const round = destinations.filter((each) => each.order === order);
      // Whom the caller asked for is among those that ring, even if the order has more than may.
      const first = wanted === null || wanted.order !== order ? [] : [wanted];
      return [...first, ...round.filter((each) => !first.includes(each))].slice(0, RING_AT_ONCE_MAX);
    });
}
