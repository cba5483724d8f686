// Where calls' audio lives, as the rest of the engine sees it: the pool of shards behind it is nobody's business.
import type { OpenCall, ShardCommand, ShardEvent } from './protocol.ts';

export interface Shards {
  /** Opens the audio of a call; its events go to `onEvent`. `besideCallId`: on the same shard, so that both can be joined. */
  open(command: OpenCall, onEvent: (event: ShardEvent) => void, besideCallId?: string): void;
  /** To the shard that has the call; a call that is gone is ignored. */
  send(command: ShardCommand & { callId: string }): void;
}
