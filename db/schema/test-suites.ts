// Test suites, their cases, their runs, and what came of each case in a run.
import type { TestKind, TestResultStatus, TestRunStatus } from '../domain/tests/definitions.ts';
import type { Flag, Json } from './columns.ts';

export interface TestSuiteTable {
  id: string;
  accountId: string;
  businessId: string;
  /** Whose greeting, task and tools count too; null: the business's alone. */
  campaignId: string | null;
  agentId: string;
  name: string;
  /** Its evals run when its agent, business or tools have changed. */
  runOnSave: Flag;
  /** Drafts are published once it has passed with them. */
  requiredToPublish: Flag;
  /** The model that answers a judge's questions; null: the environment's. */
  judge: string | null;
  /** A change waits for its run, once no other has come meanwhile. */
  dueAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface TestCaseTable {
  id: string;
  accountId: string;
  suiteId: string;
  kind: TestKind;
  name: string;
  /** From 0. */
  position: number;
  definition: Json; // EvalDefinition | SimulationDefinition
  /** It was made of this call, and goes with it; null: of none of ours. */
  callId: string | null;
  createdAt: number;
  updatedAt: number;
}

/** A caller's sentence of a call that is kept as a test. */
export interface TestClipTable {
  caseId: string;
  /** In the case's script, from 0. */
  position: number;
  accountId: string;
  suiteId: string;
  /** It goes with this call. */
  callId: string;
  sampleRateHz: number;
  /** PCM16, mono. */
  audio: Buffer;
}

export interface TestRunTable {
  id: string;
  accountId: string;
  suiteId: string;
  status: TestRunStatus;
  cause: 'request' | 'save';
  /** The same seed gives the same conversation, as far as the model does. */
  seed: number;
  agentVersion: number | null;
  businessVersion: number | null;
  total: number;
  passed: number;
  failed: number;
  errors: number;
  /** Characters of conversations and checks that were written down. */
  bytes: number;
  /** When one of its cases was last taken: runs take turns by it. */
  touchedAt: number;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
}

export interface TestResultTable {
  id: string;
  accountId: string;
  runId: string;
  caseId: string;
  kind: TestKind;
  /** The case as it was when the run began: later changes of it are no part of the run. */
  caseName: string;
  position: number;
  definition: Json; // EvalDefinition | SimulationDefinition; `{}` once it is done
  status: TestResultStatus;
  checks: Json; // TestCheckResult[]
  transcript: Json; // TestLine[]
  /** Why it could not be run. */
  error: string | null;
  /** The case's, when the run began. */
  callId: string | null;
  /** The format of its row in `test_recordings`; null: there is none. */
  recording: 'mp3' | null;
  attempts: number;
  /** The engine that runs it, and until when nobody else may. */
  claimedBy: string | null;
  claimUntil: number | null;
  durationMs: number | null;
}

/** A simulation as it was said and heard. */
export interface TestRecordingTable {
  resultId: string;
  accountId: string;
  runId: string;
  bytes: number;
  createdAt: number;
  /** MP3, the caller left, the agent right. */
  audio: Buffer;
}
