// An eval: a case's turns said to the agent in writing, one after the other, and its checks made on what came. It costs
// no place, no minute and no row of a call. One is run at a time.

import { joinedWishes, type OutputWish } from '../../db/domain/results.ts';
import { checkResult, type TestCheck, type TestCheckResult, type TestFacts } from '../../db/domain/tests/checks.ts';
import type { EvalDefinition } from '../../db/domain/tests/definitions.ts';
import type { TestOutcome, TestWork } from '../../db/queries/test-runs/claims.ts';
import type { CallSetup } from '../../db/rules/routing.ts';
import { readTestSetup } from '../../db/rules/test-setup.ts';
import type { Db } from '../../db/schema.ts';
import { withDeadline } from '../after-call/deadline.ts';
import type { ToolRun } from '../dialogue/tool-runs.ts';
import { NoReply } from '../written/talk.ts';
import { judge, NoVerdict } from './judge.ts';
import { TextCall, type TextCallDeps } from './text-call.ts';
import { type RunTest, unrunnable } from './work.ts';

/** As after a call. */
const DATA_WITHIN_MS = 60_000;

interface EvalDeps extends TextCallDeps {
  read: Db;
  /** The environment's; null: none. */
  judgeModel: string | null;
}

export const createRunEval =
  (deps: EvalDeps): RunTest =>
  async (work, signal) => {
    const found = await readTestSetup(deps.read, work);
    if ('missing' in found) return unrunnable(`The ${found.missing} of the suite is deleted.`);
    return runEval(deps, found.setup, work, signal);
  };

async function runEval(
  deps: EvalDeps,
  setup: CallSetup,
  work: Pick<TestWork, 'resultId' | 'definition' | 'judge'>,
  signal: AbortSignal,
): Promise<TestOutcome> {
  const definition = JSON.parse(work.definition) as EvalDefinition;
  const talk = new TextCall(deps, setup, definition, `call_${work.resultId}`);
  const whole = new Whole(definition);
  try {
    if (definition.history === undefined) await whole.add(null, await talk.greet(signal), talk);
    for (const [index, { say, hint }] of definition.turns.entries()) {
      if (talk.action !== null) {
        talk.note(`The conversation had ended: ${definition.turns.length - index} turns were not said.`);
        whole.unsaid(index);
        break;
      }
      await callsHadTurn();
      await whole.add(index, await talk.say(index, say, signal), talk);
      const last = talk.lines.at(-1);
      if (hint !== undefined && last?.role === 'agent') last.hint = hint;
    }
    const facts = { ...whole.facts(talk), data: await dataOf(deps, setup, definition, talk, signal) };
    const checks = [...whole.results];
    const judgedBy = { model: deps.model, name: work.judge ?? deps.judgeModel, clock: deps.clock };
    for (const check of definition.checks) {
      await callsHadTurn();
      checks.push(isJudged(check) ? await judge(judgedBy, check, talk.lines, signal) : checkResult(check, facts));
    }
    return {
      status: checks.every(({ passed }) => passed) ? 'PASSED' : 'FAILED',
      ...{ checks, transcript: talk.lines, error: null },
    };
  } catch (error) {
    if (!(error instanceof NoReply || error instanceof NoVerdict)) throw error;
    return { ...unrunnable(error.message), checks: whole.results, transcript: talk.lines };
  } finally {
    talk.close();
  }
}

/** Calls have their turn on this thread between two replies, and between two checks. */
export const callsHadTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const isJudged = (check: TestCheck): check is TestCheck & { judge: { question: string } } =>
  check.judge !== undefined;

type Said = Awaited<ReturnType<TextCall['say']>>;

const toolsIn = (runs: readonly ToolRun[]): TestFacts['tools'] =>
  runs.map(({ call, ok }) => ({ name: call.name, arguments: call.arguments, ok }));

/** The conversation as it goes on, and the checks of its turns. */
class Whole {
  readonly #definition: EvalDefinition;
  readonly #said: string[] = [];
  readonly #ran: ToolRun[] = [];
  readonly results: TestCheckResult[] = [];

  constructor(definition: EvalDefinition) {
    this.#definition = definition;
  }

  /** A reply has come; null: the greeting. */
  async add(turn: number | null, { said, tools }: Said, talk: TextCall): Promise<void> {
    const reply = said.join(' ');
    if (reply !== '') this.#said.push(reply);
    this.#ran.push(...tools);
    if (turn === null) return;
    const facts = { ...this.facts(talk), said: reply === '' ? [] : [reply], tools: toolsIn(tools) };
    for (const check of this.#checksOf(turn)) {
      await callsHadTurn();
      this.results.push(checkResult(check, facts, turn));
    }
  }

  /** This turn and all after it. */
  unsaid(from: number): void {
    for (let turn = from; turn < this.#definition.turns.length; turn++) {
      for (const check of this.#checksOf(turn)) {
        const { expected } = checkResult(check, this.#nothing, turn);
        this.results.push({ check, turn, passed: false, expected, found: 'the conversation had ended before' });
      }
    }
  }

  facts({ action, language }: Pick<TextCall, 'action' | 'language'>): TestFacts {
    return {
      ...this.#nothing,
      said: this.#said,
      tools: toolsIn(this.#ran),
      transferredTo:
        action?.type === 'transfer' ? { name: action.wish?.destination ?? null, target: action.target } : null,
      endedBy: action?.type === 'end-call' ? 'agent' : null,
      language,
    };
  }

  readonly #nothing: TestFacts = {
    ...{ said: [], tools: [], data: null, transferredTo: null, endedBy: null },
    ...{ language: null, gapsMs: null, cutOffs: null },
  };

  #checksOf(turn: number): readonly TestCheck[] {
    return this.#definition.turns[turn]?.checks ?? [];
  }
}

/** Variables, and outputs as after a call; null where no check asks for them: they may cost a request. */
export async function dataOf(
  { model, clock }: Pick<EvalDeps, 'model' | 'clock'>,
  { business, campaign }: CallSetup,
  { checks, context }: Pick<EvalDefinition, 'checks' | 'context'>,
  talk: Pick<TextCall, 'lines' | 'variables'>,
  signal: AbortSignal,
): Promise<Record<string, unknown> | null> {
  if (!checks.some(({ data }) => data !== undefined)) return null;
  const outputs = joinedWishes<OutputWish>(JSON.parse(campaign.outputs), JSON.parse(business.outputs));
  if (outputs.length === 0) return { ...talk.variables };
  const { findByModel } = await import('../../models/results/analysis.ts');
  const booked = talk.lines.findLast((line) => line.role === 'tool' && line.ok && line.name === 'schedule_appointment');
  const facts = {
    callerName: context?.callerName ?? null,
    number: context?.callerNumber ?? '',
    optedOut: talk.lines.some((line) => line.role === 'tool' && line.ok && line.name === 'opt_out'),
    appointment: booked?.role === 'tool' ? appointmentIn(booked.arguments) : null,
    timezone: business.timezone,
  };
  const transcript = talk.lines.flatMap((line) =>
    line.role === 'agent' || line.role === 'caller' ? [{ speaker: line.role, text: line.text }] : [],
  );
  const call = { outputs, criteria: [], transcript, facts };
  const { data } = await withDeadline(clock, DATA_WITHIN_MS, signal, (deadline) => findByModel(model, call, deadline));
  return { ...talk.variables, ...data };
}

function appointmentIn(args: Readonly<Record<string, unknown>>) {
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const startsAt = Date.parse(text(args.startsAt) ?? '');
  if (Number.isNaN(startsAt)) return null;
  return { service: text(args.service), startsAt, name: text(args.name), phone: text(args.phone) };
}
