// The scope of a transaction: it keeps others off the rows it names, so that no rule that reads before it writes is
// overtaken. SQLite has one writer at a time, whatever is said here. PostgreSQL runs those side by side that name what
// they decide over; a transaction that names nothing runs alone, and a single statement beside all of these.
import { type DatabaseConnection, sql } from 'kysely';
import { dialectOf } from './dialect.ts';
import type { Db } from './schema.ts';

/** Two transactions that name the same account, call or word follow one another. */
export interface Scope {
  accounts?: readonly string[];
  calls?: readonly string[];
  words?: readonly string[];
}

/** The beginning of a PostgreSQL transaction besides its locks. */
export interface Entry {
  /** Nothing is written for it if others took it for dead (`isDeadEngine`). */
  engineId: string | null;
  /** Operations that are noted as applied; if one is already, nothing is written (`isAppliedBefore`). */
  operations: readonly string[];
  nowMs: number;
  /** Its writes may be lost with the database's machine, so the commit need not wait for the disk. */
  isLosable: boolean;
}

/** SQLSTATEs of `enter_operation`. */
export const isDeadEngine = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'VO001';
export const isAppliedBefore = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'VO002';

interface Beginning {
  scope: Scope | null;
  entry: Entry | null;
}

/**
 * The scope that the next transaction of a connection names. An AsyncLocalStorage would carry it as well, but from its
 * first use on every promise of the process takes four times as long (Node 22, by its promise hooks).
 */
const beginnings = new WeakMap<DatabaseConnection, Beginning>();

/** A transaction that excludes no more than `scope` names; null: it is alone. */
export function transact<T>(
  db: Db,
  scope: Scope | null,
  work: (tx: Db) => Promise<T>,
  entry: Entry | null = null,
): Promise<T> {
  if (dialectOf(db).hasOneWriter) return db.transaction().execute(work);
  return db.connection().execute(async (held) => {
    await held.getExecutor().provideConnection(async (connection) => {
      beginnings.set(connection, { scope, entry });
    });
    return held.transaction().execute(work);
  });
}

/** The last free places of the installation. */
export const PLACES = 'places';
/** The word for a trunk's capacity. */
export const trunkWord = (trunkId: string): string => `trunk ${trunkId}`;
/** The word for a business's times: one appointment of it is booked, moved or cancelled at a time. */
export const appointmentsWord = (businessId: string): string => `appointments ${businessId}`;

/** One engine answers a conversation, and its row and its messages are changed by one at a time. */
export const CONVERSATIONS: Scope = { words: ['conversations'] };
/** Notices are made, joined into messages and sent by one at a time. */
export const NOTICES: Scope = { words: ['notices'] };
/** Uses are priced by one at a time, and prices change while none does. */
export const COSTS: Scope = { words: ['costs'] };
/** The queues of webhooks: the fan-out must not add to one that a result takes away. */
export const WEBHOOKS: Scope = { words: ['webhooks'] };
/** Cases of a test run are claimed and counted by one engine at a time. */
export const TEST_RUNS: Scope = { words: ['test runs'] };

/**
 * Names one word more, within a transaction, once it is known. All name them in this order, so that no two wait for
 * each other: accounts, calls, places, trunks.
 */
export async function alsoExclude(tx: Db, word: string): Promise<void> {
  if (dialectOf(tx).hasOneWriter) return;
  await sql.raw(`select pg_advisory_xact_lock(${WORD}, ${keyOf(word)})`).execute(tx);
}

/** The writers' lock: those in a scope share it, one that is alone has it. */
const WRITERS = 0x766f6963;
// Two keys lie apart from one key; 1 is the leases'.
const ACCOUNT = 2;
const CALL = 3;
const WORD = 4;

/** A `select` that takes locks; its text depends on their kinds alone, so that the server can keep its plan. */
export interface LockStatement {
  text: string;
  values: Array<number | string | string[] | null>;
  /** The work looks at nothing but rows, so that its first statement may go out behind this one. */
  isFollowed: boolean;
}

const SHARED = `pg_advisory_xact_lock_shared(${WRITERS})`;
const ALONE = `pg_advisory_xact_lock(${WRITERS})`;

/** The statement that takes a transaction's locks as it begins on this connection. */
export function locksAtBegin(connection: DatabaseConnection): LockStatement {
  const { scope, entry } = beginnings.get(connection) ?? { scope: null, entry: null };
  beginnings.delete(connection);
  const values: LockStatement['values'] = [];
  const steps = scope === null ? [ALONE] : [SHARED, ...locksOf(scope, values)];
  if (entry?.isLosable) steps.push("set_config('synchronous_commit', 'off', true)");
  // After the locks: it sees what those had written who held them.
  if (entry !== null) {
    const [engine, operations, at] = [entry.engineId, [...entry.operations], entry.nowMs].map(
      (value) => `$${values.push(value)}`,
    );
    steps.push(`enter_operation(${engine}, ${operations}, ${at})`);
  }
  return { text: `select ${steps.join(', ')}`, values, isFollowed: entry !== null };
}

function locksOf(scope: Scope, values: LockStatement['values']): string[] {
  const locks: string[] = [];
  for (const [kind, names = []] of [
    [ACCOUNT, scope.accounts],
    [CALL, scope.calls],
    [WORD, scope.words],
  ] as const) {
    const keys = [...new Set(names.map(keyOf))].sort((a, b) => a - b);
    for (const key of keys) locks.push(`pg_advisory_xact_lock(${kind}, $${values.push(key)})`);
  }
  return locks;
}

/** The locks of a single statement that writes. */
export const locksOfStatement = (): LockStatement => ({ text: `select ${SHARED}`, values: [], isFollowed: true });

/** 32 bits by FNV-1a: two names with one key only wait for each other without need. */
function keyOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash | 0;
}

const LOOK_EVERY_MS = 3;
const LOOK_FOR_MS = 1_000;

/**
 * Resolves when every transaction that may write now has ended, and with false if one goes on for a second. Their
 * rows are visible then, also rows with a lower number than one that is visible already.
 */
export async function writersEnded(db: Db): Promise<boolean> {
  if (dialectOf(db).hasOneWriter) return true;
  const atFirst = await writersUnderWay(db);
  for (let waitedMs = 0; waitedMs < LOOK_FOR_MS; waitedMs += LOOK_EVERY_MS) {
    const now = waitedMs === 0 ? atFirst : await writersUnderWay(db);
    if (!atFirst.some((writer) => now.includes(writer))) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return false;
}

async function writersUnderWay(db: Db): Promise<string[]> {
  const { rows } = await sql<{ virtualtransaction: string }>`
    select virtualtransaction from pg_locks
    where locktype = 'advisory' and classid = 0 and objid = ${WRITERS} and objsubid = 1 and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.map(({ virtualtransaction }) => virtualtransaction);
}
