// How the pages name the person of an appointment.
import type { Appointment } from '../../api-types.ts';
import { t } from '../../words/words.ts';

export const whoOf = ({ name, phone }: Pick<Appointment, 'name' | 'phone'>): string =>
  name ?? phone ?? t('an unknown caller');
