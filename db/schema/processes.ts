// Tables that the processes store for each other and for their next run.
import type { Flag, Json } from './columns.ts';

export type EngineRequestKind =
  | 'dial'
  | 'end-call'
  | 'control'
  | 'listen'
  | 'web-call'
  | 'voice-preview'
  | 'model-download'
  | 'model-test';

/** The API's requests to the engine. One engine claims each; a request past `expiresAt` is never carried out. */
export interface EngineRequestTable {
  id: string;
  accountId: string;
  kind: EngineRequestKind;
  callId: string | null;
  /** The engine that is to carry it out; null: any. */
  target: string | null;
  payload: Json;
  createdAt: number;
  expiresAt: number;
  claimedAt: number | null;
  claimedBy: string | null;
  doneAt: number | null;
  result: Json | null;
}

/** One row an engine process, written by itself every second and at each change of state. */
export interface EngineTable {
  id: string;
  /** Names the DATA_DIR, which has one engine at a time: an engine succeeds an earlier one of the same home. */
  home: string;
  release: string;
  pid: number;
  hostname: string;
  /** The PID namespace of `pid`; null if unknown. */
  pidNamespace: string | null;
  startedAt: number;
  heartbeatAt: number;
  /** `dead`: another engine has ended its calls. */
  state: 'starting' | 'up' | 'draining' | 'stopped' | 'dead';
  sipUri: string | null;
  mediaWsUrl: string | null;
  /** Where the other processes of the installation ask it (engine/cluster/control-server.ts); null: nowhere. */
  controlUrl: string | null;
  telephonyUp: Flag;
  maxCalls: number;
  activeCalls: number;
  /** New calls are refused for now, because the running ones come too late. */
  isLate: Flag;
  /**
   * The running models: {stt, tts, llm, freeText}, their faults, what their servers were found to refuse
   * (`LearnedOfServer`), how the ADMIN's settings were taken, and why `maxCalls` is what it is
   * (`db/domain/calls/limit.ts`).
   */
  models: Json;
  /** Metrics snapshot for `GET /metrics`. */
  metrics: Json;
  /** Ms that the database's clock is ahead of its machine's. */
  clockSkewMs: number;
}

/** API processes that share a database, by their heartbeat. */
export interface ProcessTable {
  id: string;
  kind: 'api';
  hostname: string;
  startedAt: number;
  heartbeatAt: number;
}

/** The right to do something that one process at a time may do. Times are the database's. */
export interface LeaseTable {
  name: string;
  holder: string;
  /** Grows with each holder: a write of an earlier holder is refused. */
  epoch: number;
  expiresAt: number;
}

/** Operations of the engines' spools that have been applied: a repeated one does nothing. */
export interface AppliedOperationTable {
  id: string;
  appliedAt: number;
}

/** One row, written by the engine at its start. */
export interface EngineVoicesTable {
  id: 1;
  /** The engine's voices, the default first. */
  voices: Json;
}

export interface IdempotencyKeyTable {
  accountId: string;
  key: string;
  method: string;
  path: string;
  bodyHash: string;
  /** Null while the first request runs. */
  statusCode: number | null;
  response: string | null;
  /** The process that runs it, see db/shared/process/process-lives.ts: a row of a dead process is free again. */
  owner: string;
  createdAt: number;
}

/** When each retention job ran last. */
export interface JobTable {
  name: string;
  lastRunAt: number;
}
