// The tools that the model calls in one conversation. Each gets a deadline; its result enters the history however late
// it comes, and its success is kept for the call's end.
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { ToolCall } from './history.ts';
import { runTool } from './tools/catalogue.ts';
import type { ToolContext, ToolResult } from './tools/tool.ts';

export const TOOL_DEADLINE_MS = 8_000;
const TOO_LATE: ToolResult = {
  result: { ok: false, error: 'timeout', message: 'The tool did not answer in time.' },
};

export interface ToolRun {
  call: ToolCall;
  /** By the monotonic clock. */
  startedAtMs: number;
  tookMs: number;
  result: unknown;
  ok: boolean;
  isLate: boolean;
}

export interface ToolRunsOptions {
  context: Omit<ToolContext, 'nowMs'>;
  clock: Clock;
  /** A tool answered after its deadline: the model sees the result at its next turn. */
  onLate(call: ToolCall, result: unknown): void;
  /** Called at the result or at the deadline, and again with a result that came too late. */
  onRan(run: ToolRun): void;
  log: Logger;
}

export class ToolRuns {
  readonly #options: ToolRunsOptions;
  /** Cancel functions of running tools' deadlines. */
  readonly #deadlines = new Set<() => void>();
  /** Names of the tools that succeeded. */
  readonly used: string[] = [];
  readonly booked: Array<{ service: string | null; startsAtText: string }> = [];

  constructor(options: ToolRunsOptions) {
    this.#options = options;
  }

  /** Resolves with the result, at the deadline at the latest. */
  async run(epoch: number, call: ToolCall): Promise<ToolResult> {
    const { context, clock, onLate } = this.#options;
    const deadline = this.#deadline();
    const startedAtMs = clock.monotonicMs();
    const ran = ({ result }: ToolResult, isLate: boolean): void =>
      this.#ran(epoch, { call, startedAtMs, tookMs: clock.monotonicMs() - startedAtMs, result, isLate });
    const running = runTool(call.name, call.arguments, { ...context, nowMs: clock.nowMs() });
    const outcome = await Promise.race([running, deadline.passed]);
    deadline.cancel();
    ran(outcome, outcome === TOO_LATE);
    if (outcome === TOO_LATE) {
      void running.then((late) => {
        onLate(call, late.result);
        ran(late, true);
      });
    }
    return outcome;
  }

  close(): void {
    for (const cancel of this.#deadlines) cancel();
    this.#deadlines.clear();
  }

  #ran(epoch: number, run: Omit<ToolRun, 'ok'>): void {
    const { log, onRan } = this.#options;
    const { call, result } = run;
    const ok = (result as { ok?: unknown } | null)?.ok === true;
    if (ok) this.#keepOutcome(call, result);
    onRan({ ...run, ok });
    log.info({ epoch, tool: call.name, ok }, 'tool ran');
  }

  #deadline(): { passed: Promise<ToolResult>; cancel: () => void } {
    let cancel = (): void => {};
    const passed = new Promise<ToolResult>((resolve) => {
      cancel = this.#options.clock.after(TOOL_DEADLINE_MS, () => resolve(TOO_LATE));
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
