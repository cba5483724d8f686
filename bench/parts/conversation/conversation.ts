// `npm run bench -- conversation`: the scenarios of bench/rig/scenarios over real SIP, judged from the wire.
import { writeFileSync } from 'node:fs';
import { type Plan, playAll } from '../../conversation/run.ts';
import { scoreTake } from '../../conversation/score.ts';
import { ENGINES, type Engines } from '../../conversation/service.ts';
import { HALVES, type Half, halfOf, type Run, reportOf } from '../../conversation/table.ts';
import { readScenarios, type Scenario } from '../../rig/conversation/scenario-file.ts';
import { part, refuseOption } from '../../rig/part.ts';

const USAGE = `usage: npm run bench -- conversation [--scenario NAME,…] [--takes N] [--half tuning|held-out|both]
                                         [--calls N] [--engines NAME,…] [--timelines FILE]
  engines: typical and built-in (default), openai and deepgram (typical ones behind these interfaces);
  the scenarios named, else all; N takes of each (default: as its file says, half as many with the built-in engines);
  N calls at a time (default 10, 4 with the built-in engines); FILE gets the events of each take, line by line`;

/** The built-in engines use the whole machine, so they get fewer calls at a time and fewer takes. */
const CALLS: Record<Engines, number> = { typical: 10, openai: 10, deepgram: 10, 'built-in': 4 };
const TAKES_SHARE: Record<Engines, number> = { typical: 1, openai: 1, deepgram: 1, 'built-in': 0.5 };

/** Takes of one scenario are far apart, so that calls of all kinds run at the same time. */
function planTakes(
  scenarios: readonly Scenario[],
  halves: readonly Half[],
  takesOf: (scenario: Scenario) => number,
): Plan[] {
  const plans: Plan[] = [];
  const most = Math.max(0, ...scenarios.map(takesOf));
  for (let seed = 0; seed < most; seed++) {
    for (const scenario of scenarios)
      if (seed < takesOf(scenario) && halves.includes(halfOf(seed))) plans.push({ scenario, seed });
  }
  return plans;
}

const DEFAULTS = {
  scenario: null,
  takes: 0,
  half: 'both',
  calls: 0,
  engines: 'typical,built-in',
  timelines: null,
} as const;

export default part(USAGE, DEFAULTS, async (options) => {
  const names = options.scenario?.split(',');
  const scenarios = readScenarios().filter(({ name }) => names === undefined || names.includes(name));
  const halves = HALVES.filter((half) => options.half === 'both' || options.half === half);
  const chosen = ENGINES.filter((engines) => options.engines.split(',').includes(engines));
  if (scenarios.length === 0 || halves.length === 0 || chosen.length === 0) {
    refuseOption('there is no such scenario, half or set of engines');
  }
  const runs = new Map<Engines, Run>();
  for (const engines of chosen) {
    const takesOf = ({ takes }: Scenario): number => options.takes || takes * TAKES_SHARE[engines];
    const plans = planTakes(scenarios, halves, takesOf);
    const { takes, evidence, callerLateMs, refusals, recogniserRequests } = await playAll(
      engines,
      plans,
      options.calls || CALLS[engines],
    );
    runs.set(engines, {
      scores: takes.map((take) => scoreTake(take, evidence(take))),
      callerLateMs,
      refusals,
      recogniserRequests,
    });
  }
  if (options.timelines !== null) {
    const all = [...runs].flatMap(([engines, { scores }]) =>
      scores.map(({ timeline }) => [`# ${engines}`, ...timeline, '']),
    );
    writeFileSync(options.timelines, all.flat().join('\n'));
  }
  return reportOf(runs, halves);
});
