// Time zones of a request: one that is none is answered with 422 on its field.
import { IANAZone } from 'luxon';

/** The error text for any other text. */
export const NOT_A_ZONE = 'must be an IANA zone name, e.g. America/New_York';

/** A zone of the IANA database, not a bare offset. */
export const isZone = (name: string): boolean => /^[A-Za-z]/.test(name) && IANAZone.isValidZone(name);
