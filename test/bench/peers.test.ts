// The bench beside a peer, as far as it goes without the peer's packages: what it says where they are missing, what its
// playout reports to the peer, and its tables.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Score } from '../../bench/conversation/score.ts';

import { isForPeers } from '../../bench/peers/conversations.ts';
import { arePeersInstalled, INSTALL_LINE } from '../../bench/peers/packages.ts';
import { type SegmentEnd, SegmentPlayout } from '../../bench/peers/playout.ts';
import { SpokenClauses } from '../../bench/peers/spoken-clauses.ts';
import { conversationTables, figureTable } from '../../bench/peers/tables.ts';
import { agreement, unsmoothed } from '../../bench/peers/vad-agreement.ts';
import { readScenarios } from '../../bench/rig/conversation/scenario-file.ts';
import { usageOfTree } from '../../bench/rig/measure/process-usage.ts';
import { isOver } from '../../bench/rig/measure/ramp.ts';

test('without the packages there is one line that says what to run', () => {
  assert.equal(arePeersInstalled(new URL('./nowhere/', import.meta.url)), false);
  assert.match(INSTALL_LINE, /npm --prefix bench\/peers install$/);
});

describe('the playout of a peer', () => {
  function playoutOf() {
    const ends: SegmentEnd[] = [];
    let starts = 0;
    const playout = new SegmentPlayout({
      onStarted: () => {
        starts++;
      },
      onEnded: (end) => ends.push(end),
    });
    const read = (): number[] => {
      const frame = new Int16Array(4);
      playout.read(frame);
      return [...frame];
    };
    return { playout, ends, read, starts: () => starts };
  }

  test('plays what was written frame by frame, and reports each segment once', () => {
    const { playout, ends, read, starts } = playoutOf();
    playout.write(Int16Array.of(1, 2, 3));
    playout.write(Int16Array.of(4, 5, 6));
    playout.flush();
    playout.write(Int16Array.of(7));
    assert.deepEqual(
      [read(), read(), read()],
      [
        [1, 2, 3, 4],
        [5, 6, 7, 0],
        [0, 0, 0, 0],
      ],
    );
    assert.deepEqual(ends, [{ playedSamples: 6, isInterrupted: false }]);
    playout.flush();
    read();
    assert.deepEqual(ends.at(-1), { playedSamples: 1, isInterrupted: false });
    assert.equal(starts(), 2);
  });

  test('what is cleared is never played, and its segment ends as interrupted', () => {
    const { playout, ends, read } = playoutOf();
    playout.write(Int16Array.of(1, 2, 3, 4, 5, 6));
    read();
    playout.clear();
    assert.deepEqual(read(), [0, 0, 0, 0]);
    assert.deepEqual(ends, [{ playedSamples: 4, isInterrupted: true }]);
    playout.clear();
    assert.equal(ends.length, 1);
  });

  test('a pause keeps what was written', () => {
    const { playout, read } = playoutOf();
    playout.write(Int16Array.of(1, 2, 3, 4, 5));
    playout.isPaused = true;
    assert.deepEqual(read(), [0, 0, 0, 0]);
    playout.isPaused = false;
    assert.deepEqual(read(), [1, 2, 3, 4]);
  });
});

test('the peer speaks the clauses that the service speaks', () => {
  const clauses = new SpokenClauses();
  const spoken = 'We are open from nine in the morning until six in the evening.'.split(/(?<= )/);
  assert.deepEqual(
    [...spoken.flatMap((word) => clauses.push(word)), ...clauses.end()],
    ['We are open from nine', 'in the morning until six in the evening.'],
  );
});

test('scenarios of what only a telephone service has are left out', () => {
  const names = readScenarios()
    .filter(isForPeers)
    .map(({ name }) => name);
  assert.ok(names.includes('interruption') && names.includes('dictated-number'));
  for (const name of ['outbound-hello', 'keys-after-speech', 'loss-and-jitter', 'stall', 'no-transfer', 'silence'])
    assert.equal(names.includes(name), false, name);
});

const SCORE: Score = {
  scenario: 'cough',
  seed: 0,
  gapsMs: [600],
  turns: 1,
  unanswered: 0,
  unfinished: 2,
  cutOffs: 1,
  yieldsMs: [],
  silencesMs: [],
  afterWordMs: [],
  interruptions: 1,
  asides: 4,
  falseYields: 3,
  falseStops: 0,
  duckedMs: 0,
  agentWords: 10,
  agentWordsLost: 2,
  agentWordsRepeated: 0,
  callerWords: 5,
  callerWordsLost: 0,
  unexpected: [],
  staleFrames: 0,
  requests: 2,
  failure: null,
  timeline: [],
};

test('each contender has a column of the totals and of the scenarios', () => {
  const lines = conversationTables(
    new Map([
      ['ours', [SCORE, SCORE]],
      ['peer', [{ ...SCORE, gapsMs: [900], falseYields: 0 }]],
    ]),
  );
  assert.ok(lines.includes('| false yields | 6 / 8 | 0 / 4 |'), lines.join('\n'));
  assert.ok(lines.includes('| interruptions without a yield | 2 / 2 | 1 / 1 |'));
  assert.ok(lines.includes('| requests a turn | 2.0 | 2.0 |'));
  assert.ok(lines.includes('| cough | 600, 2 / 4, 6 / 8 | 900, 1 / 2, 0 / 4 |'));
});

test('a figure that a contender does not have leaves its cell empty', () => {
  const [head, , row] = figureTable([
    { figure: 'gap', column: 'ours', values: [10, 20] },
    { figure: 'other', column: 'peer', values: [30] },
  ]);
  assert.equal(head, '| p50 / p95, ms (n) | ours | peer |');
  assert.equal(row, '| gap | 10 / 20 (2) | – |');
});

test('a ramp is over at a gap 25 % longer than that of a single call, or when calls fail', () => {
  const step = (calls: number, p50Ms: number, failed = 0) => ({ calls, failed, p50Ms });
  const first = step(1, 800);
  assert.equal(isOver(step(20, 1_000), first), false);
  assert.equal(isOver(step(20, 1_001), first), true);
  assert.equal(isOver(step(20, 800, 1), first), true);
});

test('detectors agree window by window, whatever the length of theirs and their smoothing', () => {
  assert.equal(agreement([0.9, 0.8, 0.1, 0.2], [0.7, 0.3], 2), 1);
  assert.equal(agreement([0.9, 0.2, 0.1, 0.2], [0.7, 0.3], 2), 0.75);
  const filtered = [0.2, 0.65 * 0.9 + 0.35 * 0.2];
  assert.deepEqual(
    unsmoothed(filtered).map((each) => each.toFixed(3)),
    ['0.200', '0.900'],
  );
});

test('a process has used what the kernel says, and one that there is none of nothing', {
  skip: process.platform !== 'linux',
}, () => {
  const usage = usageOfTree(process.pid);
  assert.ok(usage !== null && usage.cpuMs > 0 && usage.rssBytes > 1_000_000, JSON.stringify(usage));
  assert.equal(usageOfTree(0), null);
});
