// Drills with real processes: what an installation of several machines promises when a part of it is killed, cut off or
// replaced. Each has a ledger outside of the database (bench/drills/ledger.ts).
import { loadavg } from 'node:os';
import { apisKilled } from '../../drills/apis-killed.ts';
import { clocksApart } from '../../drills/clocks-apart.ts';
import { engineAlone } from '../../drills/engine-alone.ts';
import { engineCut } from '../../drills/engine-cut.ts';
import { engineFrozen } from '../../drills/engine-frozen.ts';
import { rollingRestart } from '../../drills/rolling-restart.ts';
import type { Finding } from '../../drills/stage.ts';
import { standbyPromoted } from '../../drills/standby-promoted.ts';
import { storeAway } from '../../drills/store-away.ts';
import { part, refuseOption } from '../../rig/part.ts';

const USAGE = `usage: npm run bench -- cluster-drills [--only NAME] [--seconds N] [--rate CALLS_PER_SECOND] [--contacts N]
  apis      three APIs, one killed every 5 s for N seconds (default 120)
  standby   PostgreSQL's primary killed, its synchronous standby promoted, during a campaign of N contacts (default 120)
  cut       an engine cut off from the database for 30 s
  silent    the same, by a way on which nothing passes any more
  long      an engine cut off for 150 s: longer than others wait with closing its calls
  pause     an engine stands still for 5 s: nobody takes anything from it
  frozen    the same for 60 s: what it led goes on elsewhere, and it finds that it owns nothing
  alone     an engine cut off from everything for 60 s, in a network namespace of its own (root)
  clocks    the clocks of both engines apart for 60 s: an hour ahead, ten minutes back (needs faketime)
  store     the object store away for 45 s: connections refused
  hang      the same: it takes requests and answers none
  rolling   both engines drained and started again
  under N POST /calls a second (default 5; rolling: 10). DRILL_LOGS names a folder for the logs of the processes`;

const DRILLS = {
  apis: ({ seconds, rate }) => apisKilled({ seconds, rate: rate || 5 }),
  standby: ({ rate, contacts }) => standbyPromoted({ rate: rate || 5, contacts }),
  cut: ({ rate }) => engineCut({ seconds: 30, isSilent: false, rate: rate || 3 }),
  silent: ({ rate }) => engineCut({ seconds: 30, isSilent: true, rate: rate || 3 }),
  long: ({ rate }) => engineCut({ seconds: 150, isSilent: false, rate: rate || 3 }),
  pause: ({ rate }) => engineFrozen({ seconds: 5, rate: rate || 3 }),
  frozen: ({ rate }) => engineFrozen({ seconds: 60, rate: rate || 3 }),
  alone: ({ rate }) => engineAlone({ seconds: 60, rate: rate || 3 }),
  clocks: ({ rate }) => clocksApart({ seconds: 60, rate: rate || 3 }),
  store: ({ rate }) => storeAway({ seconds: 45, fault: 'away', rate: rate || 3 }),
  hang: ({ rate }) => storeAway({ seconds: 45, fault: 'hang', rate: rate || 3 }),
  rolling: ({ rate }) => rollingRestart({ rate: rate || 10 }),
} satisfies Record<string, (options: { seconds: number; rate: number; contacts: number }) => Promise<Finding>>;

type Name = keyof typeof DRILLS;
const isName = (text: string): text is Name => text in DRILLS;

export default part(USAGE, { only: null, seconds: 120, rate: 0, contacts: 120 }, async ({ only, ...options }) => {
  if (only !== null && !isName(only)) refuseOption(`there is no drill "${only}"`);
  const names = only === null ? (Object.keys(DRILLS) as Name[]) : [only as Name];
  const findings: Array<[Name, Finding]> = [];
  for (const name of names) {
    process.stdout.write(`load ${loadavg()[0]?.toFixed(1)}\n`);
    const finding = await DRILLS[name](options);
    process.stdout.write(`${name}: ${finding.line}\n${JSON.stringify(finding.data)}\n`);
    findings.push([name, finding]);
  }
  const broken = findings.flatMap(([name, finding]) => finding.broken.map((each) => `${name}: ${each}`));
  return {
    title: 'Drills with several engines and APIs on one PostgreSQL',
    lines: findings.map(([, { line }]) => line),
    data: Object.fromEntries(findings.map(([name, { data }]) => [name, data])),
    failure: broken.length === 0 ? null : broken.join('; '),
  };
});
