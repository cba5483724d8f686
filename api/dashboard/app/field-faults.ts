// Faults that a form finds before it sends anything, in the shape of the service's own.
import { ApiError, type FieldFault } from './client.ts';
import { t } from './words/words.ts';

export const fieldFaults = (faults: readonly FieldFault[]): ApiError =>
  new ApiError(422, 'VALIDATION_FAILED', t('Some fields are not as they should be'), faults, null);

/** @throws {ApiError} if there are faults */
export function refuseFaults(faults: readonly FieldFault[]): void {
  if (faults.length > 0) throw fieldFaults(faults);
}
