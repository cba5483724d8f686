// Single-use tokens and codes: mailed links and reset codes, and logins that await their second factor.
import type { OneTimeTokenTable } from '../../schema/users.ts';
import type { Db } from '../../schema.ts';
import type { AppEnv } from '../../shared/process/app-env.ts';

/** The purpose of a token, and its issuing environment: no other environment accepts it. */
interface OneTimeKind {
  kind: OneTimeTokenTable['kind'];
  appEnv: AppEnv;
}

type NewToken = Omit<OneTimeTokenTable, 'provider'> & Partial<Pick<OneTimeTokenTable, 'provider'>>;

export async function insertOneTimeToken(db: Db, token: NewToken): Promise<void> {
  await db
    .insertInto('oneTimeTokens')
    .values({ provider: null, ...token })
    .execute();
}

/** Unused and unexpired tokens. */
const liveTokens = (db: Db, { kind, appEnv }: OneTimeKind, nowMs: number) =>
  db
    .selectFrom('oneTimeTokens')
    .selectAll()
    .where('kind', '=', kind)
    .where('appEnv', '=', appEnv)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', nowMs);

/** A live token by its hash. */
export function findOneTimeToken(
  db: Db,
  kind: OneTimeKind,
  tokenHash: string,
  nowMs: number,
): Promise<OneTimeTokenTable | undefined> {
  return liveTokens(db, kind, nowMs).where('tokenHash', '=', tokenHash).executeTakeFirst();
}

/** The newest live token of a user, for codes too short for a look-up by hash. */
export function findNewestOneTimeToken(
  db: Db,
  kind: OneTimeKind,
  userId: string,
  nowMs: number,
): Promise<OneTimeTokenTable | undefined> {
  return liveTokens(db, kind, nowMs)
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('tokenHash')
    .limit(1)
    .executeTakeFirst();
}

/** Counts a try before it is checked; false when none is left. */
export async function countTry(db: Db, tokenHash: string, triesMax: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oneTimeTokens')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('tokenHash', '=', tokenHash)
    .where('tries', '<', triesMax)
    .where('usedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Uses a token up; false when another request was first. */
export async function useOneTimeToken(db: Db, tokenHash: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oneTimeTokens')
    .set({ usedAt: nowMs })
    .where('tokenHash', '=', tokenHash)
    .where('usedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Invalidates a user's live tokens of a kind, since a newer one replaces them. */
export async function expireOneTimeTokens(
  db: Db,
  { kind, appEnv }: OneTimeKind,
  userId: string,
  nowMs: number,
): Promise<void> {
  await db
    .updateTable('oneTimeTokens')
    .set({ usedAt: nowMs })
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('appEnv', '=', appEnv)
    .where('usedAt', 'is', null)
    .execute();
}

/** Whether a user has a live token of a kind, of any environment. */
export async function hasLiveToken(db: Db, kind: OneTimeKind['kind'], userId: string, nowMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('oneTimeTokens')
    .select('tokenHash')
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', nowMs)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
