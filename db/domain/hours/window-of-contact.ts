// A campaign's window applied to a contact: in the campaign's own zone if it names one, else where the number rings.

import type { CallingWindow } from '../campaign-defaults.ts';
import { zonesOfNumber } from '../numbers/number-zones.ts';
import { OpeningBook } from './calling-window.ts';

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

/**
 * The same for many contacts of one campaign at one moment: numbers of one region share the list of their zones, and
 * are asked about once.
 */
export function callableAt(
  window: CallingWindow,
  fallbackZone: string,
  fromMs: number,
): (phoneNumber: string) => number | null {
  const { timezone } = window;
  if (timezone) {
    const at = openings.next(window, [timezone], fromMs);
    return () => at;
  }
  const known = new Map<readonly string[], number | null>();
  return (phoneNumber) => {
    const zones = zonesOfNumber(phoneNumber, fallbackZone);
    const at = known.get(zones);
    if (at !== undefined) return at;
    const found = openings.next(window, zones, fromMs);
    known.set(zones, found);
    return found;
  };
}
