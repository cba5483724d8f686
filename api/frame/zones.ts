// Time zones of a request.
import { IANAZone } from 'luxon';

/** A zone of the IANA database, not a bare offset. */
export const isZone = (name: string): boolean => /^[A-Za-z]/.test(name) && IANAZone.isValidZone(name);
