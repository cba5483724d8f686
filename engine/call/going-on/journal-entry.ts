// The journal's entry of one call: the call as it is, and its record, which changes once a turn and may be long.
import type { CallJournal } from '../../journal/journal.ts';
import type { ShardEvent } from '../../shard/protocol.ts';
import type { CallTimings } from '../timings.ts';
import { EPOCHS_AHEAD, recordKeyOf } from './continuation.ts';

/** Events without anything that another process needs to go on with the call. */
const UNCHANGED_BY: ReadonlySet<ShardEvent['type']> = new Set([
  'phase',
  'words',
  'caller-saying',
  'latency',
  'wait-timed',
  'turn-timed',
  'yield-timed',
  'turn-end-judged',
  'barge-in',
  'false-interruption',
]);

export class JournalEntry {
  readonly #journal: CallJournal | undefined;
  readonly #callId: string;
  readonly #record: { timings: Pick<CallTimings, 'kept' | 'onGrown'> };

  /** Without a journal it does nothing. */
  constructor(
    journal: CallJournal | undefined,
    callId: string,
    record: { timings: Pick<CallTimings, 'kept' | 'onGrown'> },
  ) {
    this.#journal = journal;
    this.#callId = callId;
    this.#record = record;
  }

  /** `hasRecord`: another process has left one. */
  follow(describe: () => object | null, hasRecord = false): void {
    const followRecord = () => this.#journal?.follow(recordKeyOf(this.#callId), () => this.#record.timings.kept);
    this.#journal?.follow(this.#callId, describe);
    this.#record.timings.onGrown(followRecord);
    if (hasRecord) followRecord();
  }

  changed(isUrgent = false): void {
    this.#journal?.changed(this.#callId, isUrgent);
  }

  /** `isOpen`: whether that reply was committed and has not ended. Asked before the event is worked on. */
  isChangedBy(event: ShardEvent, isOpen: (epoch: number) => boolean): boolean {
    // Guesses at what the caller will have said come several to a turn, and nothing is left of them.
    if (event.type === 'reply-wanted') return event.committed || event.epoch % EPOCHS_AHEAD === 0;
    if (event.type === 'reply-dropped') return isOpen(event.epoch);
    return !UNCHANGED_BY.has(event.type);
  }

  /** This process now works on this call: it is the suspect if the process dies. */
  busy(): void {
    this.#journal?.busyWith(this.#callId);
  }

  forget(): void {
    for (const key of [this.#callId, recordKeyOf(this.#callId)]) this.#journal?.forget(key);
  }
}
