// The surroundings of a call in its shard: the models that it shares with others, the clock, and whom it tells.
import type { Lateness } from '../../media/lateness.ts';
import type { Clock } from '../clock.ts';
import type { ModelPorts } from './models/model-ports.ts';
import type { ShardEvent } from './protocol.ts';

export interface HostedCallEdge {
  models: ModelPorts;
  /** The shard's clock. The callbacks of `after` run inside the call's guard. */
  clock: Clock;
  /** Counts how late the VAD's judgements are. */
  vadLateness: Lateness;
  emit(event: ShardEvent): void;
  /** Ends the call because its own code failed. */
  fail(error: unknown): void;
}
