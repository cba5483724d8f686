// One thing that breaks: how it is made to, for how long, and what it excuses.
import type { Scene } from './fault-run.ts';

export interface PreparedFault {
  /** What the service must be started with. */
  environment?: Record<string, string>;
  dataDir?: string;
  /** Before the load, with the service idle. */
  calm?(scene: Scene): Promise<void>;
  /** Under load: breaks it, and mends it after `forMs`. */
  strike(scene: Scene, forMs: number): Promise<void>;
  release?(): void;
}

export interface Obstacle {
  reason: string;
  /** A package that can be installed: where all must be run, it has to be there. */
  isPackage: boolean;
}

export interface Fault {
  name: string;
  /** How long it lasts in the test suite and in the bench. */
  shortMs: number;
  longMs: number;
  /** Recordings may be missing; what there is opens. */
  losesAudio?: boolean;
  /** The end of a call may be noticed late, by as much as the fault lasts. */
  delaysCalls?: boolean;
  /** Why this machine cannot do it, or null. */
  obstacle(): Obstacle | null;
  /** `folder` is empty and removed afterwards. */
  prepare(folder: string): PreparedFault;
}
