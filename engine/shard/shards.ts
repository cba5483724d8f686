// The engine's interface to the media shards, which host the audio of calls. It hides the pool.
import type { CallCommand, OpenCall, ShardEvent } from './protocol.ts';

export interface Shards {
  /** Opens a call's audio, on the shard of `besideCallId` if both are to be joined. Its events go to `onEvent`. */
  open(command: OpenCall, onEvent: (event: ShardEvent) => void, besideCallId?: string): void;
  /** Sends to the call's shard. False: there is no such call any more, and nothing is done. */
  send(command: CallCommand): boolean;
}
