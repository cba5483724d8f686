// Notices commits of the other processes: LISTEN, and a look every second in case an announcement was lost.
import type { Client } from 'pg';
import { channelsOf } from './announcements.ts';
import { loadPg } from './open.ts';

const LOOK_EVERY_MS = 1_000;
const RECONNECT_MIN_MS = 100;
const RECONNECT_MAX_MS = 2_000;

/**
 * Calls `onChange` after commits with the tables that they changed, null for any, at most once per `pollMs`.
 * `engineId`: of an engine, which is told of its own requests and of no other's; null: of an API. Returns a function
 * that stops.
 */
export function watchPostgres(
  url: string,
  onChange: (tables: ReadonlySet<string> | null) => void,
  pollMs: number,
  engineId: string | null = null,
): () => void {
  let client: Client | null = null;
  let stopped = false;
  let pending: NodeJS.Timeout | null = null;
  let retryMs = RECONNECT_MIN_MS;

  let changed = new Set<string>();
  let isAnyChanged = false;

  let toldAtMs = Number.NEGATIVE_INFINITY;
  const tell = (): void => {
    pending = null;
    toldAtMs = performance.now();
    const seen = isAnyChanged ? null : changed;
    changed = new Set();
    isAnyChanged = false;
    if (!stopped) onChange(seen);
  };
  /** Without an argument: anything may have. A first change is told at once, what follows closely, together. */
  const notice = (tables?: string): void => {
    if (tables === undefined) isAnyChanged = true;
    else for (const table of tables.split(',')) changed.add(table);
    pending ??= setTimeout(tell, Math.max(0, toldAtMs + pollMs - performance.now()));
  };
  const listen = async (): Promise<void> => {
    const { Client } = await loadPg();
    if (stopped) return;
    const fresh = new Client({ connectionString: url, application_name: 'voice-changes', keepAlive: true });
    let isOver = false;
    const again = (): void => {
      if (isOver) return;
      isOver = true;
      fresh.end().catch(() => undefined);
      if (stopped) return;
      setTimeout(() => void listen(), retryMs * (0.5 + Math.random() / 2)).unref();
      retryMs = Math.min(retryMs * 2, RECONNECT_MAX_MS);
    };
    fresh.on('error', again);
    fresh.on('end', again);
    fresh.on('notification', ({ payload }) => notice(payload));
    try {
      await fresh.connect();
      for (const channel of channelsOf(engineId)) await fresh.query(`listen ${fresh.escapeIdentifier(channel)}`);
    } catch {
      return again();
    }
    if (stopped) return again();
    client = fresh;
    retryMs = RECONNECT_MIN_MS;
    // Changes before this connection were not announced to it.
    notice();
  };
  void listen();
  const timer = setInterval(() => notice(), LOOK_EVERY_MS);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
    if (pending !== null) clearTimeout(pending);
    client?.end().catch(() => undefined);
  };
}
