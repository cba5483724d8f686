// What other processes are told of a commit: what somebody waits for, together where it follows closely.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { announcedTables, announcer } from '../../db/postgres/announcements.ts';

test('a request that may be taken, an end and a state are told; what only its writer needs is not', () => {
  assert.deepEqual(announcedTables('insert into "engine_requests" ("id") values ($1)'), ['engine_requests']);
  assert.deepEqual(announcedTables('update "engine_requests" set "target" = $1 where "id" = $2'), ['engine_requests']);
  assert.deepEqual(announcedTables('update "engine_requests" set "done_at" = $1 where "id" = $2'), []);
  assert.deepEqual(announcedTables('update "calls" set "ended_at" = $1 where "id" = $2 and "ended_at" is null'), [
    'calls',
  ]);
  assert.deepEqual(announcedTables('update "calls" set "answered_at" = $1 where "ended_at" is null'), []);
  assert.deepEqual(announcedTables('insert into "engines" ("id") values ($1) on conflict do nothing'), ['engines']);
  assert.deepEqual(announcedTables('update "engines" set "heartbeat_at" = $1 where "state" <> $2'), []);
  assert.deepEqual(announcedTables('insert into applied_operations (id) values ($1)'), []);
  assert.deepEqual(announcedTables('update "trunks" set "name" = $1'), ['trunks']);
  assert.deepEqual(
    announcedTables(
      'with a as (delete from live_views where call_id = $1), b as (insert into call_feed (data) values ($2))',
    ),
    ['call_feed'],
  );
});

test('what is urgent is told at once, the rest with it or a moment later', async (t) => {
  const timers = mock.timers;
  timers.enable({ apis: ['setTimeout'] });
  t.after(() => timers.reset());
  const told: string[] = [];
  const announce = announcer(async (tables) => void told.push([...tables].join()));
  announce(new Set(['call_feed']));
  assert.deepEqual(told, []);
  announce(new Set(['events']));
  assert.deepEqual(told, ['call_feed,events']);
  announce(new Set(['contacts']));
  timers.tick(50);
  assert.deepEqual(told, ['call_feed,events', 'contacts']);
});
