// A fault: its injection, its duration, and the failures that it excuses.
import type { Scene } from './fault-run.ts';

interface PreparedFault {
  /** Environment for the start of the service. */
  environment?: Record<string, string>;
  dataDir?: string;
  /** Before the load, with the service idle. */
  calm?(scene: Scene): Promise<void>;
  /** Under load: injects the fault, and removes it after `forMs`. */
  strike(scene: Scene, forMs: number): Promise<void>;
  release?(): void;
}

export interface Obstacle {
  reason: string;
  /** A missing package that can be installed: a run of all faults requires it. */
  isPackage: boolean;
}

export interface Fault {
  name: string;
  /** Duration in the test suite and in the bench. */
  shortMs: number;
  longMs: number;
  /** Recordings may be missing; existing ones must open. */
  losesAudio?: boolean;
  /** The end of a call may be noticed late, by up to the duration of the fault. */
  delaysCalls?: boolean;
  /** Why this machine cannot inject the fault, or null. */
  obstacle(): Obstacle | null;
  /** `folder` is empty and removed afterwards. */
  prepare(folder: string): PreparedFault;
}
