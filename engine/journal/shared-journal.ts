// Describes this engine's calls in the database, so that engines on other machines can go on with them when its machine
// dies: coarser than the journal on the disk. A call is written when it has changed, at most every two seconds. Nothing
// waits for it: while the database is away it is dropped, and written again afterwards.
import type { Clock } from '../clock.ts';
import type { CallPulse } from '../shard/protocol.ts';

const EVERY_MS = 2_000;
/** After a write that failed, for all calls together. */
const PAUSE_MS = 3_000;
/** Writes under way at a time: the heartbeat goes the same way. */
const MOST = 4;
/** Characters of JSON. A record that has grown longer stays behind; a call that has cannot be gone on with. */
const RECORD_MAX = 64_000;
const CALL_MAX = 512_000;

export interface SharedJournalOptions {
  /** Ms that the database's clock is ahead. */
  skewMs(): number;
  /** Whether an engine on another machine could go on with what is described. */
  isMovable(described: object): boolean;
  /** Rejects if the database does not take it. */
  write(callId: string, sealed: string): Promise<unknown>;
  remove(callId: string): Promise<unknown>;
}

interface SharedJournalEdge extends SharedJournalOptions {
  clock: Clock;
  /** Answered by `sealed`. */
  seal(callId: string, json: string): void;
  /** The last that was heard of the call's audio. */
  pulseOf(callId: string): (CallPulse & { atMs: number }) | null;
}

interface Shared {
  /** As it is now; null: nobody could go on with it. */
  json: string | null;
  record: string | null;
  /** The database has something of it, or may have. */
  isThere: boolean;
  isChanged: boolean;
  isBusy: boolean;
  writtenAtMs: number;
  cancel: (() => void) | null;
}

const RECORD_MARK = '+';

export class SharedJournal {
  readonly #edge: SharedJournalEdge;
  readonly #calls = new Map<string, Shared>();
  #busy = 0;
  /** Calls that are due and wait for others. */
  readonly #crowd = new Set<string>();
  #pausedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(edge: SharedJournalEdge) {
    this.#edge = edge;
  }

  /** `key`: of the call, or of its record. */
  described(key: string, described: object | null, json: string | null): void {
    const [callId = key, ofRecord] = key.split(RECORD_MARK, 2);
    const call = this.#call(callId);
    if (ofRecord !== undefined) {
      // It goes with the next change of its call.
      call.record = json !== null && json.length <= RECORD_MAX ? json : null;
      return;
    }
    const isMovable = described !== null && json !== null && json.length <= CALL_MAX && this.#edge.isMovable(described);
    call.json = isMovable ? json : null;
    if (call.json === null && !call.isThere) return;
    call.isChanged = true;
    this.#arm(callId, call);
  }

  /** The call is over: its end removes what the database has of it. */
  forget(callId: string): void {
    this.#calls.get(callId)?.cancel?.();
    this.#calls.delete(callId);
    this.#crowd.delete(callId);
  }

  sealed(callId: string, sealed: string): void {
    const call = this.#calls.get(callId);
    if (call === undefined) this.#free();
    else this.#settle(callId, call, this.#edge.write(callId, sealed), true);
  }

  stop(): void {
    for (const callId of [...this.#calls.keys()]) this.forget(callId);
  }

  #call(callId: string): Shared {
    const known = this.#calls.get(callId);
    if (known !== undefined) return known;
    const call: Shared = {
      json: null,
      record: null,
      // A row that another process has written is no longer read: it is that engine's.
      isThere: false,
      isChanged: false,
      isBusy: false,
      writtenAtMs: Number.NEGATIVE_INFINITY,
      cancel: null,
    };
    this.#calls.set(callId, call);
    return call;
  }

  #arm(callId: string, call: Shared): void {
    if (call.isBusy || call.cancel !== null || !call.isChanged) return;
    const nowMs = this.#edge.clock.monotonicMs();
    // A row that is there and is no longer true goes at once.
    const dueMs = Math.max(call.json === null ? nowMs : call.writtenAtMs + EVERY_MS, this.#pausedUntilMs);
    call.cancel = this.#edge.clock.after(Math.max(0, dueMs - nowMs), () => {
      call.cancel = null;
      this.#write(callId, call);
    });
  }

  #write(callId: string, call: Shared): void {
    if (this.#busy >= MOST) {
      this.#crowd.add(callId);
      return;
    }
    this.#crowd.delete(callId);
    this.#busy++;
    call.isBusy = true;
    call.isChanged = false;
    call.writtenAtMs = this.#edge.clock.monotonicMs();
    if (call.json === null) return this.#settle(callId, call, this.#edge.remove(callId), false);
    call.isThere = true;
    const rest = JSON.stringify({ skewMs: this.#edge.skewMs(), pulse: this.#edge.pulseOf(callId) });
    this.#edge.seal(callId, `{"call":${call.json},"record":${call.record},"rest":${rest}}`);
  }

  #settle(callId: string, call: Shared, writing: Promise<unknown>, isThere: boolean): void {
    writing
      .then(
        () => {
          call.isThere = isThere;
        },
        () => {
          call.isChanged = true;
          this.#pausedUntilMs = this.#edge.clock.monotonicMs() + PAUSE_MS;
        },
      )
      .finally(() => {
        call.isBusy = false;
        if (this.#calls.get(callId) === call) this.#arm(callId, call);
        this.#free();
      });
  }

  #free(): void {
    this.#busy--;
    const [next] = this.#crowd;
    if (next === undefined) return;
    this.#crowd.delete(next);
    const call = this.#calls.get(next);
    if (call !== undefined) this.#arm(next, call);
  }
}
