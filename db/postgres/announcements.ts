// Announces commits to the other processes. Each announcement wakes every process of the installation, so only changes
// that somebody waits for are announced, and the less urgent ones are gathered first.

/** The channel on which all commits are announced: that of the APIs. */
const CHANGES_CHANNEL = 'voice_changes';
/** Without what no engine follows. It is written in each call, and would wake every engine of the installation. */
const ENGINES_CHANNEL = 'voice_engines';
const NOT_FOR_ENGINES: ReadonlySet<string> = new Set(['events', 'call_feed', 'webhooks', 'webhook_queue']);
/** The channel of one engine alone. */
const channelOf = (engineId: string): string => `voice_${engineId}`;

/** Where a process listens; null: an API. */
export const channelsOf = (engineId: string | null): readonly string[] =>
  engineId === null ? [CHANGES_CHANNEL] : [ENGINES_CHANNEL, channelOf(engineId)];

/** Announcements of one process are so far apart. */
const ANNOUNCE_EVERY_MS = 10;
/** The delay of changes that nobody waits for at once. */
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
  'call_problems',
  'call_timelines',
  'cursors',
  'dial_attempts',
  'hour_changes',
  'idempotency_keys',
  'jobs',
  'leases',
  'processes',
  'read_invites',
  'refused_calls',
  'test_cases',
  'test_results',
  'test_suites',
  'transfer_legs',
  'turn_minutes',
  'usage_changes',
  'webhook_deliveries',
]);

/**
 * By table, the columns that others wait for: the end of a call, a request that may be taken, a view, the state of an
 * engine.
 */
const WATCHED: Readonly<Record<string, RegExp>> = {
  calls: /\bended_at"? = /i,
  engine_requests: /^insert|\btarget"? = /i,
  live_views: /^(insert|update)/i,
  test_runs: /^insert/i,
  engines: /^insert|\bstate"? = /i,
};

/** The tables that a statement writes; `do update set` names none. */
const WRITTEN = /\b(?:insert into|update|delete from) (?!set\b)"?(\w+)/gi;

/** A table whose change others wait for, with the engine that waits for it if the others do not: `TABLE@ENGINE`. */
export type Topic = string;

interface Announced {
  tables: readonly string[];
  /** The parameter that names the engine of a request; null: a request of any, or none. */
  target: number | null;
}

/** The topics that others wait for in the change by this statement. */
export function topicsOf(text: string, parameters: readonly unknown[]): readonly Topic[] {
  let found = announced.get(text);
  if (found === undefined) {
    found = findAnnounced(text);
    if (announced.size >= TEXTS_MAX) announced.clear();
    announced.set(text, found);
  }
  const { tables, target } = found;
  const engineId = target === null ? null : parameters[target];
  if (typeof engineId !== 'string') return tables;
  return tables.map((table) => (table === REQUESTS ? `${table}@${engineId}` : table));
}

/** By the text of the statement. */
const announced = new Map<string, Announced>();
const TEXTS_MAX = 500;
const REQUESTS = 'engine_requests';

function findAnnounced(text: string): Announced {
  const written = [...text.matchAll(WRITTEN)].map(([, table]) => String(table));
  const tables = written.filter((table) => !UNWATCHED.has(table) && (WATCHED[table]?.test(text) ?? true));
  return { tables, target: tables.includes(REQUESTS) ? targetIn(text) : null };
}

/** One row's columns and values, as kysely writes them. */
const ONE_REQUEST = /^insert into "engine_requests" \(([^)]*)\) values \(([^)]*)\)$/;

function targetIn(text: string): number | null {
  const [, columns = '', values = ''] = ONE_REQUEST.exec(text) ?? [];
  const inserted = values.split(', ')[columns.split(', ').indexOf('"target"')];
  const value = inserted ?? /^update "engine_requests" set [^;]*?"target" = (\$\d+)/.exec(text)?.[1] ?? '';
  const [, place] = /^\$(\d+)$/.exec(value) ?? [];
  return place === undefined ? null : Number(place) - 1;
}

/** The payload of each channel: names of tables. */
export function payloadsOf(topics: ReadonlySet<Topic>): ReadonlyMap<string, string> {
  const payloads = new Map<string, Set<string>>();
  const add = (channel: string, table: string): void => {
    const tables = payloads.get(channel) ?? new Set();
    payloads.set(channel, tables.add(table));
  };
  for (const topic of topics) {
    const [table = '', engineId] = topic.split('@');
    // Engines of a release before these channels listen here, too.
    add(CHANGES_CHANNEL, table);
    if (engineId !== undefined) add(channelOf(engineId), table);
    else if (!NOT_FOR_ENGINES.has(table)) add(ENGINES_CHANNEL, table);
  }
  return new Map([...payloads].map(([channel, tables]) => [channel, [...tables].join(',')]));
}

/**
 * Tells topics, those of commits that follow closely together. Outside of the transactions: a NOTIFY within would make
 * all commits of the installation wait for each other.
 */
export function announcer(send: (topics: ReadonlySet<Topic>) => Promise<void>): (topics: ReadonlySet<Topic>) => void {
  let timer: NodeJS.Timeout | null = null;
  let firesAtMs = Number.POSITIVE_INFINITY;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  let waiting = new Set<Topic>();
  const tell = (): void => {
    timer = null;
    firesAtMs = Number.POSITIVE_INFINITY;
    toldAtMs = performance.now();
    const topics = waiting;
    waiting = new Set();
    // Listeners also look every second, so an announcement may be lost.
    send(topics).catch(() => undefined);
  };
  return (topics) => {
    for (const topic of topics) waiting.add(topic);
    const isUrgent = [...topics].some((topic) => URGENT.has(topic.split('@')[0] ?? ''));
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
