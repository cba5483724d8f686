// Where the recording of a call is, where an object store is configured (`calls.recording_state`).

/** In the object store, under `recording_key`. */
export const STORED = 'stored';
/** Gone before it was stored. */
export const LOST = 'lost';

/** Still on this disk alone: on an engine's DATA_DIR, by the id that the folder has. */
export const onDisk = (diskId: string): string => `engine:${diskId}`;

export const isOnDiskOnly = (state: string | null): state is string => state?.startsWith('engine:') ?? false;
