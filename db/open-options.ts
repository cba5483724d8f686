/** How a database is opened. An option that a kind of database does not know has no effect there. */
export interface OpenOptions {
  /** A second connection that cannot write; lists use it so that they never wait for a writer. */
  readonly?: boolean;
  /** Few statements, each many times, and none whose best plan depends on its values: the server keeps all plans. */
  keepsPlans?: boolean;
  /** FULL survives a power cut (the engine's writer, every terminal event); default FULL. */
  synchronous?: 'FULL' | 'NORMAL';
  /** Pages of WAL after which a commit checkpoints; 0 leaves it to the engine's writer. Default 0. */
  autocheckpointPages?: number;
  /** Pages that the file may grow to. */
  maxPages?: number;
}
