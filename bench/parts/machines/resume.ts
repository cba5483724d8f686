// `npm run bench -- resume`: conversations go on while their engine is killed with -9 again and again. What each caller
// heard of it, and what the database says of it afterwards.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openDatabase } from '../../../db/database.ts';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { renderSpeech } from '../../../engine/test-runs/caller/speech.ts';
import { examineConversations } from '../../resume/examine.ts';
import { FLOORS, type Heard, type Hole, Talker } from '../../resume/talker.ts';
import { BUILT_IN, pause, TYPICAL, withService } from '../../rig/conversation/scenario.ts';
import { startPostgres } from '../../rig/database/postgres-server.ts';
import { eventually } from '../../rig/eventually.ts';
import { summarise, table } from '../../rig/measure/statistics.ts';
import { part, refuseOption } from '../../rig/part.ts';
import { engineUsage, processesOf } from '../../rig/service/engine-threads.ts';
import type { Service } from '../../rig/service/service.ts';

const USAGE = `usage: npm run bench -- resume [--calls N] [--kills N] [--upgrades N] [--standby 1] [--journal 0] [--postgres 1]
                                   [--engines KIND] [--seed S]
  N conversations at a time (default 50) while their engine is killed N times (default 20), at moments by the seed S,
  and then replaced N times by npm run upgrade (default 5); with --standby 1 an engine stands by (WARM_STANDBY); first
  what the journal costs while they talk: --journal 0 measures the same without one (RESUME_CALLS=off); --postgres 1
  keeps all of it in PostgreSQL; --engines built-in: the service's own recogniser, rules and voice, which a new process
  has to load (default typical: fakes)`;

/** An engine that dies sooner after its start is started again after a pause. */
const HEALTHY_MS = 10_500;
/** How long the agent is silent from any moment on: what the silence after a kill is compared with. */
const UNDISTURBED_ROUNDS = 3;
/** Callers that hang up while there is no engine. */
const LEAVERS = 2;

export default part(
  USAGE,
  { calls: 50, kills: 20, upgrades: 5, standby: 0, journal: 1, postgres: 0, engines: 'typical', seed: 1 },
  async ({ calls, kills, upgrades, standby, journal, postgres, engines, seed }) => {
    if (!['typical', 'built-in'].includes(engines)) refuseOption(`--engines ${engines} is none of typical, built-in`);
    const random = seededRandom(seed);
    const clip = await renderSpeech('What are your opening hours today?', 'flite-slt');
    // Each answer is another one, also of the next engine: what comes twice was said twice.
    const models = engines === 'built-in' ? BUILT_IN : TYPICAL;
    const environment = { ...models, MAX_CALLS: '400', FAKE_LLM_REPLY: 'Answer {n} of {run}, we are open from nine.' };
    const more = { WARM_STANDBY: standby > 0 ? 'on' : 'off', RESUME_CALLS: journal > 0 ? 'on' : 'off' };
    const server = postgres > 0 ? await startPostgres({ durable: true }) : null;
    const database = server === null ? {} : { DATABASE_URL: server.url, SEALING_KEY: KEY, JWT_SECRET: KEY };
    const run = async (service: Service) => {
      const talkers = Array.from({ length: calls }, (_, n) => new Talker(service.sipAddress, n * 150, clip, random));
      const running = talkers.map(async (talker, n) => {
        await pause(n * 100);
        await talker.run();
      });
      await eventually(() => talkers.every(({ isUp }) => isUp), 'all callers talk');
      const cost = await journalCost(service);
      process.stdout.write(`${cost}\n`);
      const undisturbed: Heard[] = [];
      for (let round = 0; round < UNDISTURBED_ROUNDS; round++) {
        await pause(random() * 4_000);
        const heard = await Promise.all(talkers.map((talker) => talker.noticeNothing()));
        undisturbed.push(...heard.filter((one) => one !== null));
      }
      const holes: Hole[] = [];
      let startedAtMs = performance.now();
      for (let kill = 0; kill < kills; kill++) {
        await pause(Math.max(0, startedAtMs + HEALTHY_MS - performance.now()) + random() * 4_000);
        process.kill(engineOf(service), 'SIGKILL');
        const killedAtMs = performance.now();
        const noticed = talkers.map((talker) => talker.noticeKill());
        await pause(200 + random() * 600);
        const leavers = talkers.filter(({ isUp }) => isUp).slice(0, LEAVERS);
        for (const leaver of leavers) leaver.hangUp();
        const found = await Promise.all(noticed);
        startedAtMs = killedAtMs + Math.max(0, ...found.map((hole) => hole?.gapMs ?? 0));
        found.forEach((hole, n) => {
          const talker = talkers[n];
          if (hole !== null && talker !== undefined && !leavers.includes(talker)) holes.push(hole);
        });
        process.stdout.write(`kill ${kill + 1} of ${kills}: ${line(found)}\n`);
      }
      const changes: UpgradeFound[] = [];
      for (let nth = 0; nth < upgrades; nth++) {
        await pause(HEALTHY_MS);
        const running = runUpgrade(service);
        const noticed = await Promise.all(talkers.map((talker) => talker.longestGap(running.then(() => pause(3_000)))));
        const up = noticed.filter((gapMs) => gapMs !== null);
        changes.push({ gapsMs: up, told: await running });
        process.stdout.write(`upgrade ${nth + 1} of ${upgrades}: ${up.length} calls, ${figures(summarise(up))} ms\n`);
      }
      await pause(5_000);
      for (const talker of talkers) talker.stop();
      await Promise.all(running);
      const db = openDatabase(server?.url ?? join(service.dataDir, 'voice.db'), { readonly: true });
      const examined = await examineConversations(db, service);
      await db.destroy();
      const wentOn = holes.filter(({ wentOn }) => wentOn).length;
      const gaps = summarise(holes.flatMap(({ gapMs }) => gapMs ?? []));
      const silences = summarise(holes.flatMap(({ silenceMs }) => silenceMs ?? []));
      const cut = talkers.reduce((sum, talker) => sum + talker.cut, 0);
      const changed = summarise(changes.flatMap(({ gapsMs }) => gapsMs));
      const share = (wentOn / Math.max(1, holes.length)) * 100;
      const lines = table(
        ['', ''],
        [
          ['kills of the engine, conversations at a time', `${kills}, ${calls}; seed ${seed}`],
          ['the journal', cost],
          ['established calls at the kills, went on', `${holes.length}, ${wentOn} (${share.toFixed(2)} %)`],
          ['no packet, ms: p50, p95, max', figures(gaps)],
          ['no word of the agent, ms: p50, p95, max', figures(silences)],
          ...FLOORS.map((floor) => [
            `no word where, at the kill, the ${floor}; without a kill`.replace('the nobody', 'nobody'),
            `${silencesOf(holes, floor)}; ${silencesOf(undisturbed, floor)}`,
          ]),
          [
            'upgrades; calls that went on; longest time without a packet, ms: p50, p95, max',
            upgradesLine(changes, changed),
          ],
          ['calls that the service cut off', String(cut)],
          ['calls in the database, ended once', `${examined.calls}, ${examined.endedOnce}`],
          ['words of the agent that were said twice', String(examined.saidTwice)],
          ['recordings as long as their calls', `${examined.wholeRecordings} of ${examined.recordings}`],
          ['calls that are open with nobody on the line', String(examined.open)],
        ],
      );
      return {
        title: 'Conversations whose engine is killed',
        lines,
        data: { holes, undisturbed, examined, gaps, silences, changes, cut },
        failure: examined.violations.length > 0 ? examined.violations.slice(0, 40).join('\n') : null,
      };
    };
    try {
      return await withService({ ...environment, ...more, ...database }, run);
    } finally {
      await server?.stop();
    }
  },
);

function silencesOf(heard: readonly Heard[], floor: Heard['floor']): string {
  const silences = heard.flatMap((one) => (one.floor === floor ? (one.silenceMs ?? []) : []));
  return `${figures(summarise(silences))} (${silences.length})`;
}

const KEY = Buffer.alloc(32, 7).toString('base64url');

const COST_MS = 15_000;

/** Shares of a core of the thread that writes it and of the one that describes the calls, and sizes of its files. */
async function journalCost(service: Service): Promise<string> {
  const engine = engineOf(service);
  const [before, beganAt] = [engineUsage(engine).cpuMs, performance.now()];
  await pause(COST_MS);
  const [after, tookMs] = [engineUsage(engine).cpuMs, performance.now() - beganAt];
  const share = (thread: string): string => {
    const usedMs = (after.get(thread) ?? 0) - (before.get(thread) ?? 0);
    return `${((usedMs / tookMs) * 100).toFixed(1)} %`;
  };
  const folder = join(service.dataDir, 'journal');
  const bytes = new Map<string, number>();
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    const callId = /^(call_\w+)[.+]/.exec(file)?.[1];
    if (callId === undefined) continue;
    const size = statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0;
    bytes.set(callId, (bytes.get(callId) ?? 0) + size);
  }
  const sizes = summarise([...bytes.values()]);
  const size =
    bytes.size === 0 ? 'no files' : `bytes a call p50 ${Math.round(sizes.p50)}, max ${Math.round(sizes.max)}`;
  return `its thread ${share('journal')} of a core, the control thread ${share('control')}; ${size}`;
}

interface UpgradeFound {
  gapsMs: number[];
  /** The command's output. */
  told: string;
}

/** `npm run upgrade`, as an operator types it. @throws Error with what it said when it fails */
async function runUpgrade({ dataDir }: Service): Promise<string> {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const env = { ...process.env, DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, ['supervise.mjs', 'upgrade'], { cwd: root, env });
  return stdout;
}

const upgradesLine = (changes: readonly UpgradeFound[], gaps: ReturnType<typeof summarise>): string =>
  `${changes.length}; ${changes.reduce((sum, { gapsMs }) => sum + gapsMs.length, 0)}; ${figures(gaps)}`;

const engineOf = (service: Service): number => processesOf(service.process.pid ?? 0).engine;
const figures = ({ p50, p95, max }: ReturnType<typeof summarise>): string =>
  [p50, p95, max].map((ms) => Math.round(ms)).join(', ');

function line(holes: ReadonlyArray<Hole | null>): string {
  const up = holes.filter((hole) => hole !== null);
  const silences = summarise(up.flatMap(({ silenceMs }) => silenceMs ?? []));
  return `${up.length} calls, ${up.filter(({ wentOn }) => wentOn).length} went on; silence p50 ${Math.round(silences.p50)}, max ${Math.round(silences.max)} ms`;
}
