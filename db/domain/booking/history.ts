// An appointment's history: how it was moved, cancelled and booked again, and on which way. It names nobody.

/** `call`: by a caller; `client`: by the API or the dashboard; `calendar`: in a calendar that is connected. */
export const CHANGED_BY = ['call', 'client', 'calendar'] as const;
type ChangedBy = (typeof CHANGED_BY)[number];

export interface AppointmentChange {
  at: string;
  by: ChangedBy;
  /** As it was before. */
  startsAt: string;
  status: 'booked' | 'cancelled';
  resource: string | null;
}

/** The newest are kept. */
const CHANGES_MAX = 50;

interface Kept {
  startsAt: number;
  status: 'booked' | 'cancelled';
  resource: string | null;
  sequence: number;
  history: string;
}

export const storedHistory = (json: string): AppointmentChange[] =>
  json === '[]' ? [] : (JSON.parse(json) as AppointmentChange[]);

/** The columns that note a change of this appointment; `before`: as it is still. */
export function changeNoted(before: Kept, by: ChangedBy, nowMs: number): Pick<Kept, 'sequence' | 'history'> {
  const { status, resource } = before;
  const startsAt = new Date(before.startsAt).toISOString();
  const change: AppointmentChange = { at: new Date(nowMs).toISOString(), by, startsAt, status, resource };
  const history = [...storedHistory(before.history), change].slice(-CHANGES_MAX);
  return { sequence: before.sequence + 1, history: JSON.stringify(history) };
}
