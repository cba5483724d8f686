// The journal: what is on the disk after a change, who can read it, and what the next start makes of it.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { eventually } from '../../../bench/rig/eventually.ts';
import { unsealBytes } from '../../../db/shared/secrets/secret-box.ts';
import { Journal, type Pulses } from '../../../engine/journal/journal.ts';
import { JournalFiles } from '../../../engine/journal/journal-files.ts';

const key = randomBytes(32);
let folder: string;
let clock: VirtualClock;
let journal: Journal;
const faults: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
  clock = new VirtualClock(1_000);
  journal = new Journal({ folder, key, clock, onFault: (message) => faults.push(message) });
  faults.length = 0;
});
afterEach(async () => {
  await journal.stop();
  rmSync(folder, { recursive: true, force: true });
});

const written = (callId: string) => new JournalFiles(folder, key).readCall(callId) as { words: string } | null;

describe('a call’s file', () => {
  test('is written when the call has changed, once for many changes, and goes with the call', async () => {
    let [words, asked] = ['one', 0];
    const describe = () => {
      asked++;
      return { words };
    };
    journal.follow('call_1', describe);
    for (words of ['two', 'three']) journal.changed('call_1');
    clock.advance(200);
    await eventually(() => written('call_1')?.words === 'three');
    assert.equal(asked, 1);
    journal.forget('call_1');
    await eventually(() => readdirSync(folder).length === 0);
    assert.deepEqual(faults, []);
  });

  test('goes while nobody could go on with the call', async () => {
    let described: object | null = { words: 'x' };
    journal.follow('call_1', () => described);
    clock.advance(200);
    await eventually(() => written('call_1') !== null);
    described = null;
    journal.changed('call_1');
    clock.advance(200);
    await eventually(() => readdirSync(folder).length === 0);
  });

  test('is replaced at once where it would be wrong, and goes with a call that ends before the next change', async () => {
    let words = 'rings';
    const describe = () => ({ words });
    journal.follow('call_1', describe);
    clock.advance(200);
    await eventually(() => written('call_1') !== null);
    words = 'answered';
    journal.changed('call_1', true);
    await eventually(() => written('call_1')?.words === 'answered');
    journal.follow('call_1', describe);
    journal.forget('call_1');
    await eventually(() => readdirSync(folder).length === 0);
  });

  test('goes at a hand-over if nobody can go on with its call', async () => {
    let described: object | null = { words: 'rings' };
    journal.follow('call_1', () => described);
    clock.advance(200);
    await eventually(() => written('call_1') !== null);
    described = null;
    journal.changed('call_1');
    await journal.handOver();
    assert.equal(written('call_1'), null);
  });

  test('of an earlier process goes with a call that ends as soon as it goes on', async () => {
    for (const end of ['changed', 'forget'] as const) {
      new JournalFiles(folder, key).writeCall(`call_${end}`, '{"words":"rings"}');
      journal.follow(`call_${end}`, () => null);
      journal[end](`call_${end}`, true);
      await eventually(() => readdirSync(folder).length === 0);
    }
  });

  test('holds no readable word, and nothing for another key', async () => {
    journal.follow('call_1', () => ({ words: 'my card number is 4111' }));
    clock.advance(200);
    await eventually(() => written('call_1') !== null);
    const bytes = readFileSync(join(folder, 'call_1.call'));
    assert.equal(bytes.includes('4111'), false);
    assert.equal(new JournalFiles(folder, randomBytes(32)).readCall('call_1'), null);
  });

  test('is read whatever its length, and by whoever knows deflate only', () => {
    for (const words of ['', 'ä'.repeat(3_000), 'x'.repeat(70_000)]) {
      journal.files.writeCall('call_1', JSON.stringify({ words }));
      assert.equal(written('call_1')?.words, words);
      const box = readFileSync(join(folder, 'call_1.call'));
      assert.deepEqual(JSON.parse(inflateRawSync(unsealBytes(key, 'call_1.call', box)).toString()), { words });
    }
  });

  test('that is damaged, or another call’s under its name, counts as none', async () => {
    journal.follow('call_1', () => ({ words: 'x' }));
    clock.advance(200);
    await eventually(() => written('call_1') !== null);
    const bytes = readFileSync(join(folder, 'call_1.call'));
    writeFileSync(join(folder, 'call_2.call'), bytes);
    writeFileSync(join(folder, 'call_3.call'), bytes.subarray(0, 40));
    assert.deepEqual(new JournalFiles(folder, key).calls().sort(), ['call_1', 'call_2', 'call_3']);
    assert.deepEqual([written('call_2'), written('call_3')], [null, null]);
  });
});

test('the pulse has the last of each shard, and the call that was worked on', async () => {
  journal.begin(2, []);
  journal.pulse(0, 10, [{ callId: 'call_1', speaking: null, stream: null, hasHeard: true }]);
  journal.busyWith('call_2');
  journal.pulse(1, 20, [
    { callId: 'call_2', speaking: { epoch: 3, text: 'Good', startedAtMs: 5 }, stream: null, hasHeard: true },
  ]);
  clock.advance(50);
  const read = () =>
    journal.files.readPulse() as { deaths: number; active: string; shards: Array<{ atMs: number; calls: unknown[] }> };
  await eventually(() => read()?.shards.length === 2);
  const { deaths, active, shards } = read();
  assert.deepEqual([deaths, active, shards.map(({ atMs }) => atMs)], [2, 'call_2', [10, 20]]);
});

test('what another process gets is on the disk when it is told, and nothing is written after it', async () => {
  journal.begin(0, []);
  for (const nth of [1, 2, 3]) journal.follow(`call_${nth}`, () => ({ words: `word ${nth}` }));
  await journal.handOver();
  assert.deepEqual(
    [1, 2, 3].map((nth) => written(`call_${nth}`)),
    [1, 2, 3].map((nth) => ({ words: `word ${nth}` })),
  );
  assert.equal((journal.files.readPulse() as { handedOver?: boolean }).handedOver, true);
  journal.changed('call_1');
  journal.forget('call_2');
  clock.advance(1_000);
  await journal.handOver();
  assert.deepEqual(journal.files.calls().sort(), ['call_1', 'call_2', 'call_3']);
});

test('a process that dies before its first pulse leaves those of the one before', async () => {
  const heard = { callId: 'call_1', speaking: null, stream: null, hasHeard: true };
  journal.begin(1, [{ atMs: 5, calls: [heard] }]);
  const shards = () => (journal.files.readPulse() as Pulses | null)?.shards;
  await eventually(() => shards()?.[0]?.calls[0]?.callId === 'call_1');
  journal.pulse(0, 20, [{ ...heard, hasHeard: false }]);
  clock.advance(50);
  await eventually(() => shards()?.length === 2);
  assert.deepEqual(shards()?.at(-1)?.calls[0]?.hasHeard, false, 'the later one is the last');
  clock.advance(1_000);
  journal.pulse(0, 1_020, [heard]);
  clock.advance(50);
  await eventually(() => shards()?.length === 1, 'a second later all shards have told their own');
});

test('the pulse of a process that has no right to the calls yet is written by nobody', async () => {
  journal.pulse(0, 10, [{ callId: 'self', speaking: null, stream: null, hasHeard: true }]);
  await journal.handOver();
  assert.equal(JSON.stringify(journal.files.readPulse()).includes('deaths'), true);
});

test('a last breath names its call, once', () => {
  journal.busyWith('call_7');
  journal.blame();
  assert.deepEqual([journal.files.takeSuspect(), journal.files.takeSuspect()], ['call_7', null]);
});

test('a disk that refuses is told, and the calls go on', async () => {
  rmSync(folder, { recursive: true, force: true });
  journal.follow('call_1', () => ({ words: 'x' }));
  clock.advance(200);
  await eventually(() => faults.length > 0);
  assert.match(faults[0] ?? '', /ENOENT/);
});

test('nothing that its thread had yet to write comes after the word that the calls are handed over', async () => {
  journal.begin(0, []);
  journal.pulse(0, 0, []);
  await eventually(() => journal.files.readPulse() !== null);
  for (let atMs = 1; atMs < 300; atMs++) {
    journal.pulse(0, atMs, []);
    clock.advance(50);
  }
  await journal.handOver();
  for (let look = 0; look < 300; look++) {
    const pulses = journal.files.readPulse() as { handedOver?: boolean } | null;
    assert.equal(pulses?.handedOver, true);
    await new Promise(setImmediate);
  }
});
