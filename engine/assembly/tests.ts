// Test suites in this engine: evals by its models in text, simulations as calls of its own line.
import { testRecordingsDir } from '../../db/shared/files/test-recordings.ts';
import { TenantTools } from '../call/own-tools.ts';
import { createCallStore } from '../call/store.ts';
import type { Switchboard } from '../switchboard/switchboard.ts';
import { createRunEval } from '../test-runs/eval.ts';
import type { ExpectedCalls } from '../test-runs/expected-calls.ts';
import { createRunSimulation } from '../test-runs/simulation.ts';
import { TestRuns } from '../test-runs/test-runs.ts';
import type { Media } from './media.ts';
import type { Storage } from './storage.ts';

interface TestedCalls {
  switchboard: Pick<Switchboard, 'depsOfCall'>;
  expectedTests: ExpectedCalls;
  /** Where this engine takes calls. */
  sipUri: string;
}

export function createTestRuns(storage: Storage, media: Media, calls: TestedCalls): TestRuns {
  const { dialogue, fleet } = media;
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
    lanes: { simulation: config.testCalls },
    runners: {
      eval: runEval,
      simulation: createRunSimulation({
        ...{ read, engineId, clock, log, judgeModel: config.judgeModel, callerModel: config.callerModel },
        get model() {
          return dialogue.model;
        },
        conductorDeps: () => calls.switchboard.depsOfCall(),
        expected: calls.expectedTests,
        sipAddress: reachableAt(calls.sipUri),
        admission: media.load.admission,
        recordingsDir: testRecordingsDir(config.dataDir),
      }),
    },
  });
}

/** A socket on all addresses is called on this machine's own. */
function reachableAt(sipUri: string): string {
  const [, host = '127.0.0.1', port = '5060'] = /^sip:(?:[^@]*@)?(\[[^\]]+\]|[^:;]+)(?::(\d+))?/.exec(sipUri) ?? [];
  return `${host === '0.0.0.0' || host === '[::]' ? '127.0.0.1' : host}:${port}`;
}
