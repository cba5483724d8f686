// A calling window that is always open, whatever the local time of the machine.
import { WEEKDAYS } from '../../../db/domain/hours/weekdays.ts';

export const ALWAYS_OPEN = { timezone: 'UTC', days: [...WEEKDAYS], start: '00:00', end: '23:59' };
