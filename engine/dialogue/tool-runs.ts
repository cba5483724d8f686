// The tools that the model calls in one conversation: ours, and the tenant's own. Each gets a deadline; its result
// enters the history however late it comes, and its success is kept for the call's end.
import type { Logger } from 'pino';
import { withoutSecrets } from '../../models/tools/secrets.ts';
import type { Clock } from '../clock.ts';
import { HeldTools } from './held-tools.ts';
import type { ToolCall } from './history.ts';
import type { Reply } from './reply.ts';
import { AccountTools, type AccountToolsOptions, type CallTool } from './tools/account-tools.ts';
import { readsOnly, runsBeside, runTool } from './tools/catalogue.ts';
import type { ToolContext, ToolResult } from './tools/tool.ts';

export const TOOL_DEADLINE_MS = 8_000;
const TOO_LATE: ToolResult = {
  result: { ok: false, error: 'timeout', message: 'The tool did not answer in time.' },
};
const STARTED: ToolResult = {
  result: { ok: true, status: 'running', message: 'It runs. Go on with the talk: you will be told its answer.' },
};
const LOST = {
  ok: false,
  error: 'interrupted',
  message: 'The service was interrupted: whether this was done is not known.',
};

export interface ToolRun {
  call: ToolCall;
  /** By the monotonic clock. */
  startedAtMs: number;
  tookMs: number;
  result: unknown;
  ok: boolean;
  /** `running`: nothing is known of it yet. */
  state: 'running' | 'answered' | 'late';
}

interface ToolRunsOptions {
  context: Omit<ToolContext, 'nowMs'>;
  account: AccountToolsOptions;
  clock: Clock;
  /**
   * A tool answered after its deadline, or one that runs beside the talk: the model sees the result at its next turn.
   * `isAwaited`: which is to come now.
   */
  onLate(call: ToolCall, result: unknown, isAwaited: boolean): void;
  /** Called at the start, at the result or at the deadline, and again with a result that came too late. */
  onRan(run: ToolRun): void;
  log: Logger;
}

export class ToolRuns {
  readonly #options: ToolRunsOptions;
  /** Cancel functions of running tools' deadlines. */
  readonly #deadlines = new Set<() => void>();
  /** The tenant's tools that the agent waits for, by the reply that asked for them. */
  readonly #awaited = new Map<number, Array<{ tool: CallTool; call: ToolCall }>>();
  readonly account: AccountTools;
  readonly held: HeldTools;
  /** Names of the tools that succeeded. */
  readonly used: string[] = [];
  readonly booked: Array<{ service: string | null; startsAtText: string }> = [];

  constructor(options: ToolRunsOptions) {
    this.#options = options;
    this.account = new AccountTools(options.account);
    this.held = new HeldTools(options.clock);
  }

  /**
   * Starts a round of calls, and resolves with each result, at its deadline at the latest. The tenant's run side by
   * side; ours one after the other, since one may build on another.
   */
  start(epoch: number, calls: readonly ToolCall[]): Array<() => Promise<ToolResult>> {
    return calls.map((call) => {
      const tool = this.account.find(call.name);
      if (tool === undefined && !runsBeside(call.name)) return () => this.#runOurs(epoch, call);
      if (tool === undefined) return () => this.#runAside(epoch, call, () => this.#ours(call));
      const running =
        tool.mode === 'background'
          ? this.#runAside(epoch, call, () => this.account.run(tool, call))
          : this.#runTheirs(epoch, tool, call);
      return () => running;
    });
  }

  /** Resolves when these may run: at once, unless one changes something and the caller may go on. False: never. */
  async mayRun(reply: Reply, calls: readonly ToolCall[]): Promise<boolean> {
    const isHarmless = calls.every(({ name }) => this.account.find(name)?.readsOnly ?? readsOnly(name));
    return isHarmless || reply.cause.kind !== 'turn' || this.held.mayRun(reply);
  }

  /** The agent's words while these run; null: nothing of the tenant's. */
  wordsFor(calls: readonly ToolCall[]): string | null {
    return calls.map((call) => this.account.find(call.name)?.sayWhile ?? null).find((words) => words !== null) ?? null;
  }

  /** The caller went on: nobody waits for this reply's tools. */
  interrupted(epoch: number): void {
    this.held.over();
    for (const { tool, call } of this.#awaited.get(epoch) ?? []) this.account.interrupted(tool, call);
  }

  /** The history's result of a tool that ran when the process before this one died; null: it has its answer. */
  static lost(result: unknown): unknown {
    const { ok, status } = (result ?? {}) as { ok?: unknown; status?: unknown };
    return result === undefined || (ok === true && status === 'running') ? LOST : null;
  }

  close(): void {
    for (const cancel of this.#deadlines) cancel();
    this.#deadlines.clear();
    for (const epoch of this.#awaited.keys()) this.interrupted(epoch);
    this.account.close();
  }

  #runOurs(epoch: number, call: ToolCall): Promise<ToolResult> {
    return this.#within(epoch, call, TOOL_DEADLINE_MS, () => this.#ours(call));
  }

  #ours(call: ToolCall): Promise<ToolResult> {
    const { context, clock } = this.#options;
    return runTool(call.name, call.arguments, { ...context, nowMs: clock.nowMs() });
  }

  async #runTheirs(epoch: number, tool: CallTool, call: ToolCall): Promise<ToolResult> {
    const run = { tool, call };
    this.#awaited.set(epoch, [...(this.#awaited.get(epoch) ?? []), run]);
    const outcome = await this.#within(epoch, call, this.account.deadlineMs(tool), () => this.account.run(tool, call));
    const left = (this.#awaited.get(epoch) ?? []).filter((each) => each !== run);
    if (left.length === 0) this.#awaited.delete(epoch);
    else this.#awaited.set(epoch, left);
    return outcome;
  }

  /** Beside the talk. */
  async #runAside(epoch: number, call: ToolCall, run: () => Promise<ToolResult>): Promise<ToolResult> {
    const { onLate } = this.#options;
    const ran = this.#began(epoch, call);
    void run().then((outcome) => {
      onLate(call, outcome.result, true);
      ran(outcome, 'answered');
    });
    return STARTED;
  }

  async #within(
    epoch: number,
    call: ToolCall,
    deadlineMs: number,
    run: () => Promise<ToolResult>,
  ): Promise<ToolResult> {
    const deadline = this.#deadline(deadlineMs);
    const ran = this.#began(epoch, call);
    const running = run();
    const outcome = await Promise.race([running, deadline.passed]);
    deadline.cancel();
    ran(outcome, outcome === TOO_LATE ? 'late' : 'answered');
    if (outcome === TOO_LATE) {
      void running.then((late) => {
        this.#options.onLate(call, late.result, false);
        ran(late, 'late');
      });
    }
    return outcome;
  }

  #began(epoch: number, call: ToolCall): (outcome: ToolResult, state: ToolRun['state']) => void {
    const { clock, onRan } = this.#options;
    const startedAtMs = clock.monotonicMs();
    onRan({ call: this.#told(call, null).call, startedAtMs, tookMs: 0, result: null, ok: false, state: 'running' });
    return ({ result }, state) =>
      this.#ran(epoch, { call, startedAtMs, tookMs: clock.monotonicMs() - startedAtMs, result, state });
  }

  #ran(epoch: number, run: Omit<ToolRun, 'ok'>): void {
    const { log, onRan } = this.#options;
    const { call, result } = run;
    const ok = (result as { ok?: unknown } | null)?.ok === true;
    if (ok) this.#keepOutcome(call, result);
    onRan({ ...run, ...this.#told(call, result), ok });
    log.info({ epoch, tool: call.name, ok }, 'tool ran');
  }

  /** The part of it that may be kept. */
  #told(call: ToolCall, result: unknown): { call: ToolCall; result: unknown } {
    const tool = this.account.find(call.name);
    if (tool === undefined) return { call, result };
    const shown = withoutSecrets(tool.parameters, { arguments: call.arguments, result });
    return { call: { ...call, arguments: shown.arguments }, result: shown.result };
  }

  #deadline(afterMs: number): { passed: Promise<ToolResult>; cancel: () => void } {
    let cancel = (): void => {};
    const passed = new Promise<ToolResult>((resolve) => {
      cancel = this.#options.clock.after(afterMs, () => resolve(TOO_LATE));
    });
    this.#deadlines.add(cancel);
    return {
      passed,
      cancel: () => {
        this.#deadlines.delete(cancel);
        cancel();
      },
    };
  }

  #keepOutcome({ name }: ToolCall, result: unknown): void {
    this.used.push(name);
    if (name !== 'schedule_appointment') return;
    const { service = null, startsAt: startsAtText = '' } = result as { service?: string | null; startsAt?: string };
    // A model that asks for the same once more gets the same appointment.
    if (this.booked.some((each) => each.service === service && each.startsAtText === startsAtText)) return;
    this.booked.push({ service, startsAtText });
  }
}
