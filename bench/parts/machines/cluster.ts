// Several engines and APIs on one PostgreSQL, as processes of this machine: the way of a placed call, of its end, and
// what engines that are killed cost. The far side of the trunk keeps the ledger: what it was sent is what was dialled,
// whatever the tables say.
import { openPostgres } from '../../../db/postgres/open.ts';
import type { Db } from '../../../db/schema.ts';
import { answers, Phone } from '../../../engine/test-runs/caller/phone/phone.ts';
import type { PhoneCall } from '../../../engine/test-runs/caller/phone/phone-call.ts';
import { newCallsUnderKills } from '../../cluster/new-calls.ts';
import { keepLogs } from '../../drills/stage.ts';
import { INSTANT, pause } from '../../rig/conversation/scenario.ts';
import { eventually } from '../../rig/eventually.ts';
import { type Report, rowOf } from '../../rig/measure/statistics.ts';
import { part, refuseOption } from '../../rig/part.ts';
import { left, severalEnds } from '../../rig/rows/campaign-ends.ts';
import { type Cluster, startCluster } from '../../rig/service/cluster.ts';
import type { KillableProcess } from '../../rig/service/killable-process.ts';
import { addCampaign, addTrunk, type OutboundCampaign } from '../../rig/service/outbound-setup.ts';
import { type Receiver, startReceiver, TEST_AUTHORITY } from '../../rig/service/receiver.ts';
import type { Rest } from '../../rig/service/rest.ts';

const USAGE = `usage: npm run bench -- cluster [--only placed|new] [--engines N] [--calls N] [--rate CALLS_PER_SECOND] [--kills N] [--contacts N]
  placed  N calls (default 200) placed through two APIs at a steady rate (default 5 a second) on two engines; then a
          campaign of N contacts (default 200) while N times (default 6) an engine is killed, in turn the one that places
          calls and another
  new     calls come in by Kamailio at the same rate while N times an engine is killed and is away for 15 s
  DRILL_LOGS names a folder for the logs of the processes`;

const TALK_MS = 1_000;
const CAMPAIGN_MAX = 8;
const KILL_EVERY_MS = 12_000;

/** The trunk's far side, and all that it saw. */
class Ledger {
  readonly invites = new Map<string, number[]>();
  readonly ends = new Map<string, number>();
  #open = 0;
  mostOpen = 0;

  saw(call: PhoneCall): void {
    this.invites.set(call.number, [...(this.invites.get(call.number) ?? []), Date.now()]);
    this.#open++;
    this.mostOpen = Math.max(this.mostOpen, this.#open);
    const tell = call.onEvent;
    call.onEvent = (event) => {
      tell(event);
      if (event.type !== 'ended') return;
      this.#open--;
      this.ends.set(call.number, Date.now());
    };
  }

  get twice(): string[] {
    return [...this.invites].filter(([, times]) => times.length > 1).map(([number]) => number);
  }
}

interface Options {
  engines: number;
  calls: number;
  rate: number;
  kills: number;
  contacts: number;
}

type Found = Required<Pick<Report, 'rows' | 'samples' | 'lines' | 'data'>> & { broken: string[] };

export default part(
  USAGE,
  { only: null, engines: 2, calls: 200, rate: 5, kills: 6, contacts: 200 },
  async ({ only, ...options }) => {
    if (only !== null && only !== 'placed' && only !== 'new') refuseOption(`there is no "${only}"`);
    const found = [
      ...(only === 'new' ? [] : [await placed(options)]),
      ...(only === 'placed' ? [] : [await taken(options)]),
    ];
    const broken = found.flatMap((each) => each.broken);
    return {
      title: `${options.engines} engines on one PostgreSQL`,
      rows: found.flatMap(({ rows }) => rows),
      samples: Object.assign({}, ...found.map(({ samples }) => samples)),
      lines: found.flatMap(({ lines }) => lines),
      data: Object.assign({}, ...found.map(({ data }) => data)),
      failure: broken.length === 0 ? null : broken.join('; '),
    };
  },
);

async function placed({ engines, calls, rate, kills, contacts }: Options): Promise<Found> {
  const ledger = new Ledger();
  const answer = answers({ afterMs: 50, hangUpAfterMs: TALK_MS });
  // It talks: who took a call over asks after a far side that has been heard and is silent now.
  const phone = await Phone.start({
    talks: true,
    hears: false,
    script(call) {
      ledger.saw(call);
      return answer(call);
    },
  });
  const receiver = await startReceiver();
  const cluster = await startCluster({
    engines,
    apis: 2,
    durable: true,
    environment: {
      ...INSTANT,
      LOG_LEVEL: 'info',
      MAX_CALLS: '100',
      WEBHOOK_ALLOW_PRIVATE: '1',
      NODE_EXTRA_CA_CERTS: TEST_AUTHORITY,
    },
  });
  const db = openPostgres(cluster.postgres.url, { readonly: true });
  try {
    const rests = [await cluster.rest(0), await cluster.rest(1)];
    const [rest] = rests;
    if (rest === undefined) throw new Error('there is no API');
    await rest.must('POST', '/webhooks', { url: receiver.url('/ended'), events: ['call.ended'] });
    const trunkId = await addTrunk(rest, phone.port, { callsPerSecond: 200, maxConcurrentCalls: 200 });
    const single = await addCampaign(rest, trunkId, '+12025550142');
    const asked = await placeCalls(rests, single, ledger, { calls, rate });
    const delivered = await deliveries(receiver, ledger, calls);
    const killed = await campaignUnderKills({ cluster, db, rest, trunkId, ledger }, { kills, contacts });
    const promises = [
      killed.twice.length === 0 ? null : `dialled twice: ${killed.twice.join(', ')}`,
      killed.mostOpen <= CAMPAIGN_MAX ? null : `${killed.mostOpen} calls at a time, of a limit of ${CAMPAIGN_MAX}`,
      killed.unfinished === 0 ? null : `${killed.unfinished} contacts were left`,
      killed.severalEnds === 0 ? null : `${killed.severalEnds} calls have several ends`,
    ];
    return {
      rows: [
        rowOf('POST /calls accepted → INVITE', asked, 'p99 <= 250'),
        rowOf('call end → webhook', delivered, 'p99 <= 300'),
        rowOf('the placing engine is killed → next INVITE', killed.gaps, '<= 6000'),
      ],
      samples: { 'accepted to INVITE': asked, 'end to webhook': delivered },
      lines: [
        `A campaign of ${contacts} contacts over ${kills} kills: ${killed.dialled} dialled, ${killed.twice.length} of them twice, at most ${killed.mostOpen} at a time of ${CAMPAIGN_MAX} allowed; ${killed.severalEnds} calls with several ends, ${killed.unfinished} contacts left.`,
      ],
      data: { killed },
      broken: promises.filter((broken) => broken !== null),
    };
  } finally {
    keepLogs(cluster);
    await db.destroy();
    await cluster.stop();
    await receiver.close();
    phone.stop();
  }
}

async function taken({ engines, kills, rate }: Options): Promise<Found> {
  const found = await newCallsUnderKills(engines, { kills, rate });
  if (typeof found === 'string')
    return { rows: [], samples: {}, lines: [`New calls: not tried, ${found}.`], data: {}, broken: [] };
  const { steady, after, lateFor, late, refused, caught } = found;
  return {
    rows: [
      rowOf('new call: INVITE → 200', steady),
      rowOf('new call after a kill: INVITE → 200', after, 'max <= 2000'),
      rowOf('an engine is killed → last late answer', lateFor),
    ],
    samples: { 'INVITE to 200 after a kill': after },
    lines: [
      `New calls by Kamailio, ${rate} a second, over ${kills} kills: ${after.length} placed while an engine was away, ${late} of them late, ${refused} refused; ${caught} had been given to it and were not answered yet.`,
    ],
    data: { newCalls: found },
    broken: refused === 0 ? [] : [`${refused} new calls were refused`],
  };
}

/** Ms from the answer to each INVITE. */
async function placeCalls(
  rests: readonly Rest[],
  campaign: OutboundCampaign,
  ledger: Ledger,
  { calls, rate }: { calls: number; rate: number },
): Promise<number[]> {
  const acceptedAt = new Map<string, number>();
  const numbers = Array.from({ length: calls }, (_, index) => `+1202556${String(1_000 + index)}`);
  const asked: Promise<void>[] = [];
  for (const [index, toNumber] of numbers.entries()) {
    const rest = rests[index % rests.length];
    const place = async (): Promise<void> => {
      await rest?.must('POST', '/calls', {
        campaignId: campaign.id,
        fromPhoneNumberId: campaign.numberId,
        toNumber,
      });
      acceptedAt.set(toNumber, Date.now());
    };
    asked.push(place());
    await pause(1_000 / rate);
  }
  await Promise.all(asked);
  await eventually(() => numbers.every((number) => ledger.invites.has(number)), 'every INVITE');
  // The INVITE may be on the wire before this client has read its answer.
  return numbers.map((number) => Math.max(0, (ledger.invites.get(number)?.[0] ?? 0) - (acceptedAt.get(number) ?? 0)));
}

/** Ms from each BYE of the far side to the receipt of `call.ended`. */
async function deliveries(receiver: Receiver, ledger: Ledger, calls: number): Promise<number[]> {
  await eventually(() => receiver.received.length >= calls, 'every webhook');
  return receiver.received.map(({ body, atMs }) => {
    const { data } = JSON.parse(body) as { data: { toNumber: string } };
    return Math.max(0, atMs - (ledger.ends.get(data.toNumber) ?? atMs));
  });
}

interface Stage {
  cluster: Cluster;
  db: Db;
  rest: Rest;
  trunkId: string;
  ledger: Ledger;
}

async function campaignUnderKills(stage: Stage, { kills, contacts }: { kills: number; contacts: number }) {
  const { cluster, db, rest, trunkId, ledger } = stage;
  ledger.invites.clear();
  ledger.mostOpen = 0;
  const campaign = await addCampaign(rest, trunkId, '+12025550143', {
    maxConcurrentCalls: CAMPAIGN_MAX,
    // One attempt each: a second INVITE to a number is one too many.
    maxAttempts: 1,
  });
  const numbers = Array.from({ length: contacts }, (_, index) => `+1202557${String(1_000 + index)}`);
  await rest.must('POST', `/campaigns/${campaign.id}/contacts`, {
    contacts: numbers.map((phoneNumber) => ({ phoneNumber })),
  });
  await rest.must('POST', `/campaigns/${campaign.id}/start`);
  const gaps: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    await pause(KILL_EVERY_MS);
    const placer = placing(cluster);
    const victim = kill % 2 === 0 ? placer : cluster.engines.find((engine) => engine !== placer);
    if (victim === undefined) break;
    const killedAt = Date.now();
    victim.kill();
    if (victim === placer && (await undialled(db, campaign.id)) > 0) {
      const next = (): number | undefined =>
        [...ledger.invites.values()]
          .flat()
          .filter((at) => at > killedAt + 50)
          .sort((a, b) => a - b)[0];
      await eventually(() => next() !== undefined, 'an INVITE after the kill');
      gaps.push((next() ?? killedAt) - killedAt);
      process.stdout.write(`kill at ${new Date(killedAt).toISOString()}: next INVITE after ${gaps.at(-1)} ms\n`);
    }
    await victim.ready();
  }
  await eventually(async () => (await left(db, campaign.id)) === 0, 'the end of the campaign');
  return {
    gaps,
    dialled: ledger.invites.size,
    twice: ledger.twice,
    mostOpen: ledger.mostOpen,
    unfinished: await left(db, campaign.id),
    severalEnds: await severalEnds(db),
  };
}

/** Contacts that nobody was called for yet; the calls of the others may go on. */
async function undialled(db: Db, campaignId: string): Promise<number> {
  const contacts = db.selectFrom('contacts').select('id').where('campaignId', '=', campaignId);
  return (await contacts.where('status', '=', 'PENDING').execute()).length;
}

/** The engine that last said that it places calls. */
function placing(cluster: Cluster): KillableProcess | undefined {
  const said = (engine: KillableProcess): string =>
    [...engine.output().matchAll(/"time":"([^"]+)"[^\n]*this engine places calls/g)].at(-1)?.[1] ?? '';
  return [...cluster.engines].sort((a, b) => (said(a) < said(b) ? 1 : -1))[0];
}
