// How long a process may be silent for those who share its database. An engine writes a heartbeat each second, an API
// every two; the limits of an engine's longer silence are in engine/silence.ts.

/** An engine that is silent for so long gets no new call. */
export const SILENT_AFTER_MS = 5_000;
/** An API that is silent for so long has ended: no pause of a living process lasts five heartbeats. */
export const API_DEAD_AFTER_MS = 10_000;
/** Processes whose heartbeat is younger run: those that start together have none yet, but have written their keys. */
export const PROCESS_ALIVE_MS = 30_000;

export const isSilent = (heartbeatAtMs: number, nowMs: number): boolean => nowMs - heartbeatAtMs >= SILENT_AFTER_MS;
