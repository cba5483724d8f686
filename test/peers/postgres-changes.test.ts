// Which process is woken by which commit: an engine by its own requests and by what engines follow, an API by all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../bench/rig/eventually.ts';
import { watchChanges } from '../../db/database.ts';
import { addEvent } from '../../db/outbox.ts';
import { insertEngineRequest } from '../../db/queries/engine/engine-requests.ts';
import { writeSetting } from '../../db/queries/settings/settings.ts';
import { skipWithoutPostgres, usePostgres } from '../support/use-postgres.ts';

const skip = skipWithoutPostgres;
const NOW = Date.parse('2026-11-18T12:00:00Z');

const postgres = usePostgres();

const requestFor = (target: string | null) =>
  insertEngineRequest(postgres.db, 'acc_1', {
    kind: 'dial',
    callId: null,
    target,
    payload: {},
    nowMs: NOW,
    expiresAt: NOW + 1,
  });

test('an engine hears of its own requests, of those of any, and of what engines follow', { skip }, async () => {
  const listeners = { api: null, one: 'eng_1', other: 'eng_2' };
  const heard = new Map<string, Set<string>>();
  const stops = Object.entries(listeners).map(([name, engineId]) => {
    const tables = new Set<string>();
    heard.set(name, tables);
    // The look after every second tells no tables.
    const note = (changed: ReadonlySet<string> | null): void => {
      for (const table of changed ?? []) tables.add(table);
    };
    return watchChanges(postgres.server.url, note, 1, engineId);
  });
  /** The tables that each has heard of once all of them have heard of a setting, which is told last. */
  const told = async (write: () => Promise<unknown>): Promise<Record<string, string[]>> => {
    for (const tables of heard.values()) tables.clear();
    await write();
    // The first may be one of an earlier time.
    for (let round = 0; round < 2; round++) {
      for (const tables of heard.values()) tables.delete('settings');
      await eventually(async () => {
        await writeSetting(postgres.db, 'callShare', '50');
        return [...heard.values()].every((tables) => tables.has('settings'));
      }, 'the setting');
    }
    const others = (tables: Set<string>): string[] => [...tables].filter((table) => table !== 'settings').sort();
    return Object.fromEntries([...heard].map(([name, tables]) => [name, others(tables)]));
  };
  try {
    await told(async () => undefined);
    assert.deepEqual(await told(() => requestFor('eng_1')), {
      api: ['engine_requests'],
      one: ['engine_requests'],
      other: [],
    });
    assert.deepEqual(await told(() => requestFor(null)), {
      api: ['engine_requests'],
      one: ['engine_requests'],
      other: ['engine_requests'],
    });
    const event = { accountId: 'acc_1', type: 'call.ended', subjectId: 'call_1', data: {}, nowMs: NOW } as const;
    assert.deepEqual(await told(() => addEvent(postgres.db, event)), { api: ['events'], one: [], other: [] });
  } finally {
    for (const stop of stops) stop();
  }
});
