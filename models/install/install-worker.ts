// Installs one model on its own thread at nice 19: unpacking keeps a core busy for some minutes.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../db/domain/unexpected.ts';
import { lowerThreadPriority } from '../workers/priority.ts';
import { installModel } from './install.ts';
import { mirrored } from './mirror.ts';
import { findLocalModel } from './weights.ts';

export interface InstallTask {
  name: string;
  modelsDir: string;
}

/** The last message of the thread. */
export type InstallOutcome = { ok: true } | { ok: false; message: string };

lowerThreadPriority();
const { name, modelsDir } = workerData as InstallTask;
parentPort?.postMessage(await install());

async function install(): Promise<InstallOutcome> {
  const model = findLocalModel(name);
  if (!model) return { ok: false, message: `there is no model ${name}` };
  try {
    await installModel(mirrored(model, process.env), modelsDir);
    return { ok: true };
  } catch (error) {
    return { ok: false, message: messageOf(error) };
  }
}
