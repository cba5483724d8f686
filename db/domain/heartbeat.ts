// Decides when the engine counts as silent: it writes a heartbeat every second.

const HEARTBEAT_MAX_AGE_MS = 5_000;

export const isSilent = (heartbeatAtMs: number, nowMs: number): boolean =>
  nowMs - heartbeatAtMs >= HEARTBEAT_MAX_AGE_MS;
