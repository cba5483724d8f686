// The API of a connected account, with its key in plain text for as long as a request takes.
import type { CarrierKind } from '../../../db/domain/numbers/carrier-kinds.ts';
import { unreachable } from '../../../db/domain/unexpected.ts';
import { type CarrierRow, carrierKeyContext } from '../../../db/queries/numbers/carriers.ts';
import type { TextParts } from '../../../db/schema/conversations.ts';
import { unseal } from '../../../db/shared/secrets/secret-box.ts';
import { CarrierError } from '../carrier.ts';
import type { CarrierApi, KeyForm, SignedRequest, TextEvent } from './carrier-api.ts';
import { PLIVO_KEY, plivoApi } from './plivo.ts';
import { readPlivo } from './plivo-texts.ts';
import { TELNYX_KEY, telnyxApi } from './telnyx.ts';
import { readTelnyx } from './telnyx-texts.ts';
import { TWILIO_KEY, twilioApi } from './twilio.ts';
import { readTwilio } from './twilio-texts.ts';

export const KEY_FORMS: Readonly<Record<CarrierKind, KeyForm>> = {
  twilio: TWILIO_KEY,
  telnyx: TELNYX_KEY,
  plivo: PLIVO_KEY,
};

export interface CarrierKeys {
  secretKey: Buffer;
  /** See `ApiConfig.carrierApiBase`. */
  apiBase: string | null;
}

/** @throws {CarrierError} where the key was sealed with the key of another DATA_DIR */
export function openCarrier(row: CarrierRow, { secretKey, apiBase }: CarrierKeys): CarrierApi {
  return apiOf(row.kind, row.keyId ?? '', keyOf(row, secretKey), apiBase);
}

/** The news that a request tells; null: the carrier did not sign it. @throws {CarrierError} as `openCarrier` */
export function readText(
  row: CarrierRow,
  keys: CarrierKeys,
  request: Omit<SignedRequest, 'key' | 'parts'>,
): TextEvent | null {
  const parts = JSON.parse(row.textParts ?? '{}') as TextParts;
  return READ[row.kind]({ ...request, parts, key: keyOf(row, keys.secretKey) });
}

const READ: Readonly<Record<CarrierKind, (request: SignedRequest) => TextEvent | null>> = {
  twilio: readTwilio,
  telnyx: readTelnyx,
  plivo: readPlivo,
};

function keyOf({ id, keySealed }: CarrierRow, secretKey: Buffer): string {
  try {
    return unseal(secretKey, carrierKeyContext(id), keySealed);
  } catch {
    throw new CarrierError('CARRIER_KEY_REFUSED', 'the key cannot be opened: enter it again');
  }
}

function apiOf(kind: CarrierKind, keyId: string, key: string, base: string | null): CarrierApi {
  switch (kind) {
    case 'twilio':
      return twilioApi(keyId, key, base);
    case 'telnyx':
      return telnyxApi(key, base);
    case 'plivo':
      return plivoApi(keyId, key, base);
    default:
      return unreachable(kind);
  }
}
