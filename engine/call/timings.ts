// The times of a running call, beside its transcript: turns, interruptions, tools, waits, transfers, languages, and the
// gaps of processes that were lost. All are bounded, and all outlive the process.
import {
  type BargeInTiming,
  type CallTimeline,
  type LanguageChange,
  type Resumption,
  type SourceUse,
  TIMELINE_MAX,
  type ToolCallTiming,
  type TransferTry,
  type TurnTiming,
} from '../../db/domain/calls/timeline.ts';
import type { CallWaits } from '../../db/records/resources.ts';
import type { FoundPassage } from '../../models/llm/llm.ts';
import type { Clock } from '../clock.ts';
import type { ToolRun } from '../dialogue/tool-runs.ts';

/** Bounds the stored input and result of a tool, in characters of JSON. */
const TOOL_JSON_MAX = 4_000;
/** Of a call's sources, and of each passage in characters. */
const SOURCES_MAX = 100;
const SOURCE_CHARS_MAX = 500;
/** Of a call's tries to reach a person. */
const TRANSFERS_MAX = 100;
/** Response gaps of a call are so many at most. */
const GAPS_MAX = 10_000;

/** For a process that goes on with the call; the live feed has the transcript. */
export interface TimingsState {
  turns: TurnTiming[];
  bargeIns: BargeInTiming[];
  toolCalls: Array<[id: string, timing: ToolCallTiming]>;
  /** Absent: an earlier release wrote it. */
  sources?: SourceUse[];
  transfers?: TransferTry[];
  languageChanges?: LanguageChange[];
  waits: Array<[epoch: number, ms: number]>;
  gapsMs: number[];
}

function bounded(value: unknown): unknown {
  const json = JSON.stringify(value) ?? 'null';
  return json.length <= TOOL_JSON_MAX ? value : `${json.slice(0, TOOL_JSON_MAX)}…`;
}

export class CallTimings {
  readonly #clock: Clock;
  /** Takes private words out of what tools were given and answered. */
  readonly #hidden: (value: unknown) => unknown;
  readonly #turns: TurnTiming[] = [];
  readonly #bargeIns: BargeInTiming[] = [];
  /** Of replies that began with words that are no answer: the longest wait, ms, by epoch. */
  readonly #waits = new Map<number, number>();
  /** From the end of each of the caller's turns to its answer, ms. */
  readonly #gapsMs: number[] = [];
  readonly #resumptions: Resumption[] = [];
  readonly #sources: SourceUse[] = [];
  readonly #transfers: TransferTry[] = [];
  readonly #languages: LanguageChange[] = [];
  /** By the model's tool call id. */
  readonly #toolCalls = new Map<string, ToolCallTiming>();
  /** Zero of the call's clock, by the monotonic one. */
  #beganAtMs: number | null = null;
  #onGrown = (): void => undefined;

  constructor(clock: Clock, hidden: (value: unknown) => unknown = (value) => value) {
    this.#clock = clock;
    this.#hidden = hidden;
  }

  /** The call's clock starts. */
  begin(): void {
    this.#beganAtMs ??= this.#clock.monotonicMs();
  }

  /**
   * Another process has begun the call. `elapsedMs`: since the call's clock started; null: it has not. `before`: null
   * if it is lost.
   */
  goOn(resumptions: readonly Resumption[], elapsedMs: number | null, before: TimingsState | null): void {
    if (elapsedMs !== null) this.#beganAtMs = this.#clock.monotonicMs() - elapsedMs;
    this.#resumptions.push(...resumptions);
    if (before === null) return;
    this.#turns.push(...before.turns);
    this.#bargeIns.push(...before.bargeIns);
    this.#gapsMs.push(...before.gapsMs);
    this.#sources.push(...(before.sources ?? []));
    this.#transfers.push(...(before.transfers ?? []));
    this.#languages.push(...(before.languageChanges ?? []));
    for (const [id, timing] of before.toolCalls) this.#toolCalls.set(id, timing);
    for (const [epoch, ms] of before.waits) this.#waits.set(epoch, ms);
  }

  get kept(): TimingsState {
    return {
      turns: this.#turns,
      bargeIns: this.#bargeIns,
      toolCalls: [...this.#toolCalls],
      sources: this.#sources,
      ...(this.#transfers.length === 0 ? {} : { transfers: this.#transfers }),
      ...(this.#languages.length === 0 ? {} : { languageChanges: this.#languages }),
      waits: [...this.#waits],
      gapsMs: this.#gapsMs,
    };
  }

  /** Told of each change of `kept`. */
  onGrown(listener: () => void): void {
    this.#onGrown = listener;
  }

  /** A browser has joined again: that was the end of the last gap. */
  heardAgain(resumption: Resumption): void {
    this.#resumptions.splice(-1, 1, resumption);
  }

  /** Of this call by other processes, the last one by this one. */
  get resumptions(): readonly Resumption[] {
    return this.#resumptions;
  }

  /** Response gaps, in their order. */
  get gapsMs(): readonly number[] {
    return this.#gapsMs;
  }

  /** A turn of the caller has its answer, so long after its end. */
  answeredAfter(ms: number): void {
    if (this.#gapsMs.length < GAPS_MAX) this.#gapsMs.push(ms);
    this.#onGrown();
  }

  turnTimed(turn: TurnTiming): void {
    if (this.#turns.length < TIMELINE_MAX) this.#turns.push(turn);
    this.#onGrown();
  }

  waited(epoch: number, ms: number): void {
    if (!this.#waits.has(epoch) && this.#waits.size >= TIMELINE_MAX) return;
    this.#waits.set(epoch, Math.max(this.#waits.get(epoch) ?? 0, Math.round(ms)));
    this.#onGrown();
  }

  bargeInTimed(bargeIn: BargeInTiming): void {
    if (this.#bargeIns.length < TIMELINE_MAX) this.#bargeIns.push(bargeIn);
    this.#onGrown();
  }

  /** A late result replaces the earlier entry of the same call. */
  toolRan({ call, startedAtMs, tookMs, result, ok, state }: ToolRun): void {
    if (!this.#toolCalls.has(call.id) && this.#toolCalls.size >= TIMELINE_MAX) return;
    this.#toolCalls.set(call.id, {
      startedAtMs: this.positionOf(startedAtMs),
      tookMs: Math.round(tookMs),
      name: call.name,
      arguments: bounded(this.#hidden(call.arguments)),
      result: bounded(this.#hidden(result)),
      outcome: outcomeOf(state, ok),
    });
    this.#onGrown();
  }

  sourced(passages: readonly FoundPassage[]): void {
    const atMs = this.positionOf(this.#clock.monotonicMs());
    for (const { documentId, name, heading, body } of passages.slice(0, SOURCES_MAX - this.#sources.length))
      this.#sources.push({ atMs, documentId, name, heading, passage: body.slice(0, SOURCE_CHARS_MAX) });
    this.#onGrown();
  }

  /** A time of this process's monotonic clock as one of the call's, for events beside the caller's audio. */
  positionOf(monotonicMs: number): number {
    return Math.max(0, Math.round(monotonicMs - (this.#beganAtMs ?? monotonicMs)));
  }

  transferTried(tried: TransferTry): void {
    if (this.#transfers.length < TRANSFERS_MAX) this.#transfers.push(tried);
    this.#onGrown();
  }

  languageTried(change: Omit<LanguageChange, 'atMs'>): LanguageChange {
    const tried = { atMs: this.positionOf(this.#clock.monotonicMs()), ...change };
    if (this.#languages.length < TIMELINE_MAX) this.#languages.push(tried);
    this.#onGrown();
    return tried;
  }

  /** Null if every turn began with its answer. */
  get waits(): CallWaits | null {
    if (this.#waits.size === 0) return null;
    return { count: this.#waits.size, longestMs: Math.max(...this.#waits.values()) };
  }

  /** Null if nothing was timed. */
  get timeline(): CallTimeline | null {
    const [turns, bargeIns, toolCalls] = [this.#turns, this.#bargeIns, [...this.#toolCalls.values()]];
    // Most calls have none of these.
    const rest = Object.entries({
      sources: this.#sources,
      transfers: this.#transfers,
      languageChanges: this.#languages,
      resumptions: this.#resumptions,
    }).filter(([, { length }]) => length > 0);
    if (rest.length === 0 && [turns, bargeIns, toolCalls].every(({ length }) => length === 0)) return null;
    return { turns, bargeIns, toolCalls, ...Object.fromEntries(rest), speech: null };
  }
}

/** One whose answer nobody has seen by the call's end stays unanswered. */
function outcomeOf(state: ToolRun['state'], ok: boolean): ToolCallTiming['outcome'] {
  if (state === 'running') return 'unanswered';
  if (state === 'late') return 'late';
  return ok ? 'done' : 'refused';
}
