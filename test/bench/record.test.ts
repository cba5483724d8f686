// The record: reports of several runs become one, and the plots show what the runs have in common.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { latencyByCalls, plotName } from '../../bench/record/document.ts';
import { earlierParts } from '../../bench/record/earlier.ts';
import { bodyOf, mergeReports } from '../../bench/record/merge.ts';
import { RECORD_PARTS } from '../../bench/record/parts.ts';

test('a number that differs becomes its median with lowest and highest, in tables and in prose', () => {
  const report = (p50: string, rate: string) => [
    '| figure | n | p50 |',
    '|---|---|---|',
    `| first page, 20 calls | 20 | ${p50} |`,
    '',
    `Import: ${rate} contacts/s (target: >= 20,000).`,
  ];
  assert.deepEqual(mergeReports([report('9.5', '21,000'), report('12', '9,400'), report('10', '23,500')]), [
    '| figure | n | p50 |',
    '|---|---|---|',
    '| first page, 20 calls | 20 | 10 (9.5 to 12) |',
    '',
    'Import: 21,000 (9,400 to 23,500) contacts/s (target: >= 20,000).',
  ]);
});

test('a cell that differs in more than numbers shows each run’s', () => {
  assert.deepEqual(mergeReports([['| gap | – |'], ['| gap | 12 |']]), ['| gap | – / 12 |']);
});

test('a table that came further in one run is put together row by row', () => {
  const report = (...rows: string[]) => [
    'calls',
    '',
    '| offered | up |',
    '|---|---|',
    ...rows,
    '',
    '- 60 calls: 4 %',
    'end',
  ];
  assert.deepEqual(
    mergeReports([
      report('| 60 | 60 |', '| 120 | 108 |'),
      report('| 60 | 60 |', '| 120 | 114 |', '| 140 | 140 |'),
      report('| 60 | 60 |', '| 120 | 120 |', '| 140 | 139 |'),
    ]),
    report('| 60 | 60 |', '| 120 | 114 (108 to 120) |', '| 140 (2 of 3 runs) | 139 (139 to 140) |'),
  );
});

test('reports of different parts are not mixed: the last one stands', () => {
  assert.deepEqual(mergeReports([['one'], ['one', '', 'two']]), ['one', '', 'two']);
  assert.deepEqual(mergeReports([['alone 1']]), ['alone 1']);
});

test('title and machine are no part of a body', () => {
  const markdown =
    '# API\n\nGET /calls\n2 cores (AMD EPYC), load 1.1, Node 22.23.3, 2026-11-22T17:00:00.000Z\n\n| a |\n';
  assert.deepEqual(bodyOf(markdown), ['| a |']);
});

test('latency by calls is the median of the runs, and needs two numbers of calls', () => {
  const row = (name: string, p50: number) => ({
    name,
    summary: { count: 9, p50, p95: p50, p99: p50 + 1, max: p50 + 1 },
    target: '',
  });
  const rows = [5, 9, 6].flatMap((p50) => [row('turn overhead, 20 calls', p50 * 2), row('turn overhead, 1 call', p50)]);
  assert.deepEqual(latencyByCalls([...rows, row('answer, 1 call', 3)]), {
    'turn overhead p50': [
      { x: 1, y: 6 },
      { x: 20, y: 12 },
    ],
    'turn overhead p99': [
      { x: 1, y: 7 },
      { x: 20, y: 13 },
    ],
  });
});

test('parts that were not run again stay as they stand, of the same machine and not of a quick record', () => {
  const machine = 'Machine: 2 cores (AMD EPYC), 24 GiB, linux x64, Node 22.23.3.';
  const [pacing, capacity, hold] = ['pacing', 'capacity', 'hold'].map((name) =>
    RECORD_PARTS.find((part) => part.name === name),
  );
  assert.ok(pacing && capacity && hold);
  const row = '| Calls a core | 3 | `npm run bench -- capacity` | 1, 2 | 30.8 | abc |';
  const section = [
    '## Calls a core',
    '',
    '160 calls',
    '',
    '## Up to 3 times as many',
    '',
    '195',
    '',
    '![a](record-plots/a.svg)',
  ];
  const document = [
    '# The record',
    machine,
    '| part | runs | command | load before and after each run | minutes | version |',
    '|---|---|---|---|---|---|',
    row,
    '| Calls held for ten minutes | 1 | `npm run bench -- hold` | 1, 2 | 11 | abc |',
    '',
    ...section,
    '',
    '## Calls held for ten minutes',
    '',
    'flat',
    '',
  ].join('\n');
  const found = earlierParts(document, machine, [pacing, capacity, hold]);
  assert.deepEqual([...found.keys()], ['capacity', 'hold']);
  assert.deepEqual(found.get('capacity'), { row, section });
  assert.deepEqual(found.get('hold')?.section, ['## Calls held for ten minutes', '', 'flat']);
  assert.equal(earlierParts(document, machine.replace('2 cores', '8 cores'), [capacity]).size, 0);
  assert.equal(earlierParts(`${document}\n**A quick record:** so`, machine, [capacity]).size, 0);
});

test('every part of the record is one of the bench, and a quick record takes less than 12 minutes', () => {
  for (const { bench } of RECORD_PARTS) {
    assert.equal(globSync(`bench/parts/{*/,}${bench}.ts`).length, 1, bench);
  }
  assert.ok(RECORD_PARTS.reduce((sum, { quickSeconds }) => sum + quickSeconds, 0) < 12 * 60);
});

test('two parts that run the same bench keep plots of their own', () => {
  assert.equal(plotName({ name: 'capacity', bench: 'capacity' }, 'capacity-cpu.svg'), 'capacity-cpu.svg');
  assert.equal(plotName({ name: 'capacity-srtp', bench: 'capacity' }, 'capacity-cpu.svg'), 'capacity-srtp-cpu.svg');
  assert.equal(plotName({ name: 'peers-capacity', bench: 'peers' }, 'peers-capacity.svg'), 'peers-capacity.svg');
});

test('the record tells of each part, with figures or among those that were not measured', () => {
  const record = readFileSync(new URL('../../bench/RECORD.md', import.meta.url), 'utf8');
  const notMeasured = record.match(/^Not measured here: (.*)\.$/m)?.[1]?.split(', ') ?? [];
  const untold = RECORD_PARTS.filter(
    ({ name, title }) => !record.includes(`\n| ${title} | `) && !notMeasured.includes(`\`${name}\``),
  );
  assert.deepEqual(
    untold.map(({ name }) => name),
    [],
  );
});
