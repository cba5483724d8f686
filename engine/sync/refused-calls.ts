// Records why calls were refused, so that an operator can find out why a caller hears 404: a log line each, and a row
// for the API. Refusals of strangers are bounded in memory, lines and rows, whatever they send.
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { RefusedCallRow } from '../../db/queries/trunks/refused-calls.ts';
import { newId } from '../../db/shared/id.ts';
import type { Writer } from '../../db/writing/writer.ts';
import { type Clock, every } from '../clock.ts';
import type { RefusedInvite } from '../sip/telephony.ts';

const WRITE_EVERY_MS = 5_000;
/** Different refusals between two writes; further ones only count in the metrics. */
const MAX_WAITING = 50;
const MAX_WAITING_STRANGERS = 10;
/** A broken PBX must not fill the disk. */
const MAX_LOGGED_PER_MINUTE = 20;

export class RefusedCalls {
  readonly #writer: Pick<Writer, 'run'>;
  readonly #clock: Clock;
  readonly #log: Logger;
  /** By the key that groups similar refusals. */
  readonly #waiting = new Map<string, RefusedCallRow>();
  /** Since the start, by reason: also of those that have no row. */
  readonly counts: Record<string, number> = {};
  #strangers = 0;
  #logged = 0;
  #loggedSinceMs = Number.NEGATIVE_INFINITY;

  constructor({ writer, clock, log }: { writer: Pick<Writer, 'run'>; clock: Clock; log: Logger }) {
    this.#writer = writer;
    this.#clock = clock;
    this.#log = log;
  }

  /** Writes the collected refusals periodically; returns a function that stops it. */
  start(): () => void {
    return every(this.#clock, WRITE_EVERY_MS, () => void this.write());
  }

  add(refused: RefusedInvite): void {
    const { calledNumber, callerNumber, sourceAddress, trunkId, sipStatus, reason } = refused;
    this.counts[reason] = (this.counts[reason] ?? 0) + 1;
    const isStranger = reason === 'source_not_allowed';
    // The source gate logs strangers, by address, once a minute.
    if (!isStranger) this.#logOne(refused);
    // One row per unknown address, whatever numbers it tries.
    const key = isStranger ? sourceAddress : [sourceAddress, calledNumber, callerNumber, sipStatus, reason].join('|');
    const known = this.#waiting.get(key);
    if (known) {
      known.count++;
      return;
    }
    if (this.#waiting.size >= MAX_WAITING || (isStranger && this.#strangers >= MAX_WAITING_STRANGERS)) return;
    if (isStranger) this.#strangers++;
    this.#waiting.set(key, {
      id: newId('rfc'),
      calledNumber,
      callerNumber,
      sourceAddress,
      trunkId,
      sipStatus,
      reason,
      count: 1,
      createdAt: this.#clock.nowMs(),
    });
  }

  async write(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const rows = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#strangers = 0;
    try {
      await this.#writer.run('addRefusedCalls', { rows });
    } catch (error) {
      this.#log.warn({ rows: rows.length, error: messageOf(error) }, 'could not write refused calls');
    }
  }

  #logOne(refused: RefusedInvite): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#loggedSinceMs >= 60_000) {
      this.#loggedSinceMs = nowMs;
      this.#logged = 0;
    }
    if (++this.#logged <= MAX_LOGGED_PER_MINUTE) this.#log.info({ ...refused }, 'INVITE refused');
  }
}
