// Sends the traces of calls that have ended to a collector, some seconds after their end. Calls know nothing of it: a
// collector that is away costs a request in a while, and gets what it missed as long as events are kept.
import type { CallTimeline } from '../../db/domain/calls/timeline.ts';
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import {
  callsToTrace,
  endsToTrace,
  modelsOfAgents,
  moveTracePosition,
  newestEvent,
  timelinesOfCalls,
  tracePosition,
} from '../../db/queries/calls/ended/traces.ts';
import { costSumsOf, costsOf } from '../../db/queries/costs/costs.ts';
import { parseArray } from '../../db/records/resources.ts';
import type { ApiContext } from '../context.ts';
import type { JobRun } from '../frame/job.ts';
import { otlpBody } from './otlp.ts';
import { callSpans, type Span, type TracedCall } from './spans.ts';

/** By then the recording's times have taken the place of the line's. */
const SETTLED_MS = 10_000;
const CALLS_AT_ONCE = 50;
const WITHIN_MS = 10_000;
const WAIT_MIN_MS = 5_000;
const WAIT_MAX_MS = 5 * MINUTE_MS;

export class TraceJob implements JobRun {
  readonly #context: ApiContext;
  readonly #stopped = new AbortController();
  #failures = 0;
  #waitUntilMs = 0;

  constructor(context: ApiContext) {
    this.#context = context;
  }

  async run(): Promise<void> {
    const { read, db, now } = this.#context;
    if (now() < this.#waitUntilMs) return;
    const from = await tracePosition(read);
    if (from === null) return moveTracePosition(db, await newestEvent(read));
    const ends = await endsToTrace(read, from, { beforeMs: now() - SETTLED_MS, limit: CALLS_AT_ONCE });
    const last = ends.at(-1);
    if (last === undefined) return;
    const spans = await this.#spansOf(ends.map(({ callId }) => callId));
    if (spans.length === 0 || (await this.#send(spans))) await moveTracePosition(db, last.seq);
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #spansOf(ids: readonly string[]): Promise<Span[]> {
    const { read, config } = this.#context;
    const rows = await callsToTrace(read, ids);
    if (rows.length === 0) return [];
    const timelines = await timelinesOfCalls(read, ids);
    const models = await modelsOfAgents(read, [...new Set(rows.map(({ agentId }) => agentId))]);
    const costs = await costsOf(read, ids);
    const usual = config.llm.kind === 'openai' ? config.llm.model : null;
    const hasContent = config.traces?.hasContent ?? false;
    return rows.flatMap((row) => {
      if (row.endedAt === null) return [];
      const stored = timelines.get(row.id);
      const cost = costs.get(row.id);
      const call: TracedCall = {
        ...row,
        endedAt: row.endedAt,
        transcript: parseArray(row.transcript),
        usage: row.usage === null ? null : JSON.parse(row.usage),
        model: models.get(row.agentId) ?? usual,
        cost: cost === undefined ? null : costSumsOf(cost),
      };
      return callSpans(call, stored === undefined ? null : (JSON.parse(stored) as CallTimeline), { hasContent });
    });
  }

  /** Whether the collector is done with them: it took them, or said that it never will. */
  async #send(spans: readonly Span[]): Promise<boolean> {
    const { log, config } = this.#context;
    const { url, headers, serviceName } = config.traces ?? { url: '', headers: {}, serviceName: '' };
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: otlpBody(spans, serviceName),
        redirect: 'error',
        signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(WITHIN_MS)]),
      });
      await answer.body?.cancel();
      if (answer.ok) {
        this.#failures = 0;
        return true;
      }
      const isForNow = answer.status === 408 || answer.status === 429 || answer.status >= 500;
      log.warn({ status: answer.status, spans: spans.length }, isForNow ? 'the collector of traces is busy' : REFUSED);
      if (!isForNow) return true;
    } catch (error) {
      if (this.#stopped.signal.aborted) return false;
      log.warn({ error: messageOf(error) }, 'the collector of traces cannot be reached');
    }
    this.#failures++;
    this.#waitUntilMs = this.#context.now() + Math.min(WAIT_MIN_MS * 2 ** (this.#failures - 1), WAIT_MAX_MS);
    return false;
  }
}

const REFUSED = 'the collector refused traces, which are dropped';
