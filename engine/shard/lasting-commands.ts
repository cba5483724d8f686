// The commands that a call's shard must get again when it is restarted: the newest of each kind that still holds.
// `whisper` is none of them: a listener alone whispers, and their audio ends with its shard (pooled-call.ts).
import type { CallCommand } from './protocol.ts';

/** In the order in which they are told, before the call's clock starts. */
const BEFORE = ['connect', 'speak-in', 'mask', 'secret-keys', 'tap'] as const;
/** And after it: a turn machine takes nothing before. */
const AFTER = ['expects', 'hold-music', 'bridge'] as const;
type Lasting = (typeof BEFORE)[number] | (typeof AFTER)[number];

const LASTING: ReadonlySet<string> = new Set([...BEFORE, ...AFTER]);

export class LastingCommands {
  readonly #kept = new Map<Lasting, CallCommand>();

  note(command: CallCommand): void {
    if (command.type === 'unbridge') this.#kept.delete('bridge');
    if (!LASTING.has(command.type)) return;
    const type = command.type as Lasting;
    if (isOver(command)) this.#kept.delete(type);
    else this.#kept.set(type, command);
  }

  get beforeAnswer(): CallCommand[] {
    return BEFORE.flatMap((type) => this.#kept.get(type) ?? []);
  }

  get afterAnswer(): CallCommand[] {
    return AFTER.flatMap((type) => this.#kept.get(type) ?? []);
  }
}

/** A restarted shard is so by itself. */
const isOver = (command: CallCommand): boolean =>
  (command.type === 'secret-keys' && !command.isSecret) || (command.type === 'hold-music' && !command.isOn);
