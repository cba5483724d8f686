// Whose network has the calls that are under way by a public key. Of a key's places one network has half at most while
// others call too, and alone all but the last one, which is for the next who comes. It is kept in memory, as the
// limits of a network are, and not in the database: nobody needs to know later from where a visitor came.
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import type { WidgetKeyTable } from '../../db/schema/widget.ts';

/** Somebody who wished to call that long ago tries no more. */
const WISHES_LAST_MS = 30 * MINUTE_MS;
/** Calls that are remembered, of all keys: the oldest is forgotten, and belongs to no network. */
const CALLS_MAX = 10_000;
/** With fewer places one network alone may have all of them. */
const FEW_PLACES = 2;

interface Wish {
  network: string;
  atMs: number;
}

export class WidgetPlaces {
  /** The network of a call. */
  readonly #calls = new Map<string, string>();
  /** By the key's id: the last wish to call, and the last one of any other network. */
  readonly #wishes = new Map<string, Wish[]>();

  /** Whether the network may begin one more call beside those that run by the key. */
  isFree({ id, callsAtOnce }: WidgetKeyTable, network: string, running: readonly string[], nowMs: number): boolean {
    const others = (this.#wishes.get(id) ?? []).filter((wish) => wish.network !== network);
    this.#keep(this.#wishes, id, [{ network, atMs: nowMs }, ...others.slice(0, 1)]);
    const isAlone = others.every(({ atMs }) => atMs <= nowMs - WISHES_LAST_MS);
    const alone = callsAtOnce > FEW_PLACES ? callsAtOnce - 1 : callsAtOnce;
    const own = running.filter((callId) => this.#calls.get(callId) === network);
    return own.length < (isAlone ? alone : Math.ceil(callsAtOnce / 2));
  }

  began(callId: string, network: string): void {
    this.#keep(this.#calls, callId, network);
  }

  #keep<T>(all: Map<string, T>, name: string, value: T): void {
    all.delete(name);
    all.set(name, value);
    const [oldest] = all.keys();
    if (all.size > CALLS_MAX && oldest !== undefined) all.delete(oldest);
  }
}
