// The writes of a test's conversation: what a call would book, schedule or note is answered as if it were done, and
// nothing of it is.
import { firstFree, overlaps, type Taken } from '../../db/domain/booking/resources.ts';
import type { OperationArgs, OperationName } from '../../db/writing/operations.ts';
import type { createAgent } from '../call/agent.ts';

type AgentDeps = Parameters<typeof createAgent>[0];

export class Unwritten {
  readonly #booked: Taken[];

  /** `booked`: times that somebody has already. */
  constructor(booked: readonly Taken[]) {
    this.#booked = [...booked];
  }

  /** Appointments of the case and of the conversation so far; those of real callers are no part of a test. */
  get store(): AgentDeps['store'] {
    return {
      listTaken: async (_, { fromMs, toMs }) =>
        this.#booked.filter((each) => overlaps(each, { startMs: fromMs, endMs: toMs })),
      bookingTries: async () => ({ booked: 0, changed: 0, wrongReferences: 0, wrongOfBusiness: 0 }),
      appointmentsOfCaller: async () => [],
    };
  }

  get writer(): AgentDeps['writer'] {
    return {
      run: (async (name: OperationName, args: unknown) => this.#answer(name, args)) as AgentDeps['writer']['run'],
      runWithin: (async (name: OperationName, args: unknown) =>
        this.#answer(name, args)) as AgentDeps['writer']['runWithin'],
    };
  }

  #answer(name: OperationName, args: unknown): unknown {
    if (name === 'scheduleCallback') return { scheduled: true, callId: 'call_test' };
    if (name === 'changeAppointment') return { changed: false, reason: 'not_found' };
    if (name !== 'bookAppointment') return undefined;
    const wish = args as OperationArgs<'bookAppointment'>;
    const time = { startMs: wish.startsAtMs, endMs: wish.endsAtMs };
    const { candidates = [null], known = [], bufferMs = 0 } = wish;
    const resource = firstFree(candidates, time, this.#booked, { known, bufferMs });
    if (resource === undefined) return { booked: false, reason: 'taken' };
    this.#booked.push({ ...time, resource });
    return { booked: true, appointmentId: 'apt_test', resource };
  }
}
