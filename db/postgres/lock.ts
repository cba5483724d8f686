// A lock that ends with the connection of the process that holds it, as a file's lock ends with its process.
import type { ProcessLock } from '../process-lock.ts';
import { loadPg } from './open.ts';

/** A connection that is cut without a word is noticed by a question that has no answer. */
const ASK_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 3_000;

/** Takes the lock of that name; null while another process holds it. */
export async function tryPostgresLock(url: string, name: string): Promise<ProcessLock | null> {
  const { Client } = await loadPg();
  const client = new Client({
    connectionString: url,
    application_name: `voice-${name}`,
    keepAlive: true,
    query_timeout: ANSWER_WITHIN_MS,
  });
  let isHeld = false;
  let isOpen = true;
  let asking: NodeJS.Timeout | undefined;
  const lose = (): void => {
    if (!isOpen) return;
    isOpen = false;
    isHeld = false;
    clearInterval(asking);
    client.end().catch(() => undefined);
  };
  client.on('error', lose);
  client.on('end', lose);
  await client.connect();
  const { rows } = await client.query('select pg_try_advisory_lock(1, hashtext($1)) as taken', [name]);
  isHeld = rows[0]?.taken === true;
  if (!isHeld) {
    lose();
    return null;
  }
  asking = setInterval(() => void client.query('select 1').catch(lose), ASK_EVERY_MS);
  asking.unref();
  return {
    get isHeld() {
      return isHeld;
    },
    release: lose,
  };
}
