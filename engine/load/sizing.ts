// How many threads of each kind a machine gets; pure.

/** Above it a media thread has less than half its time left for bursts: 0.3 % of a core per call. */
const CALLS_PER_SHARD = 200;
/** 0.2 % of a core per call. */
const CALLS_PER_VAD_WORKER = 400;
/** So that the loss of a shard does not affect all calls. */
const MIN_SHARDS = 2;

interface ThreadPlan {
  shards: number;
  vadWorkers: number;
}

/** `maxCalls`: the limit on calls. More threads of either kind than cores would only wait for each other. */
export function planThreads(cores: number, maxCalls: number): ThreadPlan {
  const upTo = (most: number, wanted: number): number => Math.max(1, Math.min(most, Math.ceil(wanted)));
  return {
    shards: Math.max(MIN_SHARDS, upTo(cores, maxCalls / CALLS_PER_SHARD)),
    vadWorkers: upTo(Math.ceil(cores / 2), maxCalls / CALLS_PER_VAD_WORKER),
  };
}
