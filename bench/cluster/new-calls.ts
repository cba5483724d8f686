// Measures what callers notice when an engine is lost: they place calls through Kamailio all the time, an engine is
// killed and does not come back for a while, and the others answer.

import { Phone } from '../../engine/test-runs/caller/phone/phone.ts';
import type { PhoneCall } from '../../engine/test-runs/caller/phone/phone-call.ts';
import { contactOf } from '../../engine/test-runs/caller/phone/sip-text.ts';
import { INSTANT, pause } from '../rig/conversation/scenario.ts';
import { eventually } from '../rig/eventually.ts';
import { startExampleEdge } from '../rig/network/example-edge.ts';
import { type Proxy as Kamailio, skipWithoutKamailio } from '../rig/network/kamailio.ts';
import { startCluster } from '../rig/service/cluster.ts';

const TALK_MS = 1_000;
/** The machine is gone for so long; by then Kamailio has found out, and the list of the database as well. */
const GONE_MS = 15_000;
/** Calls that are compared with those after a kill. */
const STEADY_MS = 5_000;
/** An answer that took longer than this waited for an engine that is gone. */
const LATE_MS = 500;

/** A call of the carrier; times by `performance.now()`. */
interface NewCall {
  atMs: number;
  /** Until its 200. */
  tookMs: number | null;
  /** The host and port of the engine that answered. */
  by: string | null;
  /** A final status that was no answer. */
  refusal: number | null;
}

interface NewCallsFound {
  /** Ms from INVITE to 200, of calls placed while every engine was there, and of those placed after a kill. */
  steady: number[];
  after: number[];
  /** For each kill, ms until the last late answer; 0: none was late. */
  lateFor: number[];
  late: number;
  refused: number;
  /** Calls that the killed engine had been given and not answered yet. */
  caught: number;
}

/** Null, with the reason, where this machine cannot try it. */
export async function newCallsUnderKills(
  engines: number,
  { kills, rate }: { kills: number; rate: number },
): Promise<NewCallsFound | string> {
  if (skipWithoutKamailio !== false) return skipWithoutKamailio;
  const cluster = await startCluster({
    engines,
    apis: 1,
    durable: true,
    environment: { ...INSTANT, EDGE_PROXIES: '127.0.0.1', MAX_CALLS: '100' },
  });
  const addresses = cluster.engines.map(({ address }) => address ?? '');
  const edge = await startExampleEdge({ engines: addresses });
  const carrier = await startCarrier(edge, rate);
  const found: NewCallsFound = { steady: [], after: [], lateFor: [], late: 0, refused: 0, caught: 0 };
  try {
    for (let kill = 0; kill < kills; kill++) {
      const index = kill % engines;
      const [victim, its] = [cluster.engines[index], hostOf(addresses[index] ?? '')];
      if (victim === undefined) break;
      const begunMs = performance.now();
      await eventually(() => carrier.since(begunMs).some(({ by }) => by === its), `a call at ${its}`);
      const steadyMs = performance.now();
      await pause(STEADY_MS);
      const killedMs = performance.now();
      await victim.end();
      await pause(GONE_MS);
      const untilMs = performance.now();
      victim.start();
      await victim.ready();
      const after = carrier.since(killedMs).filter(({ atMs }) => atMs < untilMs);
      await eventually(() => after.every(({ tookMs, refusal }) => tookMs !== null || refusal !== null), 'every answer');
      const before = carrier.since(steadyMs).filter(({ atMs }) => atMs < killedMs);
      found.caught += before.filter(({ tookMs }) => tookMs === null).length;
      found.refused += [...before, ...after].filter(({ refusal }) => refusal !== null).length;
      found.steady.push(...before.flatMap(({ tookMs }) => tookMs ?? []));
      found.after.push(...after.flatMap(({ tookMs }) => tookMs ?? []));
      const late = after.filter(({ tookMs }) => (tookMs ?? 0) > LATE_MS);
      found.late += late.length;
      found.lateFor.push(Math.max(0, ...late.map(({ atMs, tookMs }) => atMs + (tookMs ?? 0) - killedMs)));
      process.stdout.write(`${its} gone: ${after.length} calls, ${late.length} late\n`);
    }
    return found;
  } finally {
    carrier.stop();
    await edge.stop();
    await cluster.stop();
  }
}

/** The host and port of a SIP URI. */
const hostOf = (uri: string): string => uri.replace(/^sip:([^@]*@)?/, '').replace(/[;?].*$/, '');

/** Places `rate` calls a second, has each for a moment, and hangs up. */
async function startCarrier({ port }: Kamailio, rate: number) {
  // A carrier has an address of its own.
  const phone = await Phone.start({ host: '127.0.0.2', hears: false });
  const calls: NewCall[] = [];
  const place = (): void => {
    const call: NewCall = { atMs: performance.now(), tookMs: null, by: null, refusal: null };
    calls.push(call);
    const placed: PhoneCall = phone.place({
      target: { uri: `sip:demo@127.0.0.1:${port}`, host: '127.0.0.1', port },
      from: `+1555020${1_000 + (calls.length % 9_000)}`,
      resends: true,
      onEvent(event) {
        if (event.type === 'answered') {
          call.tookMs = performance.now() - call.atMs;
          call.by = hostOf(contactOf(placed.accepted));
          void placed.pause(TALK_MS).then(() => placed.hangUp());
        } else if (event.type === 'ended' && call.tookMs === null) call.refusal = event.status;
      },
    });
  };
  const placing = setInterval(place, 1_000 / rate);
  return {
    since: (ms: number) => calls.filter(({ atMs }) => atMs >= ms),
    stop() {
      clearInterval(placing);
      phone.stop();
    },
  };
}
