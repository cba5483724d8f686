// Where calls' audio lives, as the rest of the engine sees it. The pool of shards is hidden behind this interface.
import type { CallCommand, OpenCall, ShardEvent } from './protocol.ts';

export interface Shards {
  /** Opens a call's audio, on the shard of `besideCallId` if both are to be joined. Its events go to `onEvent`. */
  open(command: OpenCall, onEvent: (event: ShardEvent) => void, besideCallId?: string): void;
  /** Sends to the shard that has the call; ignored when the call is gone. */
  send(command: CallCommand): void;
}
