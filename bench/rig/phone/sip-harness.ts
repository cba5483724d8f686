// A telephony endpoint for tests: started on a free port of 127.0.0.1, with every leg and its events recorded.
import { type EmbeddedOptions, EmbeddedTelephony } from '../../../engine/sip/adapters/embedded/endpoint.ts';
import type { InboundLeg, Leg, LegEvent } from '../../../engine/sip/telephony.ts';

export const silentLog = { debug() {}, info() {}, warn() {}, error() {} };

export type RecordedLeg<L extends Leg = InboundLeg> = {
  leg: L;
  events: LegEvent[];
  /** Resolves with the first event of that type, past or future. */
  next<T extends LegEvent['type']>(type: T): Promise<Extract<LegEvent, { type: T }>>;
};

export function recordLeg<L extends Leg>(leg: L): RecordedLeg<L> {
  const events: LegEvent[] = [];
  const waiting: Array<() => void> = [];
  leg.onEvent((event) => {
    events.push(event);
    for (const wake of waiting.splice(0)) wake();
  });
  return {
    leg,
    events,
    async next(type) {
      for (;;) {
        const found = events.find((event) => event.type === type);
        if (found) return found as Extract<LegEvent, { type: typeof type }>;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}

export interface Harness {
  telephony: EmbeddedTelephony;
  port: number;
  legs: RecordedLeg[];
  /** Errors that the endpoint logged; tests that expect none assert so. */
  errors: object[];
}

/** `onLeg` decides what happens to each call; the audio ports in the answers are fake, nothing listens there. */
export async function startHarness(
  onLeg: (leg: InboundLeg, record: RecordedLeg) => void,
  options: Partial<EmbeddedOptions> = {},
): Promise<Harness> {
  const errors: object[] = [];
  const log = {
    ...silentLog,
    error: (fields: object) => errors.push(fields),
    warn: (fields: object) => errors.push(fields),
  };
  const telephony = new EmbeddedTelephony({
    host: '127.0.0.1',
    port: 0,
    tls: null,
    inboundAllow: [],
    externalIp: null,
    log,
    ...options,
  });
  const legs: RecordedLeg[] = [];
  telephony.onInvite((leg) => {
    const record = recordLeg(leg);
    legs.push(record);
    onLeg(leg, record);
  });
  await telephony.start();
  return { telephony, port: telephony.port('udp'), legs, errors };
}
