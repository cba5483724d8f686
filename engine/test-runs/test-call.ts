// A test's call as its conductor sees it: everything that it says and decides is real, and nothing that it does is. It
// writes no row, so that it is in no list, no statistics, no bill, no event and no journal; nobody is dialled, and no
// system of the tenant's is asked.

import type { CallTerminal } from '../../db/domain/calls/outcome.ts';
import { destinationsIn } from '../../db/domain/numbers/transfer-destinations.ts';
import type { SimulationDefinition } from '../../db/domain/tests/definitions.ts';
import type { CallEnd } from '../../db/queries/calls/life.ts';
import type { TranscriptEntry } from '../../db/records/resources.ts';
import type { CallSetup } from '../../db/rules/routing.ts';
import type { OperationName, OperationResult } from '../../db/writing/operations.ts';
import { Conductor } from '../call/conductor.ts';
import type { CallInfo, ConductorDeps } from '../call/context.ts';
import { ModelBreakers } from '../dialogue/model-breakers.ts';
import type { InboundLeg, OutboundLeg, Telephony } from '../sip/telephony.ts';
import { MockedTools } from './mocked-tools.ts';
import { clockAt, intervalOf } from './text-call.ts';
import { Unwritten } from './unwritten.ts';

export interface TestCallEnd {
  terminal: CallTerminal;
  /** As it would have been written; null: it never came so far. */
  end: CallEnd | null;
  /** The call's variables as tools have changed them, JSON; null: none has. */
  variables: string | null;
  transferredTo: { name: string | null; target: string } | null;
}

interface TestCallOptions {
  /** Of this engine's calls. */
  deps: ConductorDeps;
  call: CallInfo;
  setup: CallSetup;
  definition: Pick<SimulationDefinition, 'tools' | 'context'>;
  recordingsDir: string;
  engineId: string;
  onSaid(entry: Pick<TranscriptEntry, 'speaker' | 'text' | 'timestamp'>): void;
}

/** Answers the call as any other; `ended` resolves when it is over and its recording is complete. */
export function conductTest(leg: InboundLeg, options: TestCallOptions): { ended: Promise<TestCallEnd>; end(): void } {
  const { call, setup, engineId } = options;
  const over = Promise.withResolvers<TestCallEnd>();
  const kept: Omit<TestCallEnd, 'terminal'> = { end: null, variables: null, transferredTo: null };
  const deps = testDeps(options, {
    onWrite: (name, args) => {
      if (name === 'endCall') kept.end = args as CallEnd;
      if (name === 'changeCall') kept.variables = (args as { variables?: string }).variables ?? kept.variables;
    },
    onDialled: (target) => {
      kept.transferredTo ??= { name: nameOf(setup, target), target };
      // The person is not there: all that there is to see of the transfer has been seen.
      setImmediate(() => conductor.requestEnd());
    },
  });
  const conductor = new Conductor(deps, {
    ...{ call, setup, engineId },
    medium: { kind: 'inbound', leg, sipAccountId: null },
    onEnded: (terminal, recordingClosed) => {
      void recordingClosed.then(() => over.resolve({ terminal, ...kept }));
    },
  });
  conductor.start();
  return { ended: over.promise, end: () => conductor.requestEnd() };
}

function nameOf({ campaign, business }: CallSetup, target: string): string | null {
  return destinationsIn(campaign, business).find((each) => each.target === target)?.name ?? null;
}

interface Heard {
  onWrite(name: OperationName, args: unknown): void;
  onDialled(target: string): void;
}

function testDeps(
  { deps, definition: { context = {}, tools = [] }, recordingsDir, onSaid }: TestCallOptions,
  heard: Heard,
): ConductorDeps {
  const { journal: _, openings: __, ...shared } = deps;
  const clock = clockAt(deps.clock, context.now);
  const unwritten = new Unwritten((context.booked ?? []).map(intervalOf));
  return {
    ...shared,
    ...{ clock, recordingsDir, recordingState: null, metrics: NO_METRICS, recordsAll: true },
    get recogniser() {
      return deps.recogniser;
    },
    // A model that fails in a test says nothing to callers.
    breakers: new ModelBreakers(clock),
    writer: testWriter(unwritten, heard),
    store: { ...deps.store, ...unwritten.store, contactAfterAttempt: async () => null },
    telephony: nobodyIsDialled(deps.telephony, heard),
    trunksFor: async () => ['test'],
    acceptsRefer: () => false,
    permits: {
      obstacle: async () => null,
      place: async () => () => undefined,
      adoptPlace: () => () => undefined,
    },
    tools: new MockedTools(deps.tools, tools, clock),
    listeners: {
      ...NO_LISTENERS,
      tell: (_callId, message) => {
        const { type, ...entry } = message as { type?: string } & TranscriptEntry;
        if (type === 'transcript') onSaid(entry);
      },
    },
  };
}

const NO_LISTENERS: NonNullable<ConductorDeps['listeners']> = {
  has: () => false,
  hear: () => undefined,
  talks: () => undefined,
  quiet: () => undefined,
  tell: () => undefined,
  ended: () => undefined,
};

const NO_METRICS: ConductorDeps['metrics'] = {
  turnLatency: () => undefined,
  turnTimed: () => undefined,
  yieldTimed: () => undefined,
  bargeIn: () => undefined,
  falseInterruption: () => undefined,
  audioPath: () => undefined,
  modelFailed: () => undefined,
  turnEndJudged: () => undefined,
  modelFallback: () => undefined,
  modelUsed: () => undefined,
  turnEnded: () => undefined,
  callEnded: () => undefined,
  resumed: () => undefined,
};

/** Nothing is written. */
function testWriter({ writer }: Unwritten, { onWrite }: Pick<Heard, 'onWrite'>): ConductorDeps['writer'] {
  const run = async <N extends OperationName>(name: N, args: unknown): Promise<OperationResult<N>> => {
    onWrite(name, args);
    return writer.run(name, args as never);
  };
  return { run, runDurably: run, runWithin: run, keepsOrder: true };
}

/** A leg that rings until it is given up. */
function nobodyIsDialled(telephony: Telephony, { onDialled }: Pick<Heard, 'onDialled'>): Telephony {
  const dial = ({ to }: Parameters<Telephony['dial']>[0]): OutboundLeg => {
    onDialled(to);
    return {
      ...{ sipCallId: 'test', direction: 'outbound' },
      onEvent: () => undefined,
      hangUp: () => undefined,
      refer: () => undefined,
      sendInfoDigits: () => undefined,
    };
  };
  return new Proxy(telephony, {
    get(target, name) {
      if (name === 'dial') return dial;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
