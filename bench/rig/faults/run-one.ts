// Prepares one fault in a folder of its own, runs the service under load during it, and undoes it.
import { temporaryFolder } from '../temporary-folder.ts';
import type { Fault } from './fault.ts';
import { type FaultReport, runFault, type Scene } from './fault-run.ts';

interface FaultOptions {
  forMs: number;
  seed: number;
  log(line: string): void;
  /** Runs during the fault. */
  beside?(scene: Scene): Promise<void>;
}

/** @throws Error if the fault could not be injected or the service did not come back */
export async function runOneFault(fault: Fault, { forMs, seed, log, beside }: FaultOptions): Promise<FaultReport> {
  const folder = temporaryFolder('voice-fault');
  const { environment, dataDir, calm, strike, release } = fault.prepare(folder);
  try {
    return await runFault({
      seed,
      log,
      ...(environment ? { environment } : {}),
      ...(dataDir ? { dataDir } : {}),
      ...(calm ? { calm } : {}),
      losesAudio: fault.losesAudio ?? false,
      latenessSeconds: fault.delaysCalls ? forMs / 1_000 : 0,
      async disturb(scene) {
        await Promise.all([strike(scene, forMs), beside?.(scene)]);
      },
    });
  } finally {
    release?.();
  }
}
