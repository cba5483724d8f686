// The defaults of a campaign: its limits and its calling window.
import { WEEKDAYS, type Weekday } from './hours/weekdays.ts';

export const CAMPAIGN_DEFAULTS = { maxConcurrentCalls: 5, maxAttempts: 3, retryDelayMinutes: 60 } as const;

export interface CallingWindow {
  /** IANA zone; by default the recipient's own, from the number. */
  timezone?: string | null;
  days: Weekday[];
  /** HH:MM; an `end` smaller than `start` runs past midnight. */
  start: string;
  end: string;
}

export const DEFAULT_CALLING_WINDOW: CallingWindow = {
  timezone: null,
  days: [...WEEKDAYS],
  start: '09:00',
  end: '20:00',
};
