// One network's part of a public key. Of the calls under way it has half at most while others call too, and alone all
// but the last one, which is for the next who comes; of what the key may do in a day it has half, so that nobody closes
// the widget for all others. It is kept in memory, as the limits of a network are, and not in the database: nobody
// needs to know later from where a visitor came.
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { utcDay } from '../../db/domain/hours/utc-days.ts';
import type { DayCall } from '../../db/queries/widget/uses.ts';
import type { WidgetKeyTable, WidgetRefusal } from '../../db/schema/widget.ts';

/** Somebody who wished to call that long ago tries no more. */
const WISHES_LAST_MS = 30 * MINUTE_MS;
/** Calls and writers that are remembered, of all keys: the oldest is forgotten, and belongs to no network. */
const REMEMBERED_MAX = 10_000;
/** Up to so many calls at once, one network alone may have all of them. */
const ALL_FOR_ONE = 2;
/** Of calls, minutes or messages of a day one network alone may have so many, however few there are. */
const FEW_A_DAY = 20;

interface Wish {
  network: string;
  atMs: number;
}

/** Of a cap of the day. */
const partOf = (cap: number): number => Math.min(cap, Math.max(FEW_A_DAY, Math.ceil(cap / 2)));

export class WidgetNetworks {
  /** The network of a call. */
  readonly #calls = new Map<string, string>();
  /** By key and network: messages of a day of UTC. */
  readonly #messages = new Map<string, { day: string; messages: number }>();
  /** By the key's id: the last wish to call, and the last one of any other network. */
  readonly #wishes = new Map<string, Wish[]>();

  /** Whether the network may begin one more call beside those that run by the key. */
  hasPlace({ id, callsAtOnce }: WidgetKeyTable, network: string, running: readonly string[], nowMs: number): boolean {
    const others = (this.#wishes.get(id) ?? []).filter((wish) => wish.network !== network);
    this.#keep(this.#wishes, id, [{ network, atMs: nowMs }, ...others.slice(0, 1)]);
    const isAlone = others.every(({ atMs }) => atMs <= nowMs - WISHES_LAST_MS);
    const alone = callsAtOnce > ALL_FOR_ONE ? callsAtOnce - 1 : callsAtOnce;
    const own = running.filter((callId) => this.#calls.get(callId) === network);
    return own.length < (isAlone ? alone : Math.ceil(callsAtOnce / 2));
  }

  /** @param today the key's calls that began today @returns why the network may call no more today; null: it may */
  obstacleToCall(key: WidgetKeyTable, network: string, today: readonly DayCall[]): WidgetRefusal | null {
    const own = today.filter(({ callId }) => this.#calls.get(callId) === network);
    if (own.length >= partOf(key.callsPerDay)) return 'calls_per_day';
    const seconds = own.reduce((sum, call) => sum + call.seconds, 0);
    return seconds >= partOf(key.minutesPerDay) * 60 ? 'minutes_per_day' : null;
  }

  /** @returns why the network may write no more today; null: it may */
  obstacleToWrite(key: WidgetKeyTable, network: string, nowMs: number): WidgetRefusal | null {
    return this.#messagesToday(key, network, nowMs) >= partOf(key.messagesPerDay) ? 'messages_per_day' : null;
  }

  began(callId: string, network: string): void {
    this.#keep(this.#calls, callId, network);
  }

  wrote(key: WidgetKeyTable, network: string, nowMs: number): void {
    const messages = this.#messagesToday(key, network, nowMs) + 1;
    this.#keep(this.#messages, `${key.id} ${network}`, { day: utcDay(nowMs), messages });
  }

  #messagesToday({ id }: WidgetKeyTable, network: string, nowMs: number): number {
    const written = this.#messages.get(`${id} ${network}`);
    return written?.day === utcDay(nowMs) ? written.messages : 0;
  }

  #keep<T>(all: Map<string, T>, name: string, value: T): void {
    all.delete(name);
    all.set(name, value);
    const [oldest] = all.keys();
    if (all.size > REMEMBERED_MAX && oldest !== undefined) all.delete(oldest);
  }
}
