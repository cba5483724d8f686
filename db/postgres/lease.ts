// A lease as a row with a time, renewed while its holder lives; a session's advisory lock beside it tells at once that
// a holder was killed. The row decides: the lock stays with a frozen process, and a cut connection loses it.
import { randomUUID } from 'node:crypto';
import type { Lease } from '../lease.ts';
import { loadPg } from './open.ts';

const LASTS_MS = 5_000;
const RENEW_EVERY_MS = 1_500;
/** A holder that has not renewed for so long stops by itself, before another process can take the lease. */
const STOPS_AFTER_MS = 3_500;
const ANSWER_WITHIN_MS = 3_000;

const DATABASE_NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
/** Whoever gets the session's lock knows that the holder's session has ended, and need not wait. */
const TAKE = `insert into leases (name, holder, epoch, expires_at) values ($1, $2, 1, ${DATABASE_NOW} + ${LASTS_MS})
  on conflict (name) do update
    set holder = excluded.holder, epoch = leases.epoch + 1, expires_at = excluded.expires_at
    where $3 or leases.expires_at < ${DATABASE_NOW}
  returning epoch`;
const RENEW = `update leases set expires_at = ${DATABASE_NOW} + ${LASTS_MS}
  where name = $1 and holder = $2 and epoch = $3`;
const GIVE_BACK = 'update leases set expires_at = 0 where name = $1 and holder = $2 and epoch = $3';
const LOCK = 'select pg_try_advisory_lock(1, hashtext($1)) as taken';

/** Takes the lease of that name; null while another process holds it. */
export async function tryPostgresLease(url: string, name: string): Promise<Lease | null> {
  const { Client } = await loadPg();
  const client = new Client({
    connectionString: url,
    application_name: `voice-${name}`,
    keepAlive: true,
    query_timeout: ANSWER_WITHIN_MS,
  });
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
  await client.connect();
  let hasLock = (await client.query(LOCK, [name])).rows[0]?.taken === true;
  let renewedAtMs = performance.now();
  const { rows } = await client.query(TAKE, [name, holder, hasLock]);
  if (rows.length === 0) {
    lose();
    return null;
  }
  const epoch = Number(rows[0].epoch);
  const key = [name, holder, epoch];
  const renew = async (): Promise<void> => {
    const askedAtMs = performance.now();
    if ((await client.query(RENEW, key)).rowCount === 0) return lose();
    renewedAtMs = askedAtMs;
    // The earlier holder, frozen until now, may have had it.
    if (!hasLock) hasLock = (await client.query(LOCK, [name])).rows[0]?.taken === true;
  };
  renewing = setInterval(() => void renew().catch(lose), RENEW_EVERY_MS);
  renewing.unref();
  return {
    name,
    epoch,
    get isHeld() {
      if (isOpen && performance.now() - renewedAtMs >= STOPS_AFTER_MS) lose();
      return isOpen;
    },
    async release() {
      if (isOpen) await client.query(GIVE_BACK, key).catch(() => undefined);
      lose();
    },
  };
}
