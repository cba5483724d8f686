// Strangers and tenants attack a running service, one after the other; and what everybody else beside them notices:
// callers, an ADMIN who signs in, and a monitor.
import { ATTACKS } from '../rig/hostile/attacks.ts';
import { besiege, inPeace, type Outcome, withSiege } from '../rig/hostile/siege.ts';
import { faultsOf } from '../rig/hostile/verdict.ts';
import { type Row, rowOf, summarise, table } from '../rig/measure/statistics.ts';
import { part, refuseOption } from '../rig/part.ts';
import { summariseBins } from '../rig/phone/phones.ts';

const USAGE = `usage: npm run bench -- hostile [--seconds N] [--only WORDS]
  each attack (or those whose name contains WORDS, or others behind a comma) for N seconds (default 20), after as long a time of peace.
  Ends with 1 where an attack succeeded, or was noticed by others: calls, sign-ins, pacing over 5 ms at p99, turns that take a quarter longer
  needs: a C compiler`;

/** Calls in mid conversation beside each attack. The built-in recogniser takes a tenth of a core for each of them. */
const TALKERS = { instant: 20, 'built-in': 3 } as const;

export default part(USAGE, { seconds: 20, only: null }, async ({ seconds, only }) => {
  const words = (only ?? '').split(',');
  const chosen = ATTACKS.filter(({ name }) => words.some((each) => name.includes(each)));
  if (chosen.length === 0) refuseOption(`no attack's name contains "${only}"`);
  const outcomes: Outcome[] = [];
  const faults: string[] = [];
  for (const models of ['instant', 'built-in'] as const) {
    const attacks = chosen.filter((attack) => (attack.models ?? 'instant') === models);
    if (attacks.length === 0) continue;
    await withSiege({ models, talkers: TALKERS[models] }, async (siege) => {
      const peace = await inPeace(siege, seconds * 1_000);
      outcomes.push({ ...peace, attack: `nobody (${models} models)` });
      for (const attack of attacks) {
        process.stderr.write(`${chosen.indexOf(attack) + 1} of ${chosen.length}: ${attack.name}\n`);
        const outcome = await besiege(siege, attack, seconds * 1_000);
        outcomes.push(outcome);
        faults.push(...faultsOf(outcome, peace));
      }
    });
  }
  return {
    title: 'Attacks, and what everybody else noticed',
    rows: outcomes.flatMap(rowsOf),
    samples: Object.fromEntries(outcomes.map(({ attack, healthMs }) => [attack, healthMs])),
    lines: linesOf(outcomes),
    data: { outcomes: outcomes.map(({ healthMs: _, talkers: __, ...rest }) => rest) },
    failure: faults.length === 0 ? null : faults.join('\n'),
  };
});

function rowsOf({ attack, healthMs, talkers }: Outcome): Row[] {
  return [
    rowOf(`/healthz beside: ${attack}`, healthMs, 'p99 <= 50, max <= 100'),
    ...(talkers
      ? [{ name: `pacing beside: ${attack}`, summary: summariseBins(talkers.pace), target: 'p99 <= 5' }]
      : []),
  ];
}

const HEAD = [
  'attack',
  'calls served, failed',
  'INVITE to 200, p50 and max (ms)',
  'talking, dropped, turns unanswered',
  'sign-ins refused',
  'memory',
  'what came of it',
];

function linesOf(outcomes: readonly Outcome[]): string[] {
  const rows = outcomes.map(({ attack, answersMs, failedCalls, talkers, signIns, grownMb, gain }) => {
    const { p50, max } = summarise(answersMs);
    return [
      attack,
      `${answersMs.length}, ${failedCalls.length}`,
      `${p50}, ${max}`,
      talkers ? `${talkers.up}, ${talkers.dropped}, ${talkers.silent} of ${talkers.turnsMs.length}` : '',
      `${signIns.refused} of ${signIns.tried}`,
      `${grownMb >= 0 ? '+' : ''}${grownMb} MB`,
      `${gain.succeeded ? 'SUCCEEDED: ' : ''}${gain.words}`,
    ];
  });
  const failures = outcomes.flatMap(({ attack, failedCalls }) =>
    failedCalls.slice(0, 2).map((why) => `${attack}: ${why}`),
  );
  return [...table(HEAD, rows), ...failures];
}
