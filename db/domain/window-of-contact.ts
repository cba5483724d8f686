// A campaign's window applied to a contact: in the campaign's own zone if it names one, else where the number rings.

import { OpeningBook } from './calling-window.ts';
import type { CallingWindow } from './campaign-defaults.ts';
import { zonesOfNumber } from './number-zones.ts';

const openings = new OpeningBook();

/**
 * When the contact may be called, at or after `fromMs`: `fromMs` itself while its window is open, null if the number's
 * zones share no open hour in any week.
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
