// The reports of a shard that nobody asks for, at the intervals of worker.ts: its pacing, its lateness, the state that
// would be lost with it, and the words that are being said.
import { sharedClockMs } from '../../db/shared/process/shared-clock.ts';
import type { Lateness } from '../../media/lateness.ts';
import type { Pacer } from '../../media/pacer.ts';
import { SocketTransport } from '../../media/socket/socket-transport.ts';
import { type CallSlot, pulseOf } from './call-slot.ts';
import type { HostedCall } from './hosted-call.ts';
import type { ShardEvent } from './protocol.ts';

interface ShardReportsOptions {
  shardIndex: number;
  slots: ReadonlyMap<string, CallSlot>;
  pacer: Pacer;
  vadLateness: Lateness;
  monotonicMs(): number;
  emit(event: ShardEvent): void;
  /** Runs an action so that an exception ends only that call. */
  guard(callId: string, action: () => void): void;
}

export class ShardReports {
  readonly #options: ShardReportsOptions;

  constructor(options: ShardReportsOptions) {
    this.#options = options;
  }

  pacing(): void {
    const { shardIndex, pacer, emit } = this.#options;
    if (pacer.calls > 0) emit({ type: 'pacing', shardIndex, ...pacer.takeFigures() });
  }

  lateness(): void {
    const { shardIndex, pacer, vadLateness, emit } = this.#options;
    if (pacer.calls > 0)
      emit({ type: 'lateness', shardIndex, sends: pacer.sendLateness.take(), windows: vadLateness.take() });
  }

  pulse(): void {
    const { shardIndex, slots, emit } = this.#options;
    const calls = [...slots.values()].flatMap((slot) => pulseOf(slot) ?? []);
    if (calls.length > 0) emit({ type: 'pulse', shardIndex, atMs: sharedClockMs(), calls });
  }

  /** Tells browsers, live views and the search of documents the words as they are spoken; other calls cost nothing. */
  words(): void {
    const { slots, monotonicMs, guard } = this.#options;
    for (const slot of slots.values()) {
      const { transport, call, told, command } = slot;
      const isWatched = told.isWatched(monotonicMs());
      if (!call || !(isWatched || command.tellsCaller || transport instanceof SocketTransport)) continue;
      guard(call.callId, () => this.#wordsOf(slot, call, isWatched));
    }
  }

  #wordsOf({ transport, told, command }: CallSlot, { callId, callerSaying, replies }: HostedCall, isWatched: boolean) {
    const { emit } = this.#options;
    const { speaking } = replies;
    const saying = command.tellsCaller ? told.forSearch(callerSaying) : null;
    if (saying !== null) emit({ type: 'caller-saying', callId, text: saying });
    if (transport instanceof SocketTransport) {
      const entry = told.forBrowser(speaking);
      if (entry !== null) transport.sendText(JSON.stringify({ type: 'transcript', ...entry }));
    }
    const words = isWatched ? told.forViews(speaking, callerSaying) : null;
    if (words !== null) emit({ type: 'words', callId, words });
  }
}
