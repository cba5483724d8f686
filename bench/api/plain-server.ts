// A plain server for comparison: GET /calls with Fastify and kysely as in their manuals, over the same table, with the
// same JSON in the answer. It looks up the token, but does not validate, limit, log or store anything.

import Database from 'better-sqlite3';
import fastify from 'fastify';
import { CamelCasePlugin, Kysely, SqliteDialect } from 'kysely';
import { hashToken } from '../../api/auth/secrets.ts';
import { callResource } from '../../db/records/call-record.ts';
import type { Schema } from '../../db/schema.ts';

const FILTERS = [
  'status',
  'direction',
  'outcome',
  'sentiment',
  'businessId',
  'campaignId',
  'agentId',
  'phoneNumberId',
] as const;
const DAY_MS = 86_400_000;

const raw = new Database(`${process.env.DATA_DIR}/voice.db`, { readonly: true });
const db = new Kysely<Schema>({
  dialect: new SqliteDialect({ database: raw }),
  plugins: [new CamelCasePlugin()],
});
const app = fastify();

app.get('/healthz', async () => ({ success: true, data: { status: 'ok' } }));

app.get<{ Querystring: Record<string, string> }>('/api/v1/calls', async ({ headers, query }, reply) => {
  const token = await db
    .selectFrom('accessTokens')
    .select('accountId')
    .where('tokenHash', '=', hashToken(headers.authorization?.slice('Bearer '.length) ?? ''))
    .executeTakeFirst();
  if (token === undefined) return reply.code(401).send({ success: false, error: 'Invalid token' });
  let calls = db.selectFrom('calls').where('accountId', '=', token.accountId);
  for (const name of FILTERS) {
    const value = query[name];
    if (value !== undefined) calls = calls.where(name, '=', value);
  }
  if (query.startDate !== undefined) calls = calls.where('startedAt', '>=', Date.parse(query.startDate));
  if (query.endDate !== undefined) {
    const isDay = query.endDate.length === 'YYYY-MM-DD'.length;
    calls = calls.where('startedAt', '<=', Date.parse(query.endDate) + (isDay ? DAY_MS - 1 : 0));
  }
  const limit = Number(query.limit ?? 20);
  const page = Number(query.page ?? 1);
  const rows = await calls
    .selectAll()
    .orderBy('startedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const { total } = await calls.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const ids = rows.map(({ id }) => id);
  const appointments = await db
    .selectFrom('appointments')
    .selectAll()
    .where('callId', 'in', ids)
    .orderBy('id')
    .execute();
  const totalPages = Math.ceil(total / limit);
  return {
    success: true,
    data: rows.map((row) =>
      callResource(
        row,
        appointments.filter(({ callId }) => callId === row.id),
      ),
    ),
    pagination: { page, limit, total, totalPages, hasNext: page < totalPages, hasPrev: page > 1 },
  };
});

for (const end of ['SIGTERM', 'disconnect']) process.on(end, () => process.exit(0));
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ type: 'ready', address });
