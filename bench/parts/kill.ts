// `npm run bench -- kill [--kills N] [--seed S]`: kills the engine, the API or both with -9 at seeded moments under
// load, then checks every promise about calls, events, dialling, the database and recordings. Throws if one was
// broken.
import { mkdirSync, writeFileSync } from 'node:fs';
import { runKills } from '../rig/faults/kill-run.ts';
import { readOptions } from '../rig/options.ts';
import { machine } from '../rig/statistics.ts';

const USAGE = `usage: npm run bench -- kill [--kills N] [--seed S]
  N kills (default 200) at moments derived from the seed S (default 1)`;

const RESULTS = new URL('../results/', import.meta.url);

export default async function kill(args: string[]): Promise<void> {
  const { kills: killCount, seed } = readOptions(USAGE, { kills: 200, seed: 1 }, args);
  const startedAt = performance.now();
  const report = await runKills({
    kills: killCount,
    seed,
    patienceMs: 60_000,
    log: (line) => process.stdout.write(`${line}\n`),
  });
  const { load, violations, kills, calls } = report;
  const asked = Object.values(load.troubles).reduce((sum, count) => sum + count, 0);
  const host = machine();
  const rows: Array<[string, string]> = [
    ['kills (engine, API, both)', `${kills.engine}, ${kills.api}, ${kills.both}; seed ${seed}`],
    ['calls placed and accepted', `${load.accepted.size}; ${load.givenUp} given up, ${asked} times asked again`],
    ['INVITEs at the far side', String(report.invites)],
    ['inbound calls answered, failed', `${load.inboundAnswered}, ${load.inboundFailed}`],
    [
      'calls by final status',
      Object.entries(calls)
        .map(([status, count]) => `${status} ${count}`)
        .join(', '),
    ],
    ['events written, received, received twice', `${report.events}, ${report.received}, ${report.duplicates}`],
    ['recordings that were opened', String(report.recordings)],
    ['broken promises', String(violations.length)],
  ];
  const lines = [
    '# Killed with -9 under load',
    '',
    `${host.cores} cores (${host.model}), load ${host.load1}, Node ${host.node}, ${Math.round((performance.now() - startedAt) / 1_000)} s`,
    '',
    '| | |',
    '|---|---|',
    ...rows.map(([name, value]) => `| ${name} | ${value} |`),
  ];
  process.stdout.write(`${lines.slice(2).join('\n')}\n`);
  for (const [what, count] of Object.entries(load.troubles))
    process.stdout.write(`asked again ${count} times: ${what}\n`);
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(new URL('kill.md', RESULTS), `${lines.join('\n')}\n`);
  writeFileSync(
    new URL('kill.json', RESULTS),
    `${JSON.stringify({ machine: host, ...report, load: { ...load, accepted: load.accepted.size, talkedSeconds: load.talkedSeconds.size, goneSeconds: load.goneSeconds.size } }, null, 2)}\n`,
  );
  if (violations.length > 0) throw new Error(`broken promises:\n${violations.slice(0, 50).join('\n')}`);
}
