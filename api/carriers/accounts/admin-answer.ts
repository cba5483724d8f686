// A carrier's refusal as an ADMIN reads it: in the carrier's own words.
import { unreachable } from '../../../db/domain/unexpected.ts';
import { refused } from '../../frame/errors.ts';
import { CarrierError } from '../carrier.ts';
import { carrierDown } from '../carrier-calls.ts';

/** The error answer; any other error unchanged. */
export function adminAnswer(error: unknown): unknown {
  if (!(error instanceof CarrierError)) return error;
  switch (error.code) {
    case 'CARRIER_UNAVAILABLE':
      return carrierDown();
    case 'CARRIER_KEY_REFUSED':
    case 'CARRIER_REFUSED':
    case 'CARRIER_BUSY':
    case 'CARRIER_NUMBER_UNKNOWN':
    case 'CARRIER_NUMBER_FREE':
    case 'CARRIER_NUMBER_TAKEN':
    case 'CARRIER_PORT_REFUSED':
      return refused('CARRIER_REFUSED', `The carrier refuses it: ${error.message}`);
    default:
      return unreachable(error.code);
  }
}
