// A running call's record: its latencies, and its transcript, which the live views receive entry by entry.

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
} from '../../db/domain/call-timeline.ts';
import { type RedactionRules, redact } from '../../db/domain/redaction/find.ts';
import { redactAll } from '../../db/domain/redaction/policy.ts';
import type { CallWaits, TranscriptEntry } from '../../db/records/resources.ts';
import type { Writer } from '../../db/writing/writer.ts';
import type { FoundPassage } from '../../models/llm/llm.ts';
import type { Clock } from '../clock.ts';
import type { ToolRun } from '../dialogue/tool-runs.ts';

/** `person`: somebody talks in the agent's place. */
type LiveState = 'ringing' | 'listening' | 'thinking' | 'speaking' | 'person' | 'ended';

/** A turn without recognisable words still gets an entry: the caller said something. */
export const UNINTELLIGIBLE = '(unintelligible)';

export type RecordChange = { type: 'transcript'; entry: TranscriptEntry } | { type: 'state'; state: LiveState };

/** Bounds the stored input and result of a tool, in characters of JSON. */
const TOOL_JSON_MAX = 4_000;
/** Of a call's sources, and of each passage in characters. */
const SOURCES_MAX = 100;
const SOURCE_CHARS_MAX = 500;

/** The record beside the transcript, which the live feed keeps, for a process that goes on with the call. */
export interface RecordState {
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

/** Of a call's tries to reach a person. */
const TRANSFERS_MAX = 100;

/** Response gaps of a call are so many at most. */
const GAPS_MAX = 10_000;

function bounded(value: unknown): unknown {
  const json = JSON.stringify(value) ?? 'null';
  return json.length <= TOOL_JSON_MAX ? value : `${json.slice(0, TOOL_JSON_MAX)}…`;
}

export class CallRecord {
  readonly #writer: Pick<Writer, 'run'>;
  readonly #accountId: string;
  readonly #callId: string;
  readonly #clock: Clock;
  readonly #onLost: (error: unknown) => void;
  /** Rules by which private words are taken out of each text; null: none are. */
  readonly #rules: RedactionRules | null;
  readonly #entries: TranscriptEntry[] = [];
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
  #state: LiveState = 'ringing';
  #isWithPerson = false;
  readonly #listeners: Array<(change: RecordChange) => void> = [];
  #onGrown = (): void => undefined;

  constructor(options: {
    writer: Pick<Writer, 'run'>;
    accountId: string;
    callId: string;
    clock: Clock;
    onLost: (error: unknown) => void;
    redaction?: RedactionRules | null;
  }) {
    this.#writer = options.writer;
    this.#accountId = options.accountId;
    this.#callId = options.callId;
    this.#clock = options.clock;
    this.#onLost = options.onLost;
    this.#rules = options.redaction ?? null;
  }

  /** The call's clock starts. */
  begin(): void {
    this.#beganAtMs ??= this.#clock.monotonicMs();
  }

  /**
   * Another process has begun the record. `elapsedMs`: since the call's clock started; null: it has not. `before`: null
   * if it is lost.
   */
  goOn(resumptions: readonly Resumption[], elapsedMs: number | null, before: RecordState | null): void {
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

  get kept(): RecordState {
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

  /** The words in the process before, as the feed has them, which may have the first words of this one by now. */
  saidBefore(transcript: readonly TranscriptEntry[]): void {
    this.#entries.unshift(...transcript.filter((entry) => this.#indexOf(entry) < 0));
  }

  /** Of this call by other processes, the last one by this one. */
  get resumptions(): readonly Resumption[] {
    return this.#resumptions;
  }

  /** Lets a browser call, and those who listen, follow transcript and state. */
  onChange(listener: (change: RecordChange) => void): void {
    this.#listeners.push(listener);
  }

  /** Ordered by each entry's first word; entries may come late (a caller's turn is known only when it ends). */
  get transcript(): TranscriptEntry[] {
    return [...this.#entries].sort((a, b) => a.timestamp - b.timestamp);
  }

  add(entry: TranscriptEntry): void {
    const clean = { ...this.#kept(entry), timestamp: Math.max(0, Math.round(entry.timestamp)) };
    // A turn that went on after its reply was dropped comes again in full: the later text replaces the earlier one.
    const same = this.#indexOf(clean);
    if (same >= 0) this.#entries.splice(same, 1);
    this.#entries.push(clean);
    this.#feed('transcript', clean);
    for (const listen of this.#listeners) listen({ type: 'transcript', entry: clean });
  }

  /** Of the entry that began with the same word; -1 if there is none. */
  #indexOf({ speaker, line, timestamp }: TranscriptEntry): number {
    return this.#entries.findIndex(
      (other) => other.speaker === speaker && other.line === line && other.timestamp === timestamp,
    );
  }

  /** All that is being said now; only live views are told. */
  words(words: readonly TranscriptEntry[]): void {
    const of = { accountId: this.#accountId, callId: this.#callId };
    // The next words replace these, and the transcript has them in the end.
    this.#writer.run('writeWords', { ...of, words: words.map((each) => this.#kept(each)) }).catch(() => undefined);
  }

  /** Once the person has gone, the caller is told again that it is the agent who speaks. */
  personSpeaks(isSpeaking: boolean): void {
    if (isSpeaking) this.state('person');
    this.#isWithPerson = isSpeaking;
    if (!isSpeaking) this.state('listening');
  }

  get live(): LiveState {
    return this.#state;
  }

  state(state: LiveState): void {
    if (state === this.#state || (this.#isWithPerson && state !== 'ended')) return;
    this.#state = state;
    // The write of the call's end adds `ended`.
    if (state !== 'ended') this.#feed('state', { state });
    for (const listen of this.#listeners) listen({ type: 'state', state });
  }

  /** Response gaps, in their order. */
  get gapsMs(): readonly number[] {
    return this.#gapsMs;
  }

  latency(ms: number): void {
    if (this.#gapsMs.length < GAPS_MAX) this.#gapsMs.push(ms);
    this.#feed('latency', { ms: Math.round(ms) });
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
      startedAtMs: Math.max(0, Math.round(startedAtMs - (this.#beganAtMs ?? startedAtMs))),
      tookMs: Math.round(tookMs),
      name: call.name,
      arguments: bounded(this.#hidden(call.arguments)),
      result: bounded(this.#hidden(result)),
      outcome: outcomeOf(state, ok),
    });
    this.#onGrown();
  }

  sourced(passages: readonly FoundPassage[]): void {
    const atMs = Math.max(0, Math.round(this.#clock.monotonicMs() - (this.#beganAtMs ?? this.#clock.monotonicMs())));
    for (const { documentId, name, heading, body } of passages) {
      if (this.#sources.length >= SOURCES_MAX) return;
      this.#sources.push({ atMs, documentId, name, heading, passage: body.slice(0, SOURCE_CHARS_MAX) });
    }
    this.#onGrown();
  }

  /** By this process's monotonic clock; on the call's clock, for what happens beside the caller's audio. */
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
    const resumptions = this.#resumptions;
    const sources = this.#sources;
    const transfers = this.#transfers;
    const languages = this.#languages;
    const all = [turns, bargeIns, toolCalls, resumptions, sources, transfers, languages];
    if (all.every(({ length }) => length === 0)) return null;
    const used = {
      ...(sources.length === 0 ? {} : { sources }),
      ...(transfers.length === 0 ? {} : { transfers }),
      ...(languages.length === 0 ? {} : { languageChanges: languages }),
    };
    return { turns, bargeIns, toolCalls, ...used, ...(resumptions.length === 0 ? {} : { resumptions }), speech: null };
  }

  #kept(entry: TranscriptEntry): TranscriptEntry {
    return this.#rules === null ? entry : { ...entry, text: redact(entry.text, this.#rules) };
  }

  #hidden(value: unknown): unknown {
    return this.#rules === null ? value : redactAll(value, this.#rules);
  }

  #feed(type: 'transcript' | 'state' | 'latency', data: unknown): void {
    this.#writer
      .run('appendFeed', { accountId: this.#accountId, callId: this.#callId, type, data, nowMs: this.#clock.nowMs() })
      .catch(this.#onLost);
  }
}

/** One whose answer nobody has seen by the call's end stays unanswered. */
function outcomeOf(state: ToolRun['state'], ok: boolean): ToolCallTiming['outcome'] {
  if (state === 'running') return 'unanswered';
  if (state === 'late') return 'late';
  return ok ? 'done' : 'refused';
}
