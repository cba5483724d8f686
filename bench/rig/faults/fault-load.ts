// The load during a fault: callers call in, a client places calls and reads lists, a campaign dials, and the far side
// of the trunk answers. Failures are tolerated; the service must keep its promises only for accepted requests.
import { randomUUID } from 'node:crypto';
import { Caller, pause } from '../conversation/scenario.ts';
import type { RecordedLeg } from '../phone/sip-harness.ts';
import { startHarness } from '../phone/sip-harness.ts';
import { Rest } from '../service/rest.ts';
import { signIn } from '../service/service.ts';

/** The client of an API that may fail at any moment. */
export const clientOf = (apiUrl: string): Rest =>
  new Rest(
    {
      apiUrl,
      async login() {
        const session = await new Rest({ apiUrl, login: () => signIn(apiUrl) }).login();
        // A session would end when the clock is set forward by a day.
        return (await session.must('POST', '/auth/tokens', { name: 'bench' })).token;
      },
    },
    10_000,
  );

/** The far side of the trunk: answers, and hangs up after some time. */
export class FarSide {
  /** By dialled number. */
  readonly legs: Map<string, RecordedLeg[]>;
  readonly #harness: Awaited<ReturnType<typeof startHarness>>;

  private constructor(harness: Awaited<ReturnType<typeof startHarness>>, legs: Map<string, RecordedLeg[]>) {
    this.#harness = harness;
    this.legs = legs;
  }

  static async start(random: () => number): Promise<FarSide> {
    const legs = new Map<string, RecordedLeg[]>();
    const harness = await startHarness((leg, record) => {
      legs.set(leg.called, [...(legs.get(leg.called) ?? []), record]);
      leg.ring();
      setTimeout(() => leg.answer({ address: '127.0.0.1', port: 9 }), random() * 600);
      setTimeout(() => leg.hangUp(), 1_000 + random() * 4_000);
    });
    return new FarSide(harness, legs);
  }

  get port(): number {
    return this.#harness.port;
  }

  /** Legs that have not ended. */
  open(): number {
    return [...this.legs.values()].flat().filter(({ events }) => !events.some((event) => event.type === 'ended'))
      .length;
  }

  async stop(): Promise<void> {
    await this.#harness.telephony.stop();
  }
}

export interface Load {
  /** Ids of the calls that were accepted with 201. */
  accepted: Set<string>;
  /** 5xx or missing answers to requests that were then retried. */
  troubles: Record<string, number>;
  /** Requests without any answer: the service promised nothing. */
  givenUp: number;
  inboundAnswered: number;
  inboundFailed: number;
  /** Connected time of a caller, by its number; only for calls that the caller ended. */
  talkedSeconds: Map<string, number>;
  /** Time from the INVITE to the answer to the BYE of every call: the service cannot have counted more. */
  goneSeconds: Map<string, number>;
}

export interface LoadTarget {
  apiUrl: string;
  sipAddress: string;
  campaignId: string;
  phoneNumberId: string;
  client: Rest;
}

const callerNumber = (index: number): string => `+1555019${1000 + index}`;

const CALLERS = 3;

/** Runs until `stopped()`; resolves when everything it started has finished. */
export async function runLoad(target: LoadTarget, random: () => number, stopped: () => boolean): Promise<Load> {
  const load: Load = {
    accepted: new Set(),
    troubles: {},
    givenUp: 0,
    inboundAnswered: 0,
    inboundFailed: 0,
    talkedSeconds: new Map(),
    goneSeconds: new Map(),
  };
  await Promise.all([
    ...Array.from({ length: CALLERS }, (_, index) => ringIn(target, index, random, stopped, load)),
    placeCalls(target, random, stopped, load),
    readLists(target, random, stopped),
  ]);
  return load;
}

async function ringIn(target: LoadTarget, index: number, random: () => number, stopped: () => boolean, load: Load) {
  for (let round = 0; !stopped(); round++) {
    const number = index * 10_000 + round;
    const caller = new Caller(target.sipAddress, number);
    const placedAtMs = performance.now();
    try {
      await caller.call.place();
      await caller.until('answer', () => caller.call.answeredAtMs !== null, 5_000);
      load.inboundAnswered++;
      await pause(300 + random() * 3_000);
      const { answeredAtMs } = caller.call;
      if (answeredAtMs !== null && !caller.ended) {
        load.talkedSeconds.set(callerNumber(number), (performance.now() - answeredAtMs) / 1_000);
      }
    } catch {
      load.inboundFailed++;
    }
    caller.call.hangUp();
    await caller.until('the end', () => caller.ended, 3_000).catch(() => undefined);
    load.goneSeconds.set(callerNumber(number), (performance.now() - placedAtMs) / 1_000);
    caller.call.close();
    await pause(random() * 300);
  }
}

/** Each call has its own idempotency key and is retried until answered: accepted once, dialled at most once. */
async function placeCalls(target: LoadTarget, random: () => number, stopped: () => boolean, load: Load): Promise<void> {
  const pending: Promise<void>[] = [];
  for (let number = 0; !stopped(); number++) {
    pending.push(placeOne(target, `+1415${String(2_000_000 + number)}`, load));
    await pause(200 + random() * 500);
  }
  await Promise.all(pending);
}

async function placeOne(target: LoadTarget, toNumber: string, load: Load): Promise<void> {
  const key = randomUUID();
  const body = { campaignId: target.campaignId, toNumber, fromPhoneNumberId: target.phoneNumberId };
  for (let attempt = 0; attempt < 40; attempt++) {
    try {
      const { id } = await target.client.must('POST', '/calls', body, { 'Idempotency-Key': key });
      load.accepted.add(id);
      return;
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      load.troubles[what] = (load.troubles[what] ?? 0) + 1;
      await pause(500);
    }
  }
  load.givenUp++;
}

async function readLists(target: LoadTarget, random: () => number, stopped: () => boolean): Promise<void> {
  while (!stopped()) {
    await target.client.must('GET', '/calls?limit=20').catch(() => undefined);
    await pause(50 + random() * 150);
  }
}
