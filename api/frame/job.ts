// A job of the API, as the room that does its work sees it: runs, and the lease of an API that does it for all. What
// runs it is `api/upkeep/job.ts`.
import type { ApiContext } from '../context.ts';

/** A run that returns it was the last one: nothing is left to do. */
export const FINISHED = Symbol('finished');

/** Jobs with a lease are done by one API of the installation, others by each. */
export interface JobLease {
  /** The same in all releases: at an upgrade two of them share the database. */
  name: string;
  /** Done before the first run of a process that has taken the lease. */
  onTaken?(context: ApiContext): Promise<void>;
}

export interface JobRun {
  run(): Promise<unknown>;
  /** Has a running round end early; resolves when what it began beside itself has ended. */
  stop?(): void | Promise<void>;
}
