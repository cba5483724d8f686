// Strangers and tenants attack a running service, one after the other; and what everybody else beside them notices:
// callers, an ADMIN who signs in, and a monitor.
import { ATTACKS } from '../rig/hostile/attacks.ts';
import { besiege, inPeace, type Outcome, type SiegeOptions, withSiege } from '../rig/hostile/siege.ts';
import { readOptions } from '../rig/options.ts';
import { summariseBins } from '../rig/phone/phones.ts';
import { type Row, report, summarise } from '../rig/statistics.ts';

const USAGE = `usage: npm run bench -- hostile [--seconds N] [--only WORDS]
  each attack (or those whose name contains WORDS) for N seconds (default 20), after as long a time of peace
  needs: a C compiler`;

/** Calls in mid conversation beside each attack. */
const TALKERS = 10;

export default async function hostile(args: string[]): Promise<void> {
  const { seconds, only } = readOptions(USAGE, { seconds: 20, only: null }, args);
  const chosen = ATTACKS.filter(({ name }) => name.includes(only ?? ''));
  if (chosen.length === 0) throw new Error(`--only: no attack's name contains "${only}"`);
  const outcomes: Outcome[] = [];
  for (const models of ['instant', 'built-in'] as const) {
    const attacks = chosen.filter((attack) => (attack.models ?? 'instant') === models);
    if (attacks.length === 0) continue;
    // The built-in recogniser takes a tenth of a core for each of them.
    const options: SiegeOptions = { models, talkers: models === 'instant' ? TALKERS : 3 };
    await withSiege(options, async (siege) => {
      const peace = await inPeace(siege, seconds * 1_000);
      outcomes.push({ ...peace, attack: `nobody (${models} models)` });
      for (const attack of attacks) {
        process.stderr.write(`${chosen.indexOf(attack) + 1} of ${chosen.length}: ${attack.name}\n`);
        outcomes.push(await besiege(siege, attack, seconds * 1_000));
      }
    });
  }
  report(
    'hostile',
    'Attacks, and what everybody else noticed',
    outcomes.flatMap(rowsOf),
    Object.fromEntries(outcomes.map(({ attack, healthMs }) => [attack, healthMs])),
    {
      lines: ['', ...tableOf(outcomes)],
      data: { outcomes: outcomes.map(({ healthMs: _, talkers: __, ...rest }) => rest) },
    },
  );
}

function rowsOf({ attack, healthMs, talkers }: Outcome): Row[] {
  return [
    { name: `/healthz beside: ${attack}`, summary: summarise(healthMs), target: 'p99 <= 50, max <= 100' },
    ...(talkers
      ? [{ name: `pacing beside: ${attack}`, summary: summariseBins(talkers.pace), target: 'p99 <= 5' }]
      : []),
  ];
}

function tableOf(outcomes: readonly Outcome[]): string[] {
  return [
    '| attack | calls served, failed | INVITE to 200, p50 and max (ms) | talking, dropped, turns unanswered | sign-ins refused | memory | what came of it |',
    '|---|---|---|---|---|---|---|',
    ...outcomes.map(({ attack, answersMs, failedCalls, talkers, signIns, grownMb, gain }) => {
      const { p50, max } = summarise(answersMs);
      const cells = [
        attack,
        `${answersMs.length}, ${failedCalls.length}`,
        `${p50}, ${max}`,
        talkers ? `${talkers.up}, ${talkers.dropped}, ${talkers.silent} of ${talkers.turnsMs.length}` : '',
        `${signIns.refused} of ${signIns.tried}`,
        `${grownMb >= 0 ? '+' : ''}${grownMb} MB`,
        `${gain.succeeded ? 'SUCCEEDED: ' : ''}${gain.words}`,
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    ...outcomes.flatMap(({ attack, failedCalls }) => failedCalls.slice(0, 2).map((why) => `${attack}: ${why}`)),
  ];
}
