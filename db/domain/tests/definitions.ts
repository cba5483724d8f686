// A case of a test suite as it is kept: an eval in text, or a simulation by voice. Both have the same context, mocked
// tools and checks.
import type { TestCheck } from './checks.ts';

export const TEST_KINDS = ['eval', 'simulation'] as const;
export type TestKind = (typeof TEST_KINDS)[number];

export const RUN_STATUSES = ['QUEUED', 'RUNNING', 'PASSED', 'FAILED', 'ERROR', 'CANCELLED'] as const;
export type TestRunStatus = (typeof RUN_STATUSES)[number];
export const RESULT_STATUSES = ['QUEUED', 'RUNNING', 'PASSED', 'FAILED', 'ERROR'] as const;
export type TestResultStatus = (typeof RESULT_STATUSES)[number];

/** The answer of a tool that is not run. The first that fits the arguments counts. */
interface ToolMock {
  name: string;
  /** Arguments that the call must have at least; absent: any. */
  when?: Record<string, unknown>;
  /** The tool's answer; absent: null. */
  result?: unknown;
  /** It fails with this message instead. */
  error?: string;
  delayMs?: number;
}

interface TestContext {
  callerNumber?: string;
  callerName?: string;
  direction?: 'inbound' | 'outbound';
  variables?: Record<string, string>;
  /** The time at which the conversation begins, ISO 8601; absent: now. */
  now?: string;
  /** Times at which somebody has an appointment already. */
  booked?: Array<{ startsAt: string; endsAt: string }>;
}

interface Definition {
  /** In which the conversation is led, BCP 47; absent: the agent's. */
  language?: string;
  context?: TestContext;
  tools?: ToolMock[];
  /** Of the whole conversation. */
  checks: TestCheck[];
}

interface EvalTurn {
  say: string;
  /** Of the reply to this turn. */
  checks?: TestCheck[];
  /** The agent's words where the conversation was taken from; shown beside the reply, and not compared. */
  hint?: string;
}

export interface EvalDefinition extends Definition {
  /** The conversation before the first turn. */
  history?: Array<{ role: 'agent' | 'caller'; text: string }>;
  turns: EvalTurn[];
}

/** The line on which a simulated caller is heard. */
export interface SimulatedLine {
  /** Decibels between speech and noise. */
  noiseDb?: number;
  lossPercent?: number;
  echo?: boolean;
  interruptions?: boolean;
}

export interface SimulationDefinition extends Definition {
  caller: {
    voice?: string;
    language?: string;
    line?: SimulatedLine;
    /** Sentences in order, each once the agent has said what `after` names. */
    script?: Array<{
      after?: string;
      say: string;
      /** The agent's words before it, where a call was kept as a test: a question for the same is waited for. */
      heard?: string;
      /** The caller's own voice says it: which of the case's clips. */
      clip?: number;
    }>;
    /** The caller's wish, where there is no script. */
    goal?: string;
    /** Facts by which the caller answers questions. */
    facts?: Record<string, string>;
    /** Decides on the next sentence towards the goal; absent: a model where there is one. */
    drivenBy?: 'rules' | 'model';
  };
}

/** A line of a test's conversation. `atMs`: of simulations, its beginning in the recording. */
export type TestLine =
  | { role: 'agent' | 'caller'; text: string; turn: number | null; hint?: string; atMs?: number }
  | {
      role: 'tool';
      name: string;
      arguments: Record<string, unknown>;
      result: unknown;
      ok: boolean;
      turn: number | null;
      atMs?: number;
    }
  | { role: 'note'; text: string; turn: number | null };
