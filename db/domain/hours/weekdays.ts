// The days of a week by their names in the interface, Monday first.

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export function isWeekday(word: string): word is Weekday {
  return (WEEKDAYS as readonly string[]).includes(word);
}

/** 0 for Monday. */
export const indexOfDay = (day: Weekday): number => WEEKDAYS.indexOf(day);
