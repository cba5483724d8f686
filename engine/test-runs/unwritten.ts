// The writes of a test's conversation: what a call would book, schedule or note is answered as if it were done, and
// nothing of it is.
import type { Interval } from '../../db/domain/hours/opening-times.ts';
import type { OperationArgs, OperationName } from '../../db/writing/operations.ts';
import type { createAgent } from '../call/agent.ts';

type AgentDeps = Parameters<typeof createAgent>[0];

export class Unwritten {
  readonly #booked: Interval[];

  /** `booked`: times that somebody has already. */
  constructor(booked: readonly Interval[]) {
    this.#booked = [...booked];
  }

  /** Appointments of the case and of the conversation so far; those of real callers are no part of a test. */
  get store(): AgentDeps['store'] {
    return {
      listBooked: async (_, { fromMs, toMs }) =>
        this.#booked.filter(({ startMs, endMs }) => startMs < toMs && endMs > fromMs),
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
    if (name !== 'bookAppointment') return undefined;
    const { startsAtMs: startMs, endsAtMs: endMs } = args as OperationArgs<'bookAppointment'>;
    if (this.#booked.some((each) => each.startMs < endMs && each.endMs > startMs))
      return { booked: false, reason: 'taken' };
    this.#booked.push({ startMs, endMs });
    return { booked: true, appointmentId: 'apt_test' };
  }
}
