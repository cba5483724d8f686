// What the receptionist remembers between two turns. It goes out with the reply as plain JSON and comes back only if
// the turn was committed, so an unused reply leaves no trace.

/** What the last reply asked, so that a short answer ("yes", "at ten") can be matched to its question. */
export type Pending =
  | 'nothing'
  | 'anything-else'
  | 'service'
  | 'day'
  | 'time'
  | 'name'
  | 'confirm'
  | 'offer-person'
  | 'offer-booking'
  | 'still-there';

export interface Booking {
  service: string | null;
  /** Local date, yyyy-MM-dd. */
  day: string | null;
  /** Minutes since local midnight. */
  minutes: number | null;
  /** When no exact time was named. */
  dayPart: 'morning' | 'afternoon' | 'evening' | 'any' | null;
  name: string | null;
  /** The caller was asked for a name and need not be again. */
  nameAsked: boolean;
  /** Free starts near the wanted time, ISO with offset; null before they were looked up. */
  slots: string[] | null;
}

export interface Memory {
  /** Replies so far: varies the wording, numbers the tool calls. */
  turn: number;
  pending: Pending;
  /** Turns in a row that were not understood. */
  missed: number;
  booking: Booking | null;
  /** The last thing that was said, for "pardon?". */
  said: string;
}

export const EMPTY_BOOKING: Booking = {
  service: null,
  day: null,
  minutes: null,
  dayPart: null,
  name: null,
  nameAsked: false,
  slots: null,
};

const EMPTY_MEMORY: Memory = { turn: 0, pending: 'nothing', missed: 0, booking: null, said: '' };

/** Reads the memory that came back. Anything else (first turn, another model's memory) counts as empty. */
export function readMemory(value: unknown): Memory {
  if (value === null || typeof value !== 'object' || !('receptionist' in value)) return EMPTY_MEMORY;
  const kept = value.receptionist;
  if (kept === null || typeof kept !== 'object') return EMPTY_MEMORY;
  return { ...EMPTY_MEMORY, ...kept };
}

/** The memory as `readMemory` reads it: under a key of its own, so that another model's is not mistaken for it. */
export function writeMemory(memory: Memory): { receptionist: Memory } {
  return { receptionist: memory };
}
