// `npm run bench -- conversation`: the scenarios of bench/rig/scenarios over real SIP, judged from the wire.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Take, TakePlayer } from '../conversation/play.ts';
import { type Evidence, scoreTake } from '../conversation/score.ts';
import { callerTurns, ENGINES, type Engines, withScriptedService } from '../conversation/service.ts';
import { HALVES, type Half, halfOf, type Run, reportOf } from '../conversation/table.ts';
import { part, refuseOption } from '../rig/part.ts';
import { pause } from '../rig/scenario.ts';
import { readScenarios, type Scenario } from '../rig/scenario-file.ts';
import { PROMPT } from '../rig/script.ts';

const USAGE = `usage: npm run bench -- conversation [--scenario NAME,…] [--takes N] [--half tuning|held-out|both]
                                         [--calls N] [--engines NAME,…] [--timelines FILE]
  engines: typical and built-in (default), openai and deepgram (typical ones behind these interfaces);
  the scenarios named, else all; N takes of each (default: as its file says, half as many with the built-in engines);
  N calls at a time (default 10, 4 with the built-in engines); FILE gets the events of each take, line by line`;

/** The built-in engines use the whole machine, so they get fewer calls at a time and fewer takes. */
const CALLS: Record<Engines, number> = { typical: 10, openai: 10, deepgram: 10, 'built-in': 4 };
const TAKES_SHARE: Record<Engines, number> = { typical: 1, openai: 1, deepgram: 1, 'built-in': 0.5 };
const APART_MS = 700;
const TIMER_MS = 10;

interface Plan {
  scenario: Scenario;
  seed: number;
}

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

interface Played {
  takes: Take[];
  callerLateMs: number;
  /** The evidence for judging a take, by the caller's number. */
  evidence(take: Take): Evidence;
}

async function playAll(engines: Engines, plans: readonly Plan[], calls: number): Promise<Played> {
  return withScriptedService(engines, async (scripted) => {
    const waiting = plans.map(({ scenario, seed }, serial) => new TakePlayer(scenario, seed, serial, scripted));
    for (const player of waiting) await player.prepare();
    const takes: Take[] = [];
    const playSome = async (index: number): Promise<void> => {
      // Calls that begin together would measure the beginning of many calls.
      await pause(index * APART_MS);
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        takes.push(await next.play());
        process.stderr.write(`\r${engines} engines: ${takes.length} of ${plans.length} takes `);
      }
    };
    const delay = monitorEventLoopDelay({ resolution: TIMER_MS });
    delay.enable();
    await Promise.all(Array.from({ length: calls || CALLS[engines] }, (_, index) => playSome(index)));
    delay.disable();
    process.stderr.write('\n');
    const turns = await callerTurns(scripted);
    const [speech, requests] = [scripted.folder.speech(), scripted.folder.requests()];
    const script = plans.flatMap(({ scenario }) => scenario.replies.map(({ say }) => say));
    const { greeting } = scripted;
    return {
      takes,
      callerLateMs: Math.max(0, Math.round(delay.percentile(99) / 1e6 - TIMER_MS)),
      evidence: ({ number }) => ({
        speech,
        script: [greeting, PROMPT, ...script],
        greeting,
        heardTurns: engines === 'built-in' ? null : (turns.get(number) ?? []),
        requests: requests.filter((each) => each.number === number),
      }),
    };
  });
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
    const { takes, evidence, callerLateMs } = await playAll(engines, plans, options.calls);
    runs.set(engines, { scores: takes.map((take) => scoreTake(take, evidence(take))), callerLateMs });
  }
  if (options.timelines !== null) {
    const all = [...runs].flatMap(([engines, { scores }]) =>
      scores.map(({ timeline }) => [`# ${engines}`, ...timeline, '']),
    );
    writeFileSync(options.timelines, all.flat().join('\n'));
  }
  return reportOf(runs, halves);
});
