// The port behind which numbers come from. The built-in one sells what an ADMIN put into stock; a carrier with an API
// is another file with the same functions. None of them is ever called with a database transaction open.
import type { PhoneNumberTable } from '../../db/schema/phone-numbers.ts';

export interface CarrierQuery {
  /** ISO 3166-1 alpha-2. */
  country: string;
  areaCode?: string;
  type?: PhoneNumberTable['type'];
  /** All of them must be there. */
  capabilities: readonly string[];
}

export interface CarrierNumber {
  phoneNumber: string;
  country: string;
  areaCode: string | null;
  type: PhoneNumberTable['type'];
  capabilities: string[];
  /** Dollars a month. */
  monthlyCost: number;
  /** Ms since the epoch: until then it is kept for the account that asked. */
  reservedUntil: number;
  /** The trunk that the number comes in by, where that is known. */
  trunkId: string | null;
}

export interface Carrier {
  readonly name: string;
  /** Up to 50 free numbers, each reserved for the account. */
  search(accountId: string, query: CarrierQuery, nowMs: number): Promise<CarrierNumber[]>;
  /**
   * Renews the reservation of one number before money is taken for it. `again`: a purchase that this account began
   * before continues, so a reservation that has expired since may be taken again.
   * @throws {CarrierError}
   */
  hold(accountId: string, phoneNumber: string, options: { nowMs: number; again: boolean }): Promise<CarrierNumber>;
  /**
   * Orders a number that is held. Called again with the same `reference` (after a crash) it must not order twice.
   * @throws {CarrierError}
   */
  order(accountId: string, phoneNumber: string, reference: string): Promise<void>;
  /** Ends a reservation early: the number is on offer again. */
  releaseReservation(accountId: string, phoneNumber: string): Promise<void>;
}

/** `UNKNOWN`: no such number; `TAKEN`: not reserved for this account; `UNAVAILABLE`: the carrier does not answer. */
export type CarrierErrorCode = 'CARRIER_NUMBER_UNKNOWN' | 'CARRIER_NUMBER_TAKEN' | 'CARRIER_UNAVAILABLE';

export class CarrierError extends Error {
  readonly code: CarrierErrorCode;
  constructor(code: CarrierErrorCode, message: string) {
    super(message);
    this.name = 'CarrierError';
    this.code = code;
  }
}
