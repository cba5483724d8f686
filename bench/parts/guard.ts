// The figures that were once lost in silence, of this version and of the last release, in turns on one machine: start,
// memory, a page of calls, a turn, pacing. It ends with 1 where one of them has been lost by more than its noise.
import { checkOut, lastRelease, ROOT } from '../guard/release.ts';
import { FIGURES, type Run, Side } from '../guard/round.ts';
import { cellsOf, judge } from '../guard/verdict.ts';
import { table } from '../rig/measure/statistics.ts';
import { part, refuseOption } from '../rig/part.ts';

const USAGE = `usage: npm run bench -- guard [--against REVISION] [--rounds N]
  this version and another one in turns, N rounds each (default 4: five to six minutes); REVISION is a tag or a commit of
  git (default: the newest tag, else the commit that last changed the version), which gets a work tree in the temporary folder. Ends with 1 where a figure has been lost.
  needs: a C compiler, and a machine that does nothing else`;

export default part(USAGE, { against: null, rounds: 4 }, async ({ against, rounds }) => {
  const revision = against ?? lastRelease();
  if (revision === null) refuseOption('there was no release: --against names a commit');
  if (rounds < 3) refuseOption('--rounds must be 3 or more: two runs tell nothing of their noise');
  const other = checkOut(revision);
  const sides = { before: new Side(other.commit, other.root), now: new Side('now', ROOT) };
  const runs: Record<keyof typeof sides, Run[]> = { before: [], now: [] };
  try {
    for (const side of Object.values(sides)) await side.prepare();
    for (let round = 0; round < rounds; round++) {
      // Each goes first in half of the rounds: a machine becomes warm, or slow.
      const order = round % 2 === 0 ? (['before', 'now'] as const) : (['now', 'before'] as const);
      for (const name of order) {
        const run = await sides[name].run();
        runs[name].push(run);
        process.stdout.write(`${sides[name].name}: ${JSON.stringify(run)}\n`);
      }
    }
  } finally {
    for (const side of Object.values(sides)) side.remove();
    other.remove();
  }
  const judged = FIGURES.map(({ key, ...figure }) =>
    judge({ ...figure, before: runs.before.map((run) => run[key]), now: runs.now.map((run) => run[key]) }),
  );
  const lost = judged.filter(({ verdict }) => verdict === 'lost').map(({ figure }) => figure.name);
  const head = ['figure', `${revision} (${other.commit})`, 'now', 'change', 'noise', 'verdict'];
  return {
    title: `Guard: this version beside ${revision}, ${rounds} rounds in turns`,
    lines: [...table(head, judged.map(cellsOf)), '', 'Medians, with the lowest and the highest.'],
    data: { against: other.commit, runs },
    failure: lost.length === 0 ? null : `lost against ${revision}: ${lost.join('; ')}`,
  };
});
