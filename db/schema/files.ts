// Files of the object store that are to be deleted.

/** Written in the transaction that lets go of the file, or before one is stored that may never be entered. */
export interface FileDeletionTable {
  key: string;
  dueAt: number;
  createdAt: number;
}
