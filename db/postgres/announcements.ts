// What is told to the other processes after a commit. Each announcement wakes every process of the installation, so
// nothing is told that nobody waits for, and what can wait a moment waits for others.

/** The channel on which commits are announced. */
export const CHANGES_CHANNEL = 'voice_changes';

/** Announcements of one process are so far apart. */
const ANNOUNCE_EVERY_MS = 10;
/** What nobody waits for at once. */
const ANNOUNCE_LATE_MS = 50;

/** Somebody waits: a client for its call, a subscription for its event, a place for the next call. */
const URGENT: ReadonlySet<string> = new Set([
  'engine_requests',
  'events',
  'webhooks',
  'webhook_queue',
  'calls',
  'engines',
]);

/** Read when they are needed, or by nobody but who writes them. */
const UNWATCHED: ReadonlySet<string> = new Set([
  'account_hours',
  'account_usage',
  'applied_operations',
  'call_continuations',
  'call_dialogs',
  'call_timelines',
  'cursors',
  'dial_attempts',
  'hour_changes',
  'idempotency_keys',
  'jobs',
  'leases',
  'processes',
  'refused_calls',
  'transfer_legs',
  'turn_minutes',
  'usage_changes',
  'webhook_deliveries',
]);

/** What of a table others wait for: the end of a call, a request that may be taken, a view, the state of an engine. */
const WATCHED: Readonly<Record<string, RegExp>> = {
  calls: /\bended_at"? = /i,
  engine_requests: /^insert|\btarget"? = /i,
  live_views: /^(insert|update)/i,
  engines: /^insert|\bstate"? = /i,
};

/** The tables that a statement writes. */
const WRITTEN = /\b(?:insert into|update|delete from) "?(\w+)/gi;

/** The tables whose change by this statement others wait for. */
export function announcedTables(text: string): readonly string[] {
  let tables = announced.get(text);
  if (tables === undefined) {
    tables = findAnnounced(text);
    if (announced.size >= TEXTS_MAX) announced.clear();
    announced.set(text, tables);
  }
  return tables;
}

/** By the text of the statement. */
const announced = new Map<string, readonly string[]>();
const TEXTS_MAX = 500;

function findAnnounced(text: string): string[] {
  const tables = [...text.matchAll(WRITTEN)].map(([, table]) => String(table));
  return tables.filter((table) => !UNWATCHED.has(table) && (WATCHED[table]?.test(text) ?? true));
}

/**
 * Tells tables, those of commits that follow closely together. Outside of the transactions: a NOTIFY within would make
 * all commits of the installation wait for each other.
 */
export function announcer(send: (tables: ReadonlySet<string>) => Promise<void>): (tables: ReadonlySet<string>) => void {
  let timer: NodeJS.Timeout | null = null;
  let firesAtMs = Number.POSITIVE_INFINITY;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  let waiting = new Set<string>();
  const tell = (): void => {
    timer = null;
    firesAtMs = Number.POSITIVE_INFINITY;
    toldAtMs = performance.now();
    const tables = waiting;
    waiting = new Set();
    // Listeners also look every second, so an announcement may be lost.
    send(tables).catch(() => undefined);
  };
  return (tables) => {
    for (const table of tables) waiting.add(table);
    const isUrgent = [...tables].some((table) => URGENT.has(table));
    const nowMs = performance.now();
    const atMs = isUrgent ? Math.max(nowMs, toldAtMs + ANNOUNCE_EVERY_MS) : nowMs + ANNOUNCE_LATE_MS;
    if (atMs >= firesAtMs) return;
    if (timer !== null) clearTimeout(timer);
    if (atMs <= nowMs) return tell();
    firesAtMs = atMs;
    timer = setTimeout(tell, atMs - nowMs);
    timer.unref();
  };
}
