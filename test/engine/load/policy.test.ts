// The whole policy that lets calls in, as the engine composes it, in virtual time: a rush, a core that becomes slow
// under the calls it has, and the way back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import type { CallKind } from '../../../engine/load/admission.ts';
import { LOOK_MS } from '../../../engine/load/limits.ts';
import { createLoad } from '../../../engine/load/load.ts';

const MAX_CALLS = 300;
/** The number of calls that two cores carry by the catalogue. */
const MEDIA_CALLS = 200;
const SHARDS = 2;

/** A machine that sends every tenth packet late as soon as more calls are up than it carries. */
function machine({ refusesWhenLate = true } = {}) {
  const clock = new VirtualClock();
  const said: string[] = [];
  const core = { carries: 260, refused: 0 };
  const { admission, sample, start } = createLoad({
    maxCalls: MAX_CALLS,
    mediaCalls: MEDIA_CALLS,
    refusesWhenLate,
    sttBacklogMs: () => 0,
    takeDelayMs: () => 0,
    takeAudioShare: () => 0,
    clock,
    log: {
      warn: (_: unknown, text: string) => said.push(text),
      info: (_: unknown, text: string) => said.push(text),
    } as never,
  });
  start();
  const look = (): void => {
    const count = (admission.active * 25) / SHARDS;
    const late = admission.active > core.carries ? count / 10 : 0;
    for (let shard = 0; shard < SHARDS; shard++) {
      sample(shard, { sends: { count, late }, windows: { count, late: 0 } });
    }
  };
  /** Seconds in which calls are offered at this pace and stay, and others end at that. */
  const run = (seconds: number, offered: number, ending = 0, kind: CallKind = 'inbound') => {
    const before = { active: admission.active, refused: core.refused };
    const looks = (seconds * 1_000) / LOOK_MS;
    for (let n = 0; n < looks; n++) {
      const startMs = clock.monotonicMs();
      for (let call = 0; call < (ending * seconds) / looks; call++) admission.release();
      const coming = (offered * seconds) / looks;
      for (let call = 0; call < coming; call++) {
        clock.advanceTo(startMs + (LOOK_MS * call) / coming);
        if (!admission.admit(kind)) core.refused++;
      }
      look();
      clock.advanceTo(startMs + LOOK_MS);
      assert.ok(admission.active <= MAX_CALLS);
    }
    return { more: admission.active - before.active, refused: core.refused - before.refused };
  };
  return { admission, core, said, run };
}

const RUSH = 'calls come faster than may be added: some are refused';
const LATE = 'too late for more calls: new ones are refused';
const IN_TIME = 'in time again: new calls are taken';

test('a rush, a slow core, and the way back', () => {
  const { admission, core, said, run } = machine();

  // The rush: up to what such cores are believed to carry at once, then by four a second, and nothing is late.
  assert.deepEqual(run(5, 30), { more: 150, refused: 0 });
  const rush = run(10, 30);
  assert.ok(rush.more >= 40 && rush.more <= 45, `${rush.more} more`);
  assert.equal(rush.refused, 300 - rush.more);
  assert.deepEqual(said, [RUSH], 'told once');
  run(6, 0);

  // A neighbour takes the core: after two seconds and a half no call of any kind gets in, and none is taken down.
  const up = admission.active;
  core.carries = 120;
  said.length = 0;
  run(2, 0);
  assert.ok(admission.isOpen('inbound'), 'a stall of two seconds changes nothing');
  run(1, 0);
  assert.deepEqual(said, [LATE]);
  for (const kind of ['inbound', 'api', 'campaign'] as const) assert.equal(admission.admit(kind), false, kind);
  run(10, 10);
  assert.equal(admission.active, up);

  // Calls end. The engine keeps up again, but half of the last five seconds must have been in time, and then three
  // more.
  run(8, 0, 10);
  const left = admission.active;
  assert.ok(left < core.carries, `${left} left`);
  assert.deepEqual(said, [LATE]);
  run(3, 0);
  assert.ok(!admission.isOpen('inbound'));
  run(2, 0);
  assert.deepEqual(said, [LATE, IN_TIME]);

  // The way back: at once up to 85 % of what was too much, then a tenth as fast as before, for a minute.
  core.carries = 260;
  const believed = Math.floor(up * 0.85);
  const first = run(6, 30);
  assert.ok(Math.abs(left + first.more - believed) <= 4, `${left + first.more} of ${believed}`);
  const careful = run(40, 4);
  assert.ok(careful.more >= 14 && careful.more <= 20, `${careful.more} in 40 s`);
  run(15, 0);
  const usual = run(10, 6);
  assert.ok(usual.more >= 38, `${usual.more} in 10 s`);

  // A number of calls that was carried in time is let in at once.
  run(6, 0);
  const carried = admission.active;
  run(1, 0, 100);
  assert.equal(run(5, 20).refused, 0);
  assert.equal(admission.active, carried);
});

test('campaigns leave the last places to callers, however slowly they come', () => {
  const { admission, core, run } = machine();
  core.carries = MAX_CALLS;
  run(120, 4, 0, 'campaign');
  assert.equal(admission.active, 270);
  assert.equal(admission.room('campaign'), 0);
  run(15, 4);
  assert.equal(admission.active, MAX_CALLS);
  assert.equal(admission.admit('inbound'), false);
});

test('where nothing is refused for lateness, it is told all the same, and only places count', () => {
  const { admission, core, said, run } = machine({ refusesWhenLate: false });
  core.carries = 50;
  assert.equal(run(10, 40).more, MAX_CALLS);
  assert.equal(admission.admit('inbound'), false);
  assert.ok(said.includes(LATE));
});
