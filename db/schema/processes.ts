// What the processes store for each other and for their next run.
import type { Flag, Json } from './columns.ts';

export type EngineRequestKind = 'dial' | 'end-call' | 'web-call' | 'voice-preview' | 'model-download';

/** What the API asks of the engine. Claimed by one engine; a request past `expiresAt` is never carried out. */
export interface EngineRequestTable {
  id: string;
  accountId: string;
  kind: EngineRequestKind;
  callId: string | null;
  payload: Json;
  createdAt: number;
  expiresAt: number;
  claimedAt: number | null;
  claimedBy: string | null;
  doneAt: number | null;
  result: Json | null;
}

/** One row, written by the engine every second and at each change of state. */
export interface EngineStateTable {
  id: 1;
  engineId: string;
  pid: number;
  hostname: string;
  /** The PID name space that `pid` belongs to; null where it is not known. */
  pidNamespace: string | null;
  startedAt: number;
  heartbeatAt: number;
  state: 'starting' | 'up' | 'draining' | 'stopped';
  sipUri: string | null;
  mediaWsUrl: string | null;
  telephonyUp: Flag;
  maxCalls: number;
  activeCalls: number;
  /** What listens, thinks and speaks: {stt, tts, llm, freeText}. */
  models: Json;
  /** Metrics snapshot for `GET /metrics`. */
  metrics: Json;
}

/** One row, written by the engine at its start. */
export interface EngineVoicesTable {
  id: 1;
  /** The voices that it can speak with, the default one first. */
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
  /** The process that runs it, see api/process-lives.ts: a row of a dead process is free again. */
  owner: string;
  createdAt: number;
}

/** When each retention job ran last. */
export interface JobTable {
  name: string;
  lastRunAt: number;
}
