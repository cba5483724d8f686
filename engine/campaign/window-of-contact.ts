// Ties a campaign's window to a contact's number: in the campaign's own zone where it names one, else where the number rings.
import type { CallingWindow } from '../../db/resources.ts';
import { OpeningBook } from './calling-window.ts';
import { zonesOfNumber } from './number-zones.ts';

const openings = new OpeningBook();

/**
 * When the contact may be called, at or after `fromMs`; `fromMs` itself while its window is open, null when the zones of
 * the number leave no common hour in any week.
 */
export function nextCallableAt(
  window: CallingWindow,
  phoneNumber: string,
  fallbackZone: string,
  fromMs: number,
): number | null {
  const zones = window.timezone ? [window.timezone] : zonesOfNumber(phoneNumber, fallbackZone);
  return openings.next(window, zones, fromMs);
}
