// The port of a vendor's API, one file a vendor: what an account there can be asked. `Carrier` of `carrier.ts` is what
// stands on it and knows of reservations. Each function is made of a few requests, each with a deadline, and does
// nothing twice where it is called again after a crash or an answer that was lost.

import type { TextParts } from '../../../db/schema/conversations.ts';
import type { PhoneNumberTable, PortDocumentTable } from '../../../db/schema/lines/phone-numbers.ts';
import type { TrunkBody } from '../../trunks/schema.ts';
import type { CarrierPortState, CarrierPrice, CarrierQuery, NewPort } from '../carrier.ts';

/** How a carrier's key looks, by the names that it gives to it: a wrong half is told before anybody is asked. */
export interface KeyForm {
  /** Null: it has none. */
  keyId: RegExp | null;
  key: RegExp;
  words: { keyId: string; key: string };
}

/** Something that the key is good for, or not, in words for an ADMIN. */
export interface Finding {
  subject: 'key' | 'balance' | 'numbers' | 'trunks';
  ok: boolean;
  text: string;
}

export interface ApiQuery extends CarrierQuery {
  limit: number;
}

export interface ApiOffer {
  /** E.164. */
  phoneNumber: string;
  /** Null: the carrier does not say, and the numbering plan does. */
  type: PhoneNumberTable['type'] | null;
  capabilities: string[];
  price: CarrierPrice | null;
}

/** Ids at the carrier, by what they are. */
export type TrunkParts = Record<string, string>;

export interface TrunkWish {
  /** Of all that is made: by it a second call finds what the first one made. */
  name: string;
  /** Letters and digits alone, unique at the carrier. */
  username: string;
  password: string;
  /** Where the carrier sends calls to; null where it needs no address, as we register with it. */
  address: { host: string; port: number } | null;
  /** Signalling by TLS and media by SRTP, both ways. */
  isSecure: boolean;
  /** ISO 3166-1 alpha-2: where calls may go to, for a carrier that asks. */
  countries: readonly string[];
}

export interface MadeTrunk {
  parts: TrunkParts;
  /** The trunk as it must stand here. */
  here: Omit<TrunkBody, 'name'>;
}

/** See `CarrierPorts`; an order is found by its reference. */
export interface ApiPorts {
  create(order: NewPort, parts: TrunkParts): Promise<void>;
  /** False: the carrier has no order of that reference. */
  addDocument(
    reference: string,
    document: { kind: PortDocumentTable['kind']; fileName: string; bytes: Buffer },
  ): Promise<boolean>;
  status(reference: string): Promise<CarrierPortState | null>;
  cancel(reference: string): Promise<void>;
}

interface ApiText {
  /** E.164. */
  from: string;
  to: string;
  text: string;
  /** Our message's id. */
  reference: string;
  /** Where the carrier tells what became of it. */
  url: string;
}

/** A text that the carrier may have after an answer that was lost. */
interface LostText extends Pick<ApiText, 'from' | 'to' | 'text'> {
  sinceMs: number;
  /** Whether a text with the carrier's id is another one of ours. */
  isKnown(id: string): Promise<boolean>;
}

/** Texts of an account's numbers. */
export interface ApiTexts {
  /** Makes what the account needs for texts, and changes it where it is there. `name`: by it a second call finds it. */
  prepare(name: string, url: string): Promise<TextParts>;
  /** From now on texts to the number come to that address. @throws {CarrierError} `CARRIER_REFUSED` */
  listen(phoneNumber: string, parts: TextParts, url: string): Promise<void>;
  /** The carrier's id. @throws {CarrierError} `CARRIER_REFUSED`: it does not send it */
  send(text: ApiText, parts: TextParts): Promise<string>;
  /** The carrier's id of one that it has; null: it has none. Null in its place: the carrier cannot be asked. */
  find: ((lost: LostText) => Promise<string | null>) | null;
}

/** News of texts that a carrier tells, at the address that was set. */
export type TextEvent =
  | {
      type: 'received';
      from: string;
      to: string;
      text: string;
      /** The carrier's id. */
      id: string;
      /** The carrier itself has answered a STOP, START or HELP. */
      isAnswered: boolean;
    }
  /** `reference`: our message's id, where the carrier says it. */
  | {
      type: 'status';
      id: string;
      reference: string | null;
      status: 'sent' | 'delivered' | 'failed';
      error: string | null;
    }
  /** Nothing that counts here. */
  | { type: 'other' };

/** A request that claims to be a carrier's. */
export interface SignedRequest {
  /** As the carrier was told it, with its query. */
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
  /** In plain text. */
  key: string;
  parts: TextParts;
  nowMs: number;
}

/** Every function throws {CarrierError} and nothing else, but for a fault of our own. */
export interface CarrierApi {
  /** Null: it takes no port orders from us, and an ADMIN brings them to it. */
  readonly ports: ApiPorts | null;
  readonly texts: ApiTexts;
  /** Never throws a CarrierError: a finding says it. */
  check(): Promise<Finding[]>;
  search(query: ApiQuery): Promise<ApiOffer[]>;
  /**
   * Whether the number is the connected account's, bought by the order of that reference where the carrier keeps one.
   * Null: by any order.
   */
  owns(phoneNumber: string, reference: string | null): Promise<boolean>;
  /**
   * Buys a number and binds it to the trunk. `reference` stays the same when it is asked again, for a carrier that
   * takes one.
   * @throws {CarrierError} `CARRIER_REFUSED`: it does not sell the number to us
   */
  buy(phoneNumber: string, reference: string, parts: TrunkParts): Promise<void>;
  /** The connected account's numbers, up to a page or so. */
  numbers(): Promise<string[]>;
  /**
   * Binds a number of the account to the trunk.
   * @throws {CarrierError} `CARRIER_REFUSED`: it is not the account's
   */
  bind(phoneNumber: string, parts: TrunkParts): Promise<void>;
  /** Gives a number back; one that is not the account's is no error. */
  release(phoneNumber: string): Promise<void>;
  /** Whether a trunk needs an address at which the carrier reaches us. */
  readonly needsAddress: boolean;
  /** Why an ADMIN has to name the addresses from which its calls come; null: they are known. */
  readonly unknownAddresses: string | null;
  makeTrunk(wish: TrunkWish): Promise<MadeTrunk>;
  /** Parts that are gone already are no error. */
  removeTrunk(parts: TrunkParts): Promise<void>;
}
