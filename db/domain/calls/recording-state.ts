// Where the recording of a call is, where an object store is configured or engines share a database
// (`calls.recording_state`).

/** In the object store, under `recording_key`. */
export const STORED = 'stored';
/** Gone before it was stored. */
export const LOST = 'lost';

const ON_DISK = 'engine:';

/** Still on this disk alone: on an engine's DATA_DIR, by the id that the folder has. */
export const onDisk = (diskId: string): string => `${ON_DISK}${diskId}`;

export const isOnDiskOnly = (state: string | null): state is string => state?.startsWith(ON_DISK) ?? false;

/** The disk of a recording that is on one only; else null. */
export const diskOf = (state: string | null): string | null =>
  isOnDiskOnly(state) ? state.slice(ON_DISK.length) : null;
