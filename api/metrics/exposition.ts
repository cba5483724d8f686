// The Prometheus text of `GET /metrics`: the engine's snapshot, and the API's own delivery. Pure.
import type { NamedTrunkState } from '../../db/queries/trunks/trunk-states.ts';
import type { EngineMetrics, Histogram } from '../../db/shared/metrics.ts';
import type { EventLoopDelay } from '../../db/shared/process/event-loop.ts';

interface MetricsInput {
  /** Of each engine that is up, else of the last one; empty while no engine has written a snapshot. */
  engines: ReadonlyArray<{ name: string; figures: EngineMetrics }>;
  engineUp: boolean;
  /** Places for calls of each engine that is up. */
  places: ReadonlyArray<{ name: string; maxCalls: number }>;
  /** Engines by what they do; lost: with their machines, which have not come back. */
  engineStates: Record<EngineStateLabel, number>;
  delivery: { delivered: number; failed: number; inFlight: number; leading: boolean; lagSeconds: Histogram };
  queue: { depth: number; oldestAgeSeconds: number };
  /** Texts that wait for their carriers, and persons who wait for an answer in writing. */
  texts: Record<'texts' | 'answers', { depth: number; oldestAgeSeconds: number }>;
  /** Requests of web sites that this process has refused, by reason. */
  widgetRefusals: Record<string, number>;
  /** Sign-ins by the identity provider, by result; empty without one. */
  providerSignIns: Record<string, number>;
  trunks: readonly NamedTrunkState[];
  /** Null until it has been measured. */
  disk: { freeBytes: number; totalBytes: number } | null;
  /** Of this process. */
  eventLoopDelaySeconds: EventLoopDelay;
}

export type EngineStateLabel = 'up' | 'starting' | 'draining' | 'away' | 'lost';

type Labels = Record<string, string>;
type Sample = [labels: Labels, value: number];

const DATABASE_UP = 'Whether the database answers the API';

/** The page while the database does not answer: an alarm must not need it. */
export function expositionWithoutDatabase(): string {
  const out = new Page();
  family(out, 'voice_database_up', 'gauge', DATABASE_UP, [[{}, 0]]);
  return out.text();
}

/** Text format 0.0.4. */
export function exposition(input: MetricsInput): string {
  const out = new Page();
  family(out, 'voice_database_up', 'gauge', DATABASE_UP, [[{}, 1]]);
  family(out, 'voice_engine_up', 'gauge', 'Whether an engine is alive and ready', [[{}, input.engineUp ? 1 : 0]]);
  family(out, 'voice_engines', 'gauge', 'Engines by what they do', byLabel('state', input.engineStates));
  for (const { name, maxCalls } of input.places) {
    out.labels = input.places.length > 1 ? { engine: name } : {};
    family(out, 'voice_calls_max', 'gauge', 'Places for calls', [[{}, maxCalls]]);
  }
  out.labels = {};
  ofEngines(out, input, engineFamilies);
  trunkFamilies(out, input.trunks);
  machineFamilies(out, input);
  const { delivery, queue } = input;
  family(out, 'voice_webhook_deliveries_total', 'counter', 'Delivery attempts by result', [
    [{ result: 'success' }, delivery.delivered],
    [{ result: 'failure' }, delivery.failed],
  ]);
  family(out, 'voice_webhook_in_flight', 'gauge', 'Delivery attempts that wait for an answer', [
    [{}, delivery.inFlight],
  ]);
  family(out, 'voice_webhook_dispatcher_leading', 'gauge', 'Whether this process is the one that delivers', [
    [{}, delivery.leading ? 1 : 0],
  ]);
  family(out, 'voice_webhook_queue_depth', 'gauge', 'Deliveries that wait for an attempt or a retry', [
    [{}, queue.depth],
  ]);
  family(out, 'voice_webhook_oldest_waiting_seconds', 'gauge', 'Age of the oldest event never tried', [
    [{}, queue.oldestAgeSeconds],
  ]);
  const { texts } = input;
  family(out, 'voice_texts_waiting', 'gauge', 'Texts for carriers, and persons without an answer', [
    [{ for: 'carrier' }, texts.texts.depth],
    [{ for: 'agent' }, texts.answers.depth],
  ]);
  family(out, 'voice_texts_oldest_waiting_seconds', 'gauge', 'Age of the oldest of them', [
    [{ for: 'carrier' }, texts.texts.oldestAgeSeconds],
    [{ for: 'agent' }, texts.answers.oldestAgeSeconds],
  ]);
  const refused = byLabel('reason', input.widgetRefusals);
  family(out, 'voice_widget_refused_total', 'counter', 'Requests of web sites that were refused', refused);
  const signIns = byLabel('result', input.providerSignIns);
  family(out, 'voice_provider_sign_ins_total', 'counter', 'Sign-ins by the identity provider', signIns);
  histogram(
    out,
    'voice_webhook_delivery_lag_seconds',
    'From an event to its receipt at the first attempt',
    delivery.lagSeconds,
  );
  return out.text();
}

/** One engine's figures need no name. */
function ofEngines(out: Page, { engines }: MetricsInput, add: (out: Page, figures: EngineMetrics) => void): void {
  for (const { name, figures } of engines) {
    out.labels = engines.length > 1 ? { engine: name } : {};
    add(out, figures);
  }
  out.labels = {};
}

function engineFamilies(out: Page, engine: EngineMetrics): void {
  family(out, 'voice_calls_active', 'gauge', 'Calls that ring or talk', byLabel('direction', engine.activeCalls));
  family(out, 'voice_calls_ended_total', 'counter', 'Calls ended, by status', byLabel('status', engine.endedCalls));
  const resumed = byLabel('cause', engine.resumedCalls);
  family(
    out,
    'voice_calls_resumed_total',
    'counter',
    'Calls that went on after the end of their engine, by cause',
    resumed,
  );
  family(out, 'voice_calls_refused_total', 'counter', 'Calls refused for want of room', [[{}, engine.refusedCalls]]);
  family(
    out,
    'voice_invites_refused_total',
    'counter',
    'Calls refused before there was a call, by reason',
    byLabel('reason', engine.refusedInvites ?? {}),
  );
  family(
    out,
    'voice_sip_refused_total',
    'counter',
    'SIP refused: strangers answered or dropped, overload, connections closed',
    byLabel('reason', engine.refusedSip),
  );
  histogram(
    out,
    'voice_turn_latency_seconds',
    'From the end of the caller’s speech to the agent’s',
    engine.turnLatencySeconds,
  );
  histograms(
    out,
    'voice_turn_stage_seconds',
    'Stages of an answered turn; some run at the same time',
    Object.entries(engine.turnStageSeconds).map(([stage, figures]) => [{ stage }, figures]),
  );
  histogram(out, 'voice_yield_seconds', 'From a caller’s interruption to the agent’s silence', engine.yieldSeconds);
  family(out, 'voice_barge_ins_total', 'counter', 'Agents interrupted by callers', [[{}, engine.bargeIns]]);
  family(out, 'voice_false_interruptions_total', 'counter', 'Pauses for what was no speech', [
    [{}, engine.falseInterruptions],
  ]);
  family(
    out,
    'voice_browser_paths_total',
    'counter',
    'Browsers whose audio came to WebRTC, or back to the socket',
    byLabel('path', engine.audioPaths),
  );
  family(
    out,
    'voice_model_deadlines_missed_total',
    'counter',
    'Model answers that came too late',
    byLabel('model', engine.modelDeadlinesMissed),
  );
  family(
    out,
    'voice_turn_ends_total',
    'counter',
    'Pauses that the model of turn ends judged, was too late for, or failed to judge',
    byLabel('outcome', engine.turnEnds),
  );
  histogram(
    out,
    'voice_turn_end_seconds',
    'From a pause to the judgement of the turn-end model',
    engine.turnEndSeconds,
  );
  family(
    out,
    'voice_model_fallbacks_total',
    'counter',
    'Utterances and texts that the built-in engine took over from the chosen one',
    byLabel('model', engine.modelFallbacks),
  );
  family(out, 'voice_turns_total', 'counter', 'Turns of callers that have ended', [[{}, engine.turns]]);
  family(
    out,
    'voice_turns_failed_total',
    'counter',
    'Of them, those in which the dialogue model failed, by who answered',
    byLabel('answer', engine.failedTurns),
  );
  llmFamilies(out, engine);
  family(
    out,
    'voice_pacing_error_seconds',
    'gauge',
    'Deviation from 20 ms between packets over the last minute',
    quantiles({}, engine.pacingErrorSeconds),
  );
  family(out, 'voice_queue_depth', 'gauge', 'Items that wait, by queue', byLabel('queue', engine.queueDepths));
  histogram(out, 'voice_database_write_seconds', 'Grouped commits of the engine', engine.databaseWriteSeconds);
}

/** Unknown values have no sample. */
function trunkFamilies(out: Page, trunks: readonly NamedTrunkState[]): void {
  const samples = (value: (trunk: NamedTrunkState) => boolean | null): Sample[] =>
    trunks.flatMap((trunk): Sample[] => {
      const is = value(trunk);
      return is === null ? [] : [[{ trunk: trunk.id, name: trunk.name }, is ? 1 : 0]];
    });
  const up = ({ state }: NamedTrunkState) =>
    state === undefined || state.healthState === 'unknown' ? null : state.healthState === 'up';
  const registered = ({ register, state }: NamedTrunkState) =>
    register === 0 || state === undefined ? null : state.registrationState === 'registered';
  family(out, 'voice_trunk_up', 'gauge', 'Whether the trunk answers OPTIONS', samples(up));
  family(out, 'voice_trunk_registered', 'gauge', 'Whether we are registered at it', samples(registered));
}

function machineFamilies(out: Page, input: MetricsInput): void {
  const { disk, eventLoopDelaySeconds } = input;
  const bytes = (count: number | undefined): Sample[] => (count === undefined ? [] : [[{}, count]]);
  family(out, 'voice_disk_free_bytes', 'gauge', 'Free room on the disk of DATA_DIR', bytes(disk?.freeBytes));
  family(out, 'voice_disk_size_bytes', 'gauge', 'Size of the disk of DATA_DIR', bytes(disk?.totalBytes));
  const help = 'How late timers of a process fire, over the last minute';
  const delay = (labels: Labels, figures: EventLoopDelay): void =>
    family(out, 'voice_event_loop_delay_seconds', 'gauge', help, quantiles(labels, figures));
  delay({ process: 'api' }, eventLoopDelaySeconds);
  ofEngines(out, input, (_, figures) => delay({ process: 'engine' }, figures.eventLoopDelaySeconds));
}

const quantiles = (labels: Labels, { p50, p99, max }: EventLoopDelay): Sample[] => [
  [{ ...labels, quantile: '0.5' }, p50],
  [{ ...labels, quantile: '0.99' }, p99],
  [{ ...labels, quantile: '1' }, max],
];

function llmFamilies(out: Page, { llmRequests, llmFallbackRequests, llmTokens }: EngineMetrics): void {
  const requests = llmRequests.spoken + llmRequests.discarded;
  family(
    out,
    'voice_llm_requests_total',
    'counter',
    'Requests to the dialogue model, by whether the reply was of use',
    byLabel('reply', llmRequests),
  );
  family(out, 'voice_llm_fallback_requests_total', 'counter', 'Of them, those to the fallback model', [
    [{}, llmFallbackRequests],
  ]);
  family(
    out,
    'voice_llm_tokens_total',
    'counter',
    'Tokens that the servers report; cached and discarded ones are part of the others',
    byLabel('kind', llmTokens),
  );
  family(out, 'voice_llm_discarded_share', 'gauge', 'Share of requests whose reply was never spoken, since the start', [
    [{}, requests === 0 ? 0 : llmRequests.discarded / requests],
  ]);
}

const byLabel = (label: string, values: Record<string, number>): Sample[] =>
  Object.entries(values).map(([key, value]) => [{ [label]: key }, value]);

/** A family is written once, with the samples of all engines. */
class Page {
  readonly #families = new Map<string, string[]>();
  /** Of every sample that is added. */
  labels: Labels = {};

  add(
    name: string,
    type: 'counter' | 'gauge' | 'histogram',
    help: string,
  ): (sample: string, labels: Labels, value: string | number) => void {
    const lines = this.#families.get(name) ?? [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
    this.#families.set(name, lines);
    return (sample, labels, value) => lines.push(`${sample}${labelText({ ...this.labels, ...labels })} ${value}`);
  }

  text(): string {
    return `${[...this.#families.values()].flat().join('\n')}\n`;
  }
}

function family(out: Page, name: string, type: 'counter' | 'gauge', help: string, samples: Sample[]): void {
  const sample = out.add(name, type, help);
  for (const [labels, value] of samples) sample(name, labels, number(value));
}

function histogram(out: Page, name: string, help: string, figures: Histogram): void {
  histograms(out, name, help, [[{}, figures]]);
}

function histograms(out: Page, name: string, help: string, series: Array<[Labels, Histogram]>): void {
  const sample = out.add(name, 'histogram', help);
  for (const [labels, { bounds, counts, sum }] of series) {
    let total = 0;
    counts.forEach((count, index) => {
      total += count;
      const bound = bounds[index];
      const le = bound === undefined ? '+Inf' : number(bound);
      sample(`${name}_bucket`, { ...labels, le }, total);
    });
    sample(`${name}_sum`, labels, number(sum));
    sample(`${name}_count`, labels, total);
  }
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escapeLabel = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const number = (value: number): string => (Number.isFinite(value) ? String(value) : 'NaN');
