// Calls of one shard whose callers hear each other: put through to a person, taken over, whispered to.

import type { CallSlot } from './call-slot.ts';
import type { HostedCall } from './hosted-call.ts';
import type { CallCommand } from './protocol.ts';

export class Joins {
  readonly #slots: ReadonlyMap<string, CallSlot>;

  constructor(slots: ReadonlyMap<string, CallSlot>) {
    this.#slots = slots;
  }

  /** Where both go on after their shard or process, the other one may be open only in a moment. */
  bridge(slot: CallSlot, call: HostedCall, otherCallId: string, hears: boolean): void {
    const other = this.#slots.get(otherCallId)?.call;
    slot.awaits = other ? null : { otherCallId, hears };
    if (!other) return;
    call.audio.bridge(other.audio, hears);
    if (hears) return;
    // Both callers now talk to each other, so neither turn machine may listen or speak.
    call.hold(true);
    other.hold(true);
  }

  part(slot: CallSlot, call: HostedCall): void {
    slot.awaits = null;
    call.audio.unbridge();
    call.hold(slot.transport?.held ?? false);
  }

  /** The commands to calls that wait to be joined with this one, which is open now. */
  awaiting(otherCallId: string): CallCommand[] {
    return [...this.#slots].flatMap(([callId, { awaits }]) =>
      awaits?.otherCallId === otherCallId
        ? [{ type: 'bridge', callId, otherCallId, ...(awaits.hears ? { hears: true } : {}) }]
        : [],
    );
  }

  whisper(call: HostedCall, otherCallId: string): void {
    call.audio.hearBeside(this.#slots.get(otherCallId)?.call?.audio ?? null);
  }
}
