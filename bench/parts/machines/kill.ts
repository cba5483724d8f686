// `npm run bench -- kill [--kills N] [--seed S]`: kills the engine, the API or both with -9 at seeded moments under
// load, then checks every promise about calls, events, dialling, the database and recordings. Throws if one was
// broken.
import { runKills } from '../../rig/faults/kill-run.ts';
import { table } from '../../rig/measure/statistics.ts';
import { part } from '../../rig/part.ts';

const USAGE = `usage: npm run bench -- kill [--kills N] [--seed S]
  N kills (default 200) at moments derived from the seed S (default 1)`;

export default part(USAGE, { kills: 200, seed: 1 }, async ({ kills: killCount, seed }) => {
  const startedAt = performance.now();
  const found = await runKills({
    kills: killCount,
    seed,
    patienceMs: 60_000,
    log: (line) => process.stdout.write(`${line}\n`),
  });
  const { load, violations, kills, calls } = found;
  const asked = Object.values(load.troubles).reduce((sum, count) => sum + count, 0);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const rows: Array<[string, string]> = [
    ['kills (engine, API, both)', `${kills.engine}, ${kills.api}, ${kills.both}; seed ${seed}; ${seconds} s`],
    ['calls placed and accepted', `${load.accepted.size}; ${load.givenUp} given up, ${asked} times asked again`],
    ['INVITEs at the far side', String(found.invites)],
    ['inbound calls answered, failed', `${load.inboundAnswered}, ${load.inboundFailed}`],
    [
      'calls by final status',
      Object.entries(calls)
        .map(([status, count]) => `${status} ${count}`)
        .join(', '),
    ],
    ['events written, received, received twice', `${found.events}, ${found.received}, ${found.duplicates}`],
    ['recordings that were opened', String(found.recordings)],
    ['broken promises', String(violations.length)],
  ];
  const { accepted, talkedSeconds, goneSeconds } = load;
  return {
    title: 'Killed with -9 under load',
    lines: table(['', ''], rows),
    data: {
      ...found,
      load: { ...load, accepted: accepted.size, talkedSeconds: talkedSeconds.size, goneSeconds: goneSeconds.size },
    },
    notes: Object.entries(load.troubles).map(([what, count]) => `asked again ${count} times: ${what}`),
    failure: violations.length > 0 ? `broken promises:\n${violations.slice(0, 50).join('\n')}` : null,
  };
});
