// The port of a source of numbers as accounts buy from it, with reservations: `inventory.ts` sells the ADMIN's stock,
// `connected.ts` also the numbers of accounts at vendors, whose own APIs are the port `api/carrier-api.ts`. None of its
// functions is called inside a database transaction.
import type { Readable } from 'node:stream';
import type { PortStatus } from '../../db/domain/port-order.ts';
import type { PhoneNumberTable, PortDocumentTable } from '../../db/schema/lines/phone-numbers.ts';

export interface CarrierQuery {
  /** ISO 3166-1 alpha-2. */
  country: string;
  areaCode?: string;
  type?: PhoneNumberTable['type'];
  /** The number must have all of them. */
  capabilities: readonly string[];
}

/** In the currency of the account at the carrier. */
export interface CarrierPrice {
  monthly: number;
  setup: number;
  /** ISO 4217. */
  currency: string;
}

export interface CarrierNumber {
  phoneNumber: string;
  country: string;
  areaCode: string | null;
  type: PhoneNumberTable['type'];
  capabilities: string[];
  /** Dollars a month. */
  monthlyCost: number;
  /** End of the account's reservation, ms since the epoch. */
  reservedUntil: number;
  /** The number's inbound trunk, if known. */
  trunkId: string | null;
  /** As a carrier with an API says, for ADMINs; null: of the stock. */
  carrierPrice: CarrierPrice | null;
}

export interface NewPort {
  reference: string;
  accountId: string;
  phoneNumber: string;
  accountHolder: string;
  /** ISO date. */
  loaSignedAt: string;
}

/** An order to port a number in. Every function is called again after a crash, and must do nothing twice. */
export interface CarrierPorts {
  /**
   * A second call with the same `reference` creates no second order.
   * @throws {CarrierError} `CARRIER_PORT_REFUSED` with the reason: the order is rejected
   */
  create(order: NewPort): Promise<void>;
  /** One of a kind replaces the earlier one. @throws {CarrierError} */
  addDocument(
    reference: string,
    document: { id: string; kind: PortDocumentTable['kind']; fileName: string; contentType: string; body: Readable },
  ): Promise<void>;
  /** Null: this carrier does not say, and an ADMIN moves the order. @throws {CarrierError} */
  status(reference: string): Promise<CarrierPortState | null>;
  /** Of an order that it does not know, or that is over: nothing. @throws {CarrierError} */
  cancel(reference: string): Promise<void>;
}

export interface CarrierPortState {
  status: Exclude<PortStatus, 'DRAFT'>;
  /** Why it was rejected. */
  reason?: string;
  /** ISO date: the day to which the losing carrier has committed. */
  focDate?: string;
  /** Where the number is, once it is completed: its release is told there. */
  at?: { carrierId: string; trunkId: string };
}

export interface Carrier {
  readonly name: string;
  readonly ports: CarrierPorts;
  /** Up to 50 free numbers, each reserved for the account. */
  search(accountId: string, query: CarrierQuery, nowMs: number): Promise<CarrierNumber[]>;
  /**
   * Renews the reservation of one number before the payment. `again`: a purchase that this account began before
   * continues, so it may take an expired reservation again.
   * @throws {CarrierError}
   */
  hold(accountId: string, phoneNumber: string, options: { nowMs: number; again: boolean }): Promise<CarrierNumber>;
  /**
   * Orders a held number. A second call with the same `reference` (after a crash) must not order twice.
   * @throws {CarrierError}
   */
  order(accountId: string, phoneNumber: string, reference: string): Promise<void>;
  /**
   * Ends a reservation early: the number is offered again. Anything that `order` was asked for with this reference is
   * given back, unless the number is ordered again before.
   */
  releaseReservation(accountId: string, phoneNumber: string, reference: string): Promise<void>;
  /**
   * Gives a bought number back for ever: its rent ends. Asked before the account loses the number, and perhaps again:
   * a number that is given back already is no error. Calls on it go on.
   * @throws {CarrierError}
   */
  release(accountId: string, phoneNumber: string): Promise<void>;
  /** Whether a bought number is still there: asked where the answer to `release` was lost. @throws {CarrierError} */
  has(phoneNumber: string): Promise<boolean>;
}

/**
 * `UNKNOWN`: no such number; `FREE`: nobody has reserved it; `TAKEN`: another account has it; `UNAVAILABLE`: the
 * carrier does not answer; `KEY_REFUSED`: nor does it with our key; `REFUSED`: it does not do what was asked, and the
 * message has its words; `BUSY`: we have asked it too often; `PORT_REFUSED`: it does not take the port order.
 */
type CarrierErrorCode =
  | 'CARRIER_NUMBER_UNKNOWN'
  | 'CARRIER_NUMBER_FREE'
  | 'CARRIER_NUMBER_TAKEN'
  | 'CARRIER_UNAVAILABLE'
  | 'CARRIER_KEY_REFUSED'
  | 'CARRIER_REFUSED'
  | 'CARRIER_BUSY'
  | 'CARRIER_PORT_REFUSED';

export class CarrierError extends Error {
  readonly code: CarrierErrorCode;
  /** False: the carrier has said that it did nothing, and may be asked the same again. */
  readonly mayBeDone: boolean;
  constructor(code: CarrierErrorCode, message: string, { mayBeDone = true }: { mayBeDone?: boolean } = {}) {
    super(message);
    this.name = 'CarrierError';
    this.code = code;
    this.mayBeDone = mayBeDone;
  }
}
