// Announcements of a commit to other processes: only of changes that somebody waits for, together where they follow
// closely.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { announcer, payloadsOf, topicsOf } from '../../db/postgres/announcements.ts';

const announced = (text: string): readonly string[] => topicsOf(text, []);

test('a request that may be taken, an end and a state are told; what only its writer needs is not', () => {
  assert.deepEqual(announced('insert into "engine_requests" ("id") values ($1)'), ['engine_requests']);
  assert.deepEqual(announced('update "engine_requests" set "target" = $1 where "id" = $2'), ['engine_requests']);
  assert.deepEqual(announced('update "engine_requests" set "done_at" = $1 where "id" = $2'), []);
  assert.deepEqual(announced('update "calls" set "ended_at" = $1 where "id" = $2 and "ended_at" is null'), ['calls']);
  assert.deepEqual(announced('update "calls" set "answered_at" = $1 where "ended_at" is null'), []);
  assert.deepEqual(announced('insert into "engines" ("id") values ($1) on conflict do nothing'), ['engines']);
  assert.deepEqual(announced('update "engines" set "heartbeat_at" = $1 where "state" <> $2'), []);
  assert.deepEqual(announced('insert into applied_operations (id) values ($1)'), []);
  assert.deepEqual(
    announced('insert into call_dialogs (leg) values ($1) on conflict (leg) do update set leg = $2'),
    [],
  );
  assert.deepEqual(announced('update "trunks" set "name" = $1'), ['trunks']);
  assert.deepEqual(
    announced('with a as (delete from live_views where call_id = $1), b as (insert into call_feed (data) values ($2))'),
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
  // The difference of two times is not 50 to the last digit.
  timers.tick(51);
  assert.deepEqual(told, ['call_feed,events', 'contacts']);
});

const REQUEST = 'insert into "engine_requests" ("id", "target", "payload") values';

test('a request of one engine is told to that engine, one of any to all of them', () => {
  assert.deepEqual(topicsOf(`${REQUEST} ($1, $2, $3)`, ['req_1', 'eng_1', '{}']), ['engine_requests@eng_1']);
  assert.deepEqual(topicsOf(`${REQUEST} ($1, $2, $3)`, ['req_1', null, '{}']), ['engine_requests']);
  assert.deepEqual(topicsOf(`${REQUEST} ($1, null, $2)`, ['req_1', '{}']), ['engine_requests']);
  assert.deepEqual(
    topicsOf(`${REQUEST} ($1, $2, $3), ($4, $5, $6)`, ['req_1', 'eng_1', '{}', 'req_2', 'eng_2', '{}']),
    ['engine_requests'],
  );
  const given = 'update "engine_requests" set "target" = $1, "claimed_at" = $2 where "id" = $3';
  assert.deepEqual(topicsOf(given, ['eng_2', null, 'req_1']), ['engine_requests@eng_2']);
  assert.deepEqual(topicsOf(given, [null, 1, 'req_1']), ['engine_requests']);
});

test('engines are not woken by what only APIs follow, nor by the requests of others', () => {
  const told = payloadsOf(new Set(['events', 'engine_requests@eng_1', 'calls', 'call_feed']));
  assert.deepEqual(Object.fromEntries(told), {
    voice_changes: 'events,engine_requests,calls,call_feed',
    voice_engines: 'calls',
    voice_eng_1: 'engine_requests',
  });
});
