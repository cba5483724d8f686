// The columns of a call, each stated once: its stored type, its initial value, whether the call's end writes it, and
// its form in the call's record. The table's type, the statements that insert and end a call, the record as an object
// (db/records/call-record.ts) and as SQL with its trigger (db/queries/calls/list/record-json.ts), and test rows are
// derived from it. The order is that of the record's members.

import {
  type CallAnalysis,
  type CallCost,
  type CallLatency,
  type CallUsage,
  type CallWaits,
  type EngineFallback,
  isoOrNull,
  isoTime,
  parseArray,
  parseTexts,
  type TranscriptEntry,
} from '../records/resources.ts';
import type { Part } from '../statements/json-text.ts';
import { rawJson, rawOrNullJson, textJson, timeJson, timeOrNullJson, wordJson } from '../statements/json-text.ts';
import type { Json } from './columns.ts';

export type CallStatus = 'RINGING' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'VOICEMAIL';

/** The form of a stored value in the record. */
interface Shown<Stored, Member> {
  /** SQL that gives the member's JSON. */
  json(column: string): readonly Part[];
  read(stored: Stored): Member;
}

/** The initial value: given by the caller, the time of the beginning, or always the column's `value`. */
type Begins = 'given' | 'now' | 'value';

interface Column<Stored, Member, How extends Begins = Begins, Ends extends boolean = boolean> {
  begins: How;
  /** The initial value if `begins` is `value`. */
  value: Stored | undefined;
  /** The end of the call writes it. */
  ends: Ends;
  /** Null: the record does not show it. */
  shown: Shown<Stored, Member> | null;
}

const same = <T>(stored: T): T => stored;
/** Never null, without characters to escape: an id, an enum. */
const word = <T extends string>(): Shown<T, T> => ({ json: wordJson, read: same });
const text = <T extends string | null>(): Shown<T, T> => ({ json: textJson, read: same });
const number: Shown<number, number> = { json: rawJson, read: same };
const numberOrNull: Shown<number | null, number | null> = { json: rawOrNullJson, read: same };
const time: Shown<number, string> = { json: timeJson, read: isoTime };
const timeOrNull: Shown<number | null, string | null> = { json: timeOrNullJson, read: isoOrNull };
const texts: Shown<Json, Record<string, string>> = { json: rawJson, read: parseTexts };
const list = <T>(): Shown<Json, T[]> => ({ json: rawJson, read: (stored) => parseArray<T>(stored) });
const objectOrNull = <T>(): Shown<Json | null, T | null> => ({
  json: rawOrNullJson,
  read: (stored) => (stored === null ? null : (JSON.parse(stored) as T)),
});

const given = <S, M>(shown: Shown<S, M>): Column<S, M, 'given', false> => ({
  begins: 'given',
  value: undefined,
  ends: false,
  shown,
});
const hidden = <S>(): Column<S, never, 'given', false> => ({
  begins: 'given',
  value: undefined,
  ends: false,
  shown: null,
});
const now = <M>(shown: Shown<number, M> | null): Column<number, M, 'now', false> => ({
  begins: 'now',
  value: undefined,
  ends: false,
  shown,
});
const later = <S, M>(value: S, shown: Shown<S, M> | null): Column<S, M, 'value', false> => ({
  begins: 'value',
  value,
  ends: false,
  shown,
});
const ended = <S, M>(value: S, shown: Shown<S, M> | null): Column<S, M, 'value', true> => ({
  begins: 'value',
  value,
  ends: true,
  shown,
});

export const CALL_COLUMNS = {
  id: given(word()),
  accountId: hidden<string>(),
  businessId: given(word()),
  campaignId: given(word()),
  agentId: given(word()),
  phoneNumberId: given(text<string | null>()),
  contactId: hidden<string | null>(),
  direction: given(word<'inbound' | 'outbound'>()),
  /** How the caller's audio arrives. */
  medium: hidden<'sip' | 'web'>(),
  fromNumber: given(text<string>()),
  toNumber: given(text<string>()),
  /** The number that the caller dialled first, where that was forwarded to ours; E.164, or as the network says it. */
  forwardedFrom: given(text<string | null>()),
  callerName: given(text<string | null>()),
  /** Values of the placeholders in spoken texts; `metadata` is the client's own. */
  variables: given(texts),
  metadata: given(texts),
  trunkId: hidden<string | null>(),
  /** The engine instance that holds or held the call. */
  engineId: hidden<string | null>(),
  status: ended<CallStatus, CallStatus>('RINGING', word()),
  outcome: ended<string | null, string | null>(null, text()),
  endReason: ended<string | null, string | null>(null, text()),
  startedAt: now(time),
  answeredAt: later<number | null, never>(null, null),
  endedAt: ended(null, timeOrNull),
  durationSeconds: ended(0, number),
  sentiment: ended<Sentiment, Sentiment>(null, text()),
  summary: ended<string | null, string | null>(null, text()),
  tags: ended('[]', list<string>()),
  transcript: ended('[]', list<TranscriptEntry>()),
  latency: ended(null, objectOrNull<CallLatency>()),
  waits: ended(null, objectOrNull<CallWaits>()),
  usage: ended(null, objectOrNull<CallUsage>()),
  /** Paid for it by the installation; null: not priced yet, no price is known, or the account is not to see it. */
  cost: later(null, objectOrNull<CallCost>()),
  /** BCP 47, in which it was led, in order. */
  languages: ended('[]', list<string>()),
  /** By which it was led (schema/versions.ts); null before versions were kept. */
  agentVersion: ended(null, numberOrNull),
  businessVersion: ended(null, numberOrNull),
  fallbacks: ended('[]', list<EngineFallback>()),
  /** Of the business's and the campaign's outputs and criteria, some seconds after the end. */
  analysis: later(null, objectOrNull<CallAnalysis>()),
  score: later<number | null, number | null>(null, numberOrNull),
  disposition: later<string | null, string | null>(null, text()),
  /** Set if the network ended the call: final status of the INVITE; cause of a Reason header. */
  sipStatus: ended(null, numberOrNull),
  q850Cause: ended(null, numberOrNull),
  recordingPath: ended<string | null, never>(null, null),
  recordingFormat: ended<'wav' | 'mp3' | null, never>(null, null),
  /** Where the file is; null: below DATA_DIR, as without an object store. See db/domain/calls/recording-state.ts. */
  recordingState: ended<string | null, never>(null, null),
  /** In the object store, once it is there. */
  recordingKey: later<string | null, never>(null, null),
  recordingBytes: later<number | null, never>(null, null),
  erasedAt: later(null, timeOrNull),
  createdAt: now<never>(null),
} as const;

type Sentiment = 'positive' | 'neutral' | 'negative' | null;

type Columns = typeof CALL_COLUMNS;
type CallColumn = keyof Columns;

type StoredOf<C> = C extends { shown: infer _; value: infer V } ? Exclude<V, undefined> : never;
type MemberOf<C> = C extends Column<infer _S, infer Member, infer _B, infer _E> ? Member : never;
/** The names of the columns of this type. */
type Named<Like> = { [Name in CallColumn]: Columns[Name] extends Like ? Name : never }[CallColumn];

/**
 * A row of `calls`, without `record_json`, which a trigger keeps and only lists read (db/queries/calls/list/pages.ts).
 */
export type CallTable = { [Name in CallColumn]: StoredOf<Columns[Name]> };

type GivenColumn = Named<{ begins: 'given' }>;
export type EndedColumn = Named<{ ends: true }>;
export type ShownColumn = {
  [Name in CallColumn]: [MemberOf<Columns[Name]>] extends [never] ? never : Name;
}[CallColumn];
/** The members of a call's record that are columns. */
export type CallMembers = { [Name in ShownColumn]: MemberOf<Columns[Name]> };

const NAMES = Object.keys(CALL_COLUMNS) as CallColumn[];
export const SHOWN_COLUMNS = NAMES.filter((name) => CALL_COLUMNS[name].shown !== null) as ShownColumn[];
export const ENDED_COLUMNS = NAMES.filter((name) => CALL_COLUMNS[name].ends) as EndedColumn[];

/** The facts of a call that are known at its beginning. */
export type NewCall = { [Name in Exclude<GivenColumn, 'accountId'>]: CallTable[Name] } & { nowMs: number };

/** The row of a new call. */
export function ringingCall(call: NewCall & { accountId: string }): CallTable {
  const valueAt = (name: CallColumn): unknown => {
    const { begins, value } = CALL_COLUMNS[name];
    return begins === 'given' ? call[name as GivenColumn] : begins === 'now' ? call.nowMs : value;
  };
  return Object.fromEntries(NAMES.map((name) => [name, valueAt(name)])) as CallTable;
}

/** Members of a call's record that its end writes. */
export type EndedMembers = Pick<CallMembers, Extract<EndedColumn, ShownColumn>>;

/** The stored values of these members at the end of a call; left-out ones keep their initial value. */
export function endedValues(end: Partial<Record<EndedColumn, unknown>>): Pick<CallTable, EndedColumn> {
  const stored = (name: EndedColumn): unknown => {
    const value = end[name];
    if (value === undefined) return CALL_COLUMNS[name].value;
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  };
  return Object.fromEntries(ENDED_COLUMNS.map((name) => [name, stored(name)])) as Pick<CallTable, EndedColumn>;
}
