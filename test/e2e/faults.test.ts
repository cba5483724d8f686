// A database that cannot be written for a while, under running calls: nothing that was accepted is lost. Each fault is followed
// by the same questions: every call has one end and one `call.ended`, its minutes are right, its recording is served, its
// place is free, and the database is whole.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Service, startService } from '../../bench/service.ts';
import { openRaw } from '../../db/sqlite.ts';
import { type TestCaller, testCaller } from '../support/conversation.ts';
import { Rest } from '../support/rest.ts';

const CALLS = 4;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function callsBegin(service: Service): Promise<TestCaller[]> {
  const callers = Array.from({ length: CALLS }, () => testCaller(service));
  await Promise.all(callers.map(({ caller }) => caller.answered()));
  return callers;
}

async function everythingIsThere(service: Service, rest: Rest, callers: readonly TestCaller[]): Promise<void> {
  for (const { number } of callers) {
    const calls = await rest.eventually(`the end of the call from ${number}`, async () => {
      const found = await rest.callsFrom(number);
      return found.length > 0 && found.every((call) => call.endedAt !== null) ? found : null;
    });
    assert.equal(calls.length, 1);
    const [call] = calls;
    assert.equal(call?.status, 'COMPLETED');
    assert.ok((call?.durationSeconds ?? 0) >= 1, 'its minutes count');
    assert.equal((await rest.bytes(`/calls/${call?.id}/audio`)).status, 200, 'its recording is served');
  }
  const raw = openRaw(join(service.dataDir, 'voice.db'), { readonly: true });
  const ends = raw
    .prepare(`select subject_id as id, count(*) as total from events where type = 'call.ended' group by subject_id`)
    .all() as Array<{ id: string; total: number }>;
  assert.ok(ends.length >= CALLS && ends.every(({ total }) => total === 1));
  const open = raw.prepare('select count(*) as total from calls where ended_at is null').get() as { total: number };
  assert.equal(open.total, 0);
  assert.equal(raw.pragma('integrity_check', { simple: true }), 'ok');
  raw.close();
  const again = testCaller(service);
  await again.caller.answered();
  await again.caller.hangUp();
}

test('a write lock of 17 s right after the calls came in', async () => {
  const service = await startService({ MAX_CALLS: String(CALLS) });
  try {
    const rest = await new Rest(service).login();
    const callers = await callsBegin(service);
    const locker = openRaw(join(service.dataDir, 'voice.db'));
    locker.exec('begin immediate');
    const hungUp = pause(3_000).then(() => Promise.all(callers.map(({ caller }) => caller.hangUp())));
    await pause(17_000);
    locker.exec('rollback');
    locker.close();
    await hungUp;
    await everythingIsThere(service, rest, callers);
  } finally {
    await service.stop();
  }
});

/** A small disk of its own, where this process may mount one. */
function smallDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder]);
  return mounted.status === 0 ? folder : null;
}

const canMount = process.getuid?.() === 0 && existsSync('/bin/mount');

test('a disk that is full for 7 s while calls come in', { skip: canMount ? false : 'needs mount' }, async (t) => {
  const disk = smallDisk();
  if (disk === null) return t.skip('tmpfs cannot be mounted here');
  const service = await startService({ MAX_CALLS: String(CALLS) }, join(disk, 'data'));
  try {
    const rest = await new Rest(service).login();
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(Math.max(0, bavail - 1) * bsize));
    const callers = await callsBegin(service);
    await pause(7_000);
    rmSync(join(disk, 'ballast'));
    await Promise.all(callers.map(({ caller }) => caller.hangUp()));
    for (const { number } of callers) assert.equal((await rest.endedCall(number)).status, 'COMPLETED');
    const raw = openRaw(join(service.dataDir, 'voice.db'), { readonly: true });
    const open = raw.prepare('select count(*) as total from calls where ended_at is null').get() as { total: number };
    assert.equal(open.total, 0);
    assert.equal(raw.pragma('integrity_check', { simple: true }), 'ok');
    raw.close();
  } finally {
    await service.stop();
    spawnSync('umount', [disk]);
    rmSync(disk, { recursive: true, force: true });
  }
});
