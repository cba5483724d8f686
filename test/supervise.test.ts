// The environment and arguments that the launcher gives every process of the service.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

test('each address of a host with several has longer than a far network takes to connect', () => {
  const root = new URL('..', import.meta.url).pathname;
  const folder = mkdtempSync(join(root, 'node_modules', '.launched-'));
  try {
    const file = join(folder, 'print.mjs');
    writeFileSync(file, `import net from 'node:net';\nconsole.log(net.getDefaultAutoSelectFamilyAttemptTimeout());\n`);
    const relative = file.slice(root.length);
    const { stdout } = spawnSync(process.execPath, ['supervise.mjs', 'run', relative], { cwd: root, encoding: 'utf8' });
    assert.ok(Number(stdout) >= 2_000, stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a process that has not beaten for fifteen looks stands still, and one that never beat is not watched', async () => {
  const { Watchdog } = (await import(String(new URL('../watchdog.mjs', import.meta.url)))) as {
    Watchdog: new (onSilent: () => void) => { timer: unknown; beat(): void; look(): void };
  };
  let killed = 0;
  const watchdog = new Watchdog(() => killed++);
  assert.equal(watchdog.timer, null);
  watchdog.beat();
  for (let looks = 0; looks < 14; looks++) watchdog.look();
  watchdog.beat();
  for (let looks = 0; looks < 14; looks++) watchdog.look();
  assert.equal(killed, 0);
  watchdog.look();
  assert.deepEqual([killed, watchdog.timer], [1, null]);
});
