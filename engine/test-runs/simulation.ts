// A simulation: a caller with a voice of its own dials this engine's own address, over real SIP and RTP, and the agent
// of the case answers as it answers anybody (test-call.ts says what is left out). The checks are made on what was said
// and done, and on the times of the packets at the caller's end.
import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Logger } from 'pino';
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { checkResult, type TestCheckResult, type TestFacts } from '../../db/domain/tests/checks.ts';
import type { SimulationDefinition, TestLine } from '../../db/domain/tests/definitions.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { TestOutcome, TestWork } from '../../db/queries/test-runs/claims.ts';
import { clipsOfCase } from '../../db/queries/test-runs/clips.ts';
import { parseTexts } from '../../db/records/resources.ts';
import type { CallSetup } from '../../db/rules/routing.ts';
import { readTestSetup } from '../../db/rules/test-setup.ts';
import type { Db } from '../../db/schema.ts';
import type { DialogueModel } from '../../models/llm/llm.ts';
import type { ConductorDeps } from '../call/context.ts';
import type { Clock } from '../clock.ts';
import type { Admission } from '../load/admission.ts';
import type { CallerReport } from './caller/caller-plan.ts';
import { ModelMind } from './caller/model-mind.ts';
import { TalkingCaller } from './caller/talking-caller.ts';
import { callsHadTurn, dataOf, isJudged } from './eval.ts';
import type { ExpectedCalls } from './expected-calls.ts';
import { judge, NoVerdict } from './judge.ts';
import { takeRecording } from './simulation-recording.ts';
import { conductTest, type TestCallEnd } from './test-call.ts';
import { TestPlaces } from './test-places.ts';
import { optionsOf } from './text-call.ts';
import { type RunTest, unrunnable } from './work.ts';

interface SimulationDeps {
  read: Db;
  /** Of a call that begins now. */
  conductorDeps(): ConductorDeps;
  model: DialogueModel;
  judgeModel: string | null;
  /** It plays callers with a goal; null: rules do. */
  callerModel: string | null;
  expected: ExpectedCalls;
  /** Where this engine takes calls, host:port. */
  sipAddress: string;
  admission: Pick<Admission, 'room'>;
  recordingsDir: string;
  engineId: string;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
}

/** A case that does not end by itself. */
const LIMIT_MS = 5 * MINUTE_MS;
/** From the caller's end to the call's, and to its closed recording. */
const END_WITHIN_MS = 15_000;

export function createRunSimulation(deps: SimulationDeps): RunTest {
  // Of a process that was killed.
  rmSync(deps.recordingsDir, { recursive: true, force: true });
  const places = new TestPlaces(deps.admission, deps.clock);
  return async (work, signal) => {
    const found = await readTestSetup(deps.read, work);
    if ('missing' in found) return unrunnable(`The ${found.missing} of the suite is deleted.`);
    const release = await places.take(signal);
    if (release === null) return unrunnable('The test was stopped.');
    return runSimulation(deps, found.setup, work, signal).finally(release);
  };
}

async function runSimulation(
  deps: SimulationDeps,
  tested: CallSetup,
  work: Pick<TestWork, 'accountId' | 'caseId' | 'resultId' | 'definition' | 'judge' | 'seed'>,
  signal: AbortSignal,
): Promise<TestOutcome> {
  const definition = JSON.parse(work.definition) as SimulationDefinition;
  if (definition.caller.drivenBy === 'model' && deps.callerModel === null)
    return unrunnable('There is no model that plays callers: set CALLER_MODEL.');
  await mkdir(deps.recordingsDir, { recursive: true });
  const heard: TestLine[] = [];
  const clips = await clipsOfCase(deps.read, work.accountId, work.caseId);
  const { call, setup } = optionsOf(unasked(tested), definition, work.resultId);
  const language = definition.caller.language ?? definition.language ?? setup.agent.language;
  const taken = Promise.withResolvers<ReturnType<typeof conductTest>>();
  const { user, forget } = deps.expected.expect((leg) => {
    const { recordingsDir, engineId } = deps;
    const options = { deps: deps.conductorDeps(), call, setup, definition, recordingsDir, engineId };
    taken.resolve(
      conductTest(leg, {
        ...options,
        onSaid: ({ speaker, text, timestamp }) => {
          if (speaker === 'person') return;
          note(heard, { role: speaker, text, turn: null, atMs: timestamp });
          if (speaker === 'agent') caller.hears(text);
        },
      }),
    );
  });
  const caller = new TalkingCaller(
    {
      address: `sip:${user}@${deps.sipAddress}`,
      from: call.fromNumber || call.toNumber,
      seed: work.seed,
      voice: definition.caller.voice ?? null,
      language,
      line: definition.caller.line ?? {},
      limitMs: LIMIT_MS,
    },
    definition.caller,
    deps.clock,
    { clips, model: playedBy(deps, definition.caller, language) },
  );
  const stop = (): void => void caller.hangUp();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const report = await caller.over;
    if (!report.isAnswered) return unrunnable(`The engine did not take the call (${report.status} ${report.reason}).`);
    const conducted = await taken.promise;
    const late = setEnd(deps.clock, conducted);
    const ended = await conducted.ended.finally(late);
    const [outcome, audio] = await Promise.all([
      judged(deps, setup, definition, work, { report, ended, heard, signal, caller }),
      takeRecording(deps.recordingsDir, work.resultId),
    ]);
    return { ...outcome, audio };
  } catch (error) {
    void taken.promise.then(({ ended, end }) => {
      end();
      return ended.then(() => takeRecording(deps.recordingsDir, work.resultId));
    });
    return { ...unrunnable(messageOf(error)), transcript: heard };
  } finally {
    signal.removeEventListener('abort', stop);
    forget();
    await caller.close();
  }
}

/** A turn that went on is one line, as in the record of a call. */
function note(lines: TestLine[], line: Extract<TestLine, { role: 'agent' | 'caller' }>): void {
  const at = lines.findIndex(({ role, ...other }) => role === line.role && 'atMs' in other && other.atMs === line.atMs);
  if (at < 0) lines.push(line);
  else lines[at] = line;
}

/** Null: by rules. */
function playedBy(
  { model, callerModel: name, clock }: SimulationDeps,
  caller: SimulationDefinition['caller'],
  language: string,
): ModelMind | null {
  if (name === null || caller.script !== undefined || caller.drivenBy === 'rules') return null;
  return new ModelMind({ model, name, clock }, caller, language);
}

/** The caller is gone: the call that does not notice is ended. Returns what calls it off. */
const setEnd = (clock: Clock, { end }: { end(): void }): (() => void) => clock.after(END_WITHIN_MS / 2, end);

/** Nobody real is asked before it begins. */
const unasked = (setup: CallSetup): CallSetup => ({ ...setup, business: { ...setup.business, lookup: null } });

interface Happened {
  report: CallerReport;
  ended: TestCallEnd;
  heard: readonly TestLine[];
  caller: Pick<TalkingCaller, 'missed'>;
  signal: AbortSignal;
}

async function judged(
  deps: SimulationDeps,
  setup: CallSetup,
  definition: SimulationDefinition,
  { judge: suiteJudge }: Pick<TestWork, 'judge'>,
  { report, ended, heard, caller, signal }: Happened,
): Promise<TestOutcome> {
  const runs = toolRuns(ended);
  const lines: TestLine[] = [...heard, ...runs.map((run) => ({ role: 'tool' as const, ...run, turn: null }))];
  lines.sort((a, b) => beginOf(a) - beginOf(b));
  if (caller.missed !== null) lines.push({ role: 'note', text: caller.missed, turn: null });
  const variables = parseTexts(ended.variables ?? JSON.stringify(definition.context?.variables ?? {}));
  const talk = { lines, variables };
  const facts: TestFacts = {
    said: heard.flatMap((line) => (line.role === 'agent' ? [line.text] : [])),
    tools: runs.map(({ name, arguments: args, ok }) => ({ name, arguments: args, ok })),
    data: await dataOf(deps, setup, definition, talk, signal),
    transferredTo: ended.transferredTo,
    endedBy: ended.transferredTo === null ? report.endedBy : 'agent',
    language: ended.end?.languages?.at(-1) ?? setup.agent.language,
    gapsMs: report.said.flatMap(({ gapMs }) => (gapMs === null ? [] : [gapMs])),
    cutOffs: report.said.filter(({ isCutOff }) => isCutOff).length,
  };
  const checks: TestCheckResult[] = [];
  const judgedBy = { model: deps.model, name: suiteJudge ?? deps.judgeModel, clock: deps.clock };
  const of = { transcript: lines };
  try {
    for (const check of definition.checks) {
      await callsHadTurn();
      checks.push(isJudged(check) ? await judge(judgedBy, check, lines, signal) : checkResult(check, facts));
    }
  } catch (error) {
    if (!(error instanceof NoVerdict)) throw error;
    return { ...unrunnable(error.message), ...of, checks };
  }
  const isPassed = caller.missed === null && checks.every(({ passed }) => passed);
  return { status: isPassed ? 'PASSED' : 'FAILED', checks, error: null, ...of };
}

const beginOf = (line: TestLine): number => (line.role === 'note' ? 0 : (line.atMs ?? 0));

function toolRuns({ end }: TestCallEnd) {
  return (end?.timeline?.toolCalls ?? []).map(({ name, arguments: args, result, outcome, startedAtMs }) => ({
    ...{ name, result, ok: outcome === 'done', atMs: Math.round(startedAtMs) },
    arguments: (args ?? {}) as Record<string, unknown>,
  }));
}
