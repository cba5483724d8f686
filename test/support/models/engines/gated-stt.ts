// The fake recogniser, which is not loaded while the file FAKE_STT_GATE exists.
import { existsSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import createFake from '../../../../bench/rig/fakes/stt.ts';
import type { SttEngineFactory } from '../../../../models/stt/stt.ts';

const createStt: SttEngineFactory = async (environment) => {
  const gate = environment.FAKE_STT_GATE ?? '';
  if (gate !== '' && existsSync(gate)) await gone(gate);
  return createFake(environment);
};

function gone(path: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(dirname(path), () => look());
    const look = (): void => {
      if (existsSync(path)) return;
      watcher.close();
      resolve();
    };
    look();
  });
}

export default createStt;
