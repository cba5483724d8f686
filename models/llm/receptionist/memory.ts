// The receptionist's memory between two turns. The reply returns it as plain JSON, and the next request has it only if
// the turn was committed, so an unused reply leaves no trace.

/** The last reply's question, so that a short answer ("yes", "at ten") can be matched to it. */
export type Pending =
  | 'nothing'
  | 'anything-else'
  | 'service'
  | 'staff'
  | 'day'
  | 'time'
  | 'name'
  | 'confirm'
  | 'offer-person'
  | 'offer-booking'
  | 'callback'
  | 'change-which'
  | 'change-when'
  | 'reminder'
  | 'reminder-no'
  | 'still-there';

export interface Booking {
  service: string | null;
  /** With whom, a name of the business's; null: anybody. */
  staff: string | null;
  /** The caller was asked for it and is not asked again. */
  staffAsked: boolean;
  /** Local date, yyyy-MM-dd. */
  day: string | null;
  /** Minutes since local midnight. */
  minutes: number | null;
  /** Set if no exact time was named. */
  dayPart: 'morning' | 'afternoon' | 'evening' | 'any' | null;
  name: string | null;
  /** The caller was asked for a name and is not asked again. */
  nameAsked: boolean;
  /** Free starts near the wanted time, ISO with offset; null before they were looked up. */
  slots: string[] | null;
}

/** An appointment of the caller's own that is to be moved or cancelled. */
export interface OwnChange {
  kind: 'cancel' | 'move';
  /** As they were found, the next first. */
  found: Array<{ id: string; startsAt: string; service: string | null }>;
  /** The one that is meant. */
  index: number;
  /** Local date to which it is moved, and minutes since midnight. */
  day: string | null;
  minutes: number | null;
}

export interface Memory {
  /** Replies so far: varies the wording, numbers the tool calls. */
  turn: number;
  pending: Pending;
  /** Turns in a row that were not understood. */
  missed: number;
  booking: Booking | null;
  change: OwnChange | null;
  /** When the caller is to be called back, ISO with offset: asked of the tool, or proposed; null: neither. */
  callback: string | null;
  /** The last reply, for "pardon?". */
  said: string;
}

export const EMPTY_BOOKING: Booking = {
  service: null,
  staff: null,
  staffAsked: false,
  day: null,
  minutes: null,
  dayPart: null,
  name: null,
  nameAsked: false,
  slots: null,
};

const EMPTY_MEMORY: Memory = {
  turn: 0,
  pending: 'nothing',
  missed: 0,
  booking: null,
  change: null,
  callback: null,
  said: '',
};

/** Reads the returned memory. Anything else (first turn, another model's memory) counts as empty. */
export function readMemory(value: unknown): Memory {
  if (value === null || typeof value !== 'object' || !('receptionist' in value)) return EMPTY_MEMORY;
  const kept = value.receptionist;
  if (kept === null || typeof kept !== 'object') return EMPTY_MEMORY;
  return { ...EMPTY_MEMORY, ...kept };
}

/** The memory in the form of `readMemory`: its own key distinguishes it from another model's memory. */
export function writeMemory(memory: Memory): { receptionist: Memory } {
  return { receptionist: memory };
}
