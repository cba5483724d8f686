// Opening hours in bodies and records.

import { Type } from 'typebox';
import { WEEKDAYS } from '../../db/domain/hours/weekdays.ts';
import { oneOf } from '../frame/envelope-schema.ts';
import { CLOCK_TIME, patterned } from '../frame/patterns.ts';

export const Hours = Type.Object(
  {
    day: oneOf(WEEKDAYS),
    open: Type.String({ pattern: CLOCK_TIME, description: 'HH:MM' }),
    close: Type.String({
      pattern: patterned(
        '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
        'must be a time of day as HH:MM, for example 17:30, or 24:00',
      ),
      description: 'HH:MM; smaller than open: past midnight; 24:00 is midnight; 00:00 to 00:00: around the clock',
    }),
  },
  { additionalProperties: false },
);

export const HoursRecord = Type.Object({ day: oneOf(WEEKDAYS), open: Type.String(), close: Type.String() });
