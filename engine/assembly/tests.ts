// Puts together what runs test suites.
import { TenantTools } from '../call/own-tools.ts';
import { createCallStore } from '../call/store.ts';
import { createRunEval } from '../test-runs/eval.ts';
import { TestRuns } from '../test-runs/test-runs.ts';
import { unrunnable } from '../test-runs/work.ts';
import type { Media } from './media.ts';
import type { Storage } from './storage.ts';

export function createTestRuns(storage: Storage, { dialogue, fleet }: Media): TestRuns {
  const { read, writer, engineId, clock, log, outage, config, secretKey } = storage;
  const runEval = createRunEval({
    ...{ read, clock, log, llmTimeoutMs: config.llmTimeoutMs, judgeModel: config.judgeModel },
    get model() {
      return dialogue.model;
    },
    // Its clients are never loaded: nothing is asked.
    tools: new TenantTools({ secretKey, allowPrivate: false, log }),
    store: createCallStore(read, null),
    voices: () => fleet.description.tts.voices ?? [],
  });
  return new TestRuns({
    ...{ read, writer, engineId, clock, log, outage },
    runners: {
      eval: runEval,
      simulation: async () => unrunnable('This release does not run simulations yet.'),
    },
  });
}
