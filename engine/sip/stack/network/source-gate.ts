// Limits what each source address can cost us. Trunks and allowed networks get transactions and connections. Strangers
// get a few stateless answers a second; above that rate their packets are dropped unparsed. Refusals are counted, and
// logged once a minute.

import { sourceNetwork } from '../../../../db/shared/source-network.ts';
import type { Clock } from '../../../clock.ts';

export type Standing = 'trunk' | 'allowed' | 'stranger';

type RefusalReason =
  /** Answered without state: the address belongs to no trunk and no allowed network. */
  | 'stranger'
  /** Not answered: the stranger is over its rate. */
  | 'dropped'
  /** 503: the sender's share of the transaction table is used up. */
  | 'overload'
  /** A connection that was closed on arrival. */
  | 'connection';

export type RefusalCounts = Record<RefusalReason, number>;

interface Seen {
  standing: Standing;
  /** Counts of this window, shared by all strangers of one network. */
  requests: Requests;
  /** Looked up once a window, after the stranger has used up its answers. */
  hasCall: boolean | null;
  hasPhone: boolean | null;
}

interface Requests {
  count: number;
  /** All that was read, also what gets no answer: responses and ACKs. */
  messages: number;
  bytes: number;
}

interface GateRules {
  standing(address: string): Standing;
  /** True while a call with that address is up: its packets are never dropped. */
  hasCall(address: string): boolean;
  /** True while a softphone is registered from that address. */
  hasPhone(address: string): boolean;
}

interface GateLog {
  info(fields: object, message: string): void;
}

const WINDOW_MS = 1_000;
// A misconfigured trunk retries a handful of requests a second; a scanner sends hundreds.
const ANSWERS_PER_NETWORK = 20;
// A network with registered phones: more requests are read than answered, so that forged packets from there cannot
// silence the phones. A hundred office phones that all refresh at once stay below this.
const READ_OF_PHONES = { messages: 400, bytes: 1024 * 1024 };
// For all strangers together: forged sources cannot make us send more than this.
const ANSWERS_PER_WINDOW = 500;
// Responses and ACKs get no answer, and are read too. A proxy that answers from an address of its own sends less.
const READ_PER_NETWORK = { messages: 100, bytes: 128 * 1024 };
const READ_PER_WINDOW = { messages: 2_000, bytes: 2 * 1024 * 1024 };
const MAX_SEEN = 4_096;
const LOG_EVERY_MS = 60_000;
const MAX_LOGGED_ADDRESSES = 10;

type Traffic = Pick<Requests, 'messages' | 'bytes'>;

const isWithin = (traffic: Traffic, most: Traffic): boolean =>
  traffic.messages < most.messages && traffic.bytes < most.bytes;

export class SourceGate {
  readonly refused: RefusalCounts = { stranger: 0, dropped: 0, overload: 0, connection: 0 };
  readonly #clock: Clock;
  readonly #log: GateLog;
  readonly #rules: GateRules;
  /** Addresses judged in the current window; cached, because judging one reads every trunk's networks. */
  readonly #seen = new Map<string, Seen>();
  readonly #requests = new Map<string, Requests>();
  readonly #addresses = new Set<string>();
  #windowStartMs: number;
  #answers = 0;
  /** Of all strangers in this window. */
  readonly #read = { messages: 0, bytes: 0 };
  #loggedAtMs = Number.NEGATIVE_INFINITY;
  #loggedCounts: RefusalCounts = { ...this.refused };

  constructor(clock: Clock, log: GateLog, rules: GateRules) {
    this.#clock = clock;
    this.#log = log;
    this.#rules = rules;
    this.#windowStartMs = clock.monotonicMs();
  }

  standing(address: string): Standing {
    return this.#look(address).standing;
  }

  /** Trunks or their addresses have changed: judge every address again. */
  forget(): void {
    this.#seen.clear();
  }

  /**
   * True if a message of that address is dropped unread: of a stranger that has used up its answers, or has sent more
   * than anybody reads, and has no call.
   */
  ignores(address: string, bytes: number): boolean {
    const seen = this.#look(address);
    if (seen.standing !== 'stranger') return false;
    const { requests } = seen;
    const isAnswered = requests.count < ANSWERS_PER_NETWORK;
    if (isAnswered && isWithin(requests, READ_PER_NETWORK) && isWithin(this.#read, READ_PER_WINDOW)) {
      for (const counted of [requests, this.#read]) {
        counted.messages++;
        counted.bytes += bytes;
      }
      return false;
    }
    seen.hasCall ??= this.#rules.hasCall(address);
    if (seen.hasCall) return false;
    seen.hasPhone ??= this.#rules.hasPhone(address);
    if (seen.hasPhone && requests.count < READ_OF_PHONES.messages && isWithin(requests, READ_OF_PHONES)) {
      requests.messages++;
      requests.bytes += bytes;
      return false;
    }
    this.count('dropped', address);
    return true;
  }

  /** True if a request without a transaction may be answered. */
  answers(address: string): boolean {
    const seen = this.#look(address);
    if (seen.standing !== 'stranger') return true;
    seen.requests.count++;
    const answered = seen.requests.count <= ANSWERS_PER_NETWORK && this.#answers < ANSWERS_PER_WINDOW;
    if (answered) this.#answers++;
    this.count(answered ? 'stranger' : 'dropped', address);
    return answered;
  }

  count(reason: RefusalReason, address: string): void {
    this.refused[reason]++;
    if (this.#addresses.size < MAX_LOGGED_ADDRESSES) this.#addresses.add(address);
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#loggedAtMs < LOG_EVERY_MS) return;
    this.#loggedAtMs = nowMs;
    const { stranger, dropped, overload, connection } = this.refused;
    const before = this.#loggedCounts;
    this.#log.info(
      {
        answered: stranger - before.stranger,
        dropped: dropped - before.dropped,
        overload: overload - before.overload,
        connections: connection - before.connection,
        addresses: [...this.#addresses],
      },
      'SIP refused: the source is neither a trunk nor allowed, or sends too much',
    );
    this.#loggedCounts = { ...this.refused };
    this.#addresses.clear();
  }

  #look(address: string): Seen {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#windowStartMs >= WINDOW_MS) {
      this.#windowStartMs = nowMs;
      this.#answers = 0;
      Object.assign(this.#read, { messages: 0, bytes: 0 });
      this.#seen.clear();
      this.#requests.clear();
    }
    const known = this.#seen.get(address);
    if (known) return known;
    // Thousands of forged sources reset the counts instead of filling memory.
    if (this.#seen.size >= MAX_SEEN) this.#seen.clear();
    const seen: Seen = {
      standing: this.#rules.standing(address),
      requests: this.#requestsOf(sourceNetwork(address)),
      hasCall: null,
      hasPhone: null,
    };
    this.#seen.set(address, seen);
    return seen;
  }

  #requestsOf(network: string): Requests {
    const known = this.#requests.get(network);
    if (known) return known;
    if (this.#requests.size >= MAX_SEEN) this.#requests.clear();
    const requests: Requests = { count: 0, messages: 0, bytes: 0 };
    this.#requests.set(network, requests);
    return requests;
  }
}
