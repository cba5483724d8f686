// Changes of a business by which the service writes to people from then on: a token needs the scope `call` for them.
import type { BusinessTable } from '../../db/schema/businesses.ts';
import type { Auth } from '../frame/app.ts';
import { checkMayTell } from '../notices/rules.ts';
import { checkMayText } from './appointment-texts.ts';
import type { BusinessPatch } from './schema.ts';

/** `current`: as it is read; all of that may be sent back. @throws {ApiError} 403 */
export function checkMayReach(
  auth: Auth,
  { appointmentTexts, notify }: Pick<BusinessPatch, 'appointmentTexts' | 'notify'>,
  current: Pick<BusinessTable, 'appointmentTexts' | 'notify'>,
): void {
  checkMayText(auth, appointmentTexts, current.appointmentTexts);
  checkMayTell(auth, notify, current.notify);
}
