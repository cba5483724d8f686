// Files that killed backups, restores and uploads leave behind are gone at the next start.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dropUnfinishedUploads } from '../../../api/port-in/closed-documents.ts';
import { dropLeftovers, stagingPrefix } from '../../../api/upkeep/leftovers.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';

/** A process id that is certainly gone. */
const goneId = (): number => spawnSync('true').pid;

test('folders of processes that are gone are removed, those of running ones stay', async () => {
  const dataDir = temporaryFolder('leftovers');
  const folder = (name: string, ageMs = 0) => {
    mkdirSync(join(dataDir, name));
    writeFileSync(join(dataDir, name, 'voice.db'), 'a whole database');
    const at = (Date.now() - ageMs) / 1_000;
    utimesSync(join(dataDir, name), at, at);
    return name;
  };
  const own = folder(`${stagingPrefix('backup')}abc123`);
  const killed = folder(`${stagingPrefix('backup').replace(String(process.pid), String(goneId()))}abc124`);
  const restored = folder(`${stagingPrefix('restore').replace(String(process.pid), String(goneId()))}abc125`);
  const elsewhere = folder('.backup-otherhost-1-abc126');
  const forgotten = folder('.backup-otherhost-1-abc127', 25 * 3_600_000);
  const earlier = folder('.backup-2JfOUl', 25 * 3_600_000);
  folder('recordings', 99 * 3_600_000);
  assert.deepEqual((await dropLeftovers(dataDir)).sort(), [killed, forgotten, earlier, restored].sort());
  assert.deepEqual(readdirSync(dataDir).sort(), [own, elsewhere, 'recordings'].sort());
});

test('a process of another container is not taken for one of ours with its number', async () => {
  const dataDir = temporaryFolder('containers');
  const folder = (pid: number, ageMs: number) => {
    const [, host] = stagingPrefix('backup').split('-');
    const name = `.backup-${host}-4-${pid}-${ageMs}`;
    mkdirSync(join(dataDir, name));
    const at = (Date.now() - ageMs) / 1_000;
    utimesSync(join(dataDir, name), at, at);
    return name;
  };
  const running = folder(goneId(), 60_000);
  const killed = folder(process.pid, 25 * 3_600_000);
  assert.deepEqual(await dropLeftovers(dataDir), [killed]);
  assert.deepEqual(readdirSync(dataDir), [running]);
});

test('uploads that ended with their process are removed, documents stay', async () => {
  const dataDir = temporaryFolder('uploads');
  await dropUnfinishedUploads({ config: { dataDir } as never });
  mkdirSync(join(dataDir, 'port-documents'));
  for (const name of ['.abc.part', 'doc_1.pdf']) writeFileSync(join(dataDir, 'port-documents', name), 'x');
  await dropUnfinishedUploads({ config: { dataDir } as never });
  assert.deepEqual(readdirSync(join(dataDir, 'port-documents')), ['doc_1.pdf']);
});
