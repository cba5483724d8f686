// A running call's record: its times (timings.ts), and its transcript and state, which live views receive as they come.

import { type RedactionRules, redact } from '../../db/domain/redaction/find.ts';
import { redactAll } from '../../db/domain/redaction/policy.ts';
import type { TranscriptEntry } from '../../db/records/resources.ts';
import type { Writer } from '../../db/writing/writer.ts';
import type { Clock } from '../clock.ts';
import { CallTimings } from './timings.ts';

/** `person`: somebody talks in the agent's place. */
type LiveState = 'ringing' | 'listening' | 'thinking' | 'speaking' | 'person' | 'ended';

/** A turn without recognisable words still gets an entry: the caller said something. */
export const UNINTELLIGIBLE = '(unintelligible)';

export type RecordChange = { type: 'transcript'; entry: TranscriptEntry } | { type: 'state'; state: LiveState };

export class CallRecord {
  readonly #writer: Pick<Writer, 'run'>;
  readonly #accountId: string;
  readonly #callId: string;
  readonly #clock: Clock;
  readonly #onLost: (error: unknown) => void;
  /** Rules by which private words are taken out of each text; null: none are. */
  readonly #rules: RedactionRules | null;
  readonly #entries: TranscriptEntry[] = [];
  readonly timings: CallTimings;
  #state: LiveState = 'ringing';
  #isWithPerson = false;
  readonly #listeners: Array<(change: RecordChange) => void> = [];

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
    const rules = options.redaction ?? null;
    this.#rules = rules;
    this.timings = new CallTimings(options.clock, rules === null ? undefined : (value) => redactAll(value, rules));
  }

  /** The words in the process before, as the feed has them, which may have the first words of this one by now. */
  saidBefore(transcript: readonly TranscriptEntry[]): void {
    this.#entries.unshift(...transcript.filter((entry) => this.#indexOf(entry) < 0));
  }

  /** Lets a browser call, and those who listen, follow transcript and state. */
  onChange(listener: (change: RecordChange) => void): void {
    this.#listeners.push(listener);
  }

  /** Ordered by each entry's first word; entries may come late (a caller's turn is known only when it ends). */
  get transcript(): TranscriptEntry[] {
    return [...this.#entries].sort((a, b) => a.timestamp - b.timestamp);
  }

  latency(ms: number): void {
    this.timings.answeredAfter(ms);
    this.#feed('latency', { ms: Math.round(ms) });
  }

  add(entry: TranscriptEntry): void {
    const clean = { ...this.#redacted(entry), timestamp: Math.max(0, Math.round(entry.timestamp)) };
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
    this.#writer.run('writeWords', { ...of, words: words.map((each) => this.#redacted(each)) }).catch(() => undefined);
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

  #redacted(entry: TranscriptEntry): TranscriptEntry {
    return this.#rules === null ? entry : { ...entry, text: redact(entry.text, this.#rules) };
  }

  #feed(type: 'transcript' | 'state' | 'latency', data: unknown): void {
    this.#writer
      .run('appendFeed', { accountId: this.#accountId, callId: this.#callId, type, data, nowMs: this.#clock.nowMs() })
      .catch(this.#onLost);
  }
}
