// A lease as a row with a time, renewed while its holder lives; a session's advisory lock beside it tells at once that
// a holder was killed. The row decides: the lock stays with a frozen process, and a cut connection loses it.
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import type { Lease } from '../lease.ts';
import { loadPg } from './open.ts';

const LASTS_MS = 5_000;
/** Of the time that a lease lasts. */
const SHARES = {
  renewEvery: 0.3,
  answerWithin: 0.6,
  /** A holder that has not renewed for so long stops by itself, before another process can take the lease. */
  stopsAfter: 0.7,
} as const;

/** A process asks twice a second: the server keeps the plan. */
const named = (name: string, text: string): { name: string; text: string } => ({ name, text });

const DATABASE_NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
/** Marks a holder whose session has no lock, because a frozen one still has it. */
const WITHOUT_LOCK = '!';
/**
 * A process that gets the session's lock knows that the session of a holder with the lock has ended, and need not wait.
 */
const TAKE = named(
  'take',
  `insert into leases (name, holder, epoch, expires_at) values ($1, $2, 1, ${DATABASE_NOW} + $3::bigint)
  on conflict (name) do update
    set holder = excluded.holder, epoch = leases.epoch + 1, expires_at = excluded.expires_at
    where leases.holder not like '%${WITHOUT_LOCK}' or leases.expires_at < ${DATABASE_NOW}
  returning epoch`,
);
/** Without the lock only what its holder failed to renew; what was given back (0) goes to who gets the lock. */
const TAKE_EXPIRED = named(
  'take-expired',
  `update leases
  set holder = $2 || '${WITHOUT_LOCK}', epoch = epoch + 1, expires_at = ${DATABASE_NOW} + $3::bigint
  where name = $1 and expires_at > 0 and expires_at < ${DATABASE_NOW}
  returning epoch`,
);
const RENEW = named(
  'renew',
  `update leases set expires_at = ${DATABASE_NOW} + $4::bigint, holder = $3 where name = $1 and epoch = $2`,
);
const GIVE_BACK = 'update leases set expires_at = 0 where name = $1 and epoch = $2';
const LOCK = named('lock', 'select pg_try_advisory_lock(1, hashtext($1)) as taken');
const UNLOCK = 'select pg_advisory_unlock(1, hashtext($1))';

/**
 * Sessions that asked in vain, for the next try: who waits asks twice a second, and a connection is dear. One for each
 * that waits in this process.
 */
const sessions = new Map<string, Session[]>();

/** With two methods that its types lack. */
type Session = Client & { ref(): void; unref(): void };

async function sessionTo(url: string, name: string, lastsMs: number): Promise<Session> {
  const key = `${name} ${url}`;
  const kept = sessions.get(key)?.pop();
  if (kept !== undefined) {
    kept.removeAllListeners('error').removeAllListeners('end');
    kept.ref();
    return kept;
  }
  const { Client } = await loadPg();
  const client = new Client({
    connectionString: url,
    application_name: `voice-${name}`,
    keepAlive: true,
    query_timeout: lastsMs * SHARES.answerWithin,
    // Each engine asks twice a second: planning took four times as long as the question.
    options: '-c plan_cache_mode=force_generic_plan',
  });
  client.on('error', () => undefined);
  await client.connect();
  client.removeAllListeners('error');
  return client as Session;
}

function keepSession(url: string, name: string, client: Session): void {
  const key = `${name} ${url}`;
  const waiting = sessions.get(key) ?? [];
  sessions.set(key, waiting);
  const forget = (): void => {
    const at = waiting.indexOf(client);
    if (at >= 0) waiting.splice(at, 1);
    client.end().catch(() => undefined);
  };
  client.on('error', forget);
  client.on('end', forget);
  // It must not keep the process alive.
  client.unref();
  waiting.push(client);
}

/** Takes the lease of that name, which ends `lastsMs` after its last renewal; null while another process holds it. */
export async function tryPostgresLease(url: string, name: string, lastsMs = LASTS_MS): Promise<Lease | null> {
  const client = await sessionTo(url, name, lastsMs);
  const holder = randomUUID();
  let isOpen = true;
  let renewing: NodeJS.Timeout | undefined;
  const lose = (): void => {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(renewing);
    client.end().catch(() => undefined);
  };
  client.on('error', lose);
  client.on('end', lose);
  let hasLock: boolean;
  let renewedAtMs: number;
  let rows: Array<{ epoch: unknown }>;
  try {
    hasLock = (await client.query({ ...LOCK, values: [name] })).rows[0]?.taken === true;
    renewedAtMs = performance.now();
    ({ rows } = await client.query({ ...(hasLock ? TAKE : TAKE_EXPIRED), values: [name, holder, lastsMs] }));
  } catch (error) {
    lose();
    throw error;
  }
  const [row] = rows;
  if (row === undefined) {
    if (hasLock) lose();
    else if (isOpen) {
      client.off('error', lose);
      client.off('end', lose);
      keepSession(url, name, client);
    }
    return null;
  }
  const epoch = Number(row.epoch);
  const key = [name, epoch];
  const renew = async (): Promise<void> => {
    const askedAtMs = performance.now();
    // The earlier holder, frozen until now, may have had it.
    if (!hasLock) hasLock = (await client.query({ ...LOCK, values: [name] })).rows[0]?.taken === true;
    const holderNow = hasLock ? holder : holder + WITHOUT_LOCK;
    if ((await client.query({ ...RENEW, values: [...key, holderNow, lastsMs] })).rowCount === 0) return lose();
    renewedAtMs = askedAtMs;
  };
  renewing = setInterval(() => void renew().catch(lose), lastsMs * SHARES.renewEvery);
  renewing.unref();
  return {
    name,
    epoch,
    get isHeld() {
      if (isOpen && performance.now() - renewedAtMs >= lastsMs * SHARES.stopsAfter) lose();
      return isOpen;
    },
    async release() {
      try {
        if (isOpen) await client.query(GIVE_BACK, key);
        // The session's end would free it too, a moment later.
        if (isOpen) await client.query(UNLOCK, [name]);
      } catch {
        // The database is away: it frees what the session had.
      }
      lose();
    },
  };
}
