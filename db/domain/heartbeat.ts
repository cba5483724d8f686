// Decides when the engine counts as silent: it writes a heartbeat every second.

/** The limits of a longer silence: engine/silence.ts. */
export const SILENT_AFTER_MS = 5_000;

export const isSilent = (heartbeatAtMs: number, nowMs: number): boolean => nowMs - heartbeatAtMs >= SILENT_AFTER_MS;
