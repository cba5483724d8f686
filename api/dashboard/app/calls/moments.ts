// The moments of a call in their order, and the names of the stages that make up a turn's response gap.
import type { TurnStage } from '../../../../db/domain/calls/timeline.ts';
import type { Call } from '../api-types.ts';
import { words } from '../words/words.ts';

type Latency = NonNullable<Call['latency']>;
export type TurnTiming = NonNullable<Latency['timeline']>[number];
export type BargeIn = NonNullable<Latency['bargeIns']>[number];
export type Resumption = NonNullable<Call['resumptions']>[number];
export type ToolCall = NonNullable<Call['toolCalls']>[number];

export type TransferTry = NonNullable<Call['transfers']>[number];

export type LanguageChange = NonNullable<Call['languageChanges']>[number];

export type Source = NonNullable<Call['sources']>[number];

export const STAGES: ReadonlyArray<[stage: TurnStage, name: string]> = [
  ['turn-end', words('Silence until the turn’s end')],
  ['recogniser', words('Recogniser')],
  ['model', words('Model')],
  ['clause', words('First clause')],
  ['synthesis', words('Voice')],
  ['wire', words('Sending')],
];

export type Moment =
  | { kind: 'turn'; atMs: number; turn: TurnTiming }
  | { kind: 'barge-in'; atMs: number; bargeIn: BargeIn }
  | { kind: 'resumption'; atMs: number; resumption: Resumption }
  | { kind: 'tool-call'; atMs: number; toolCall: ToolCall }
  | { kind: 'sources'; atMs: number; sources: Source[] }
  | { kind: 'language'; atMs: number; change: LanguageChange }
  | { kind: 'transfer'; atMs: number; transfer: TransferTry };

/**
 * Turns, interruptions, tool calls, what replies were made from, tries to reach a person, changes of the language, and
 * losses of the line in the order of the call.
 */
export function momentsOf({
  latency,
  toolCalls = [],
  sources = [],
  transfers = [],
  languageChanges = [],
  resumptions = [],
}: Pick<Call, 'latency' | 'toolCalls' | 'sources' | 'transfers' | 'languageChanges' | 'resumptions'>): Moment[] {
  const { timeline = [], bargeIns = [] } = latency ?? {};
  return [
    ...toolCalls.map((toolCall): Moment => ({ kind: 'tool-call', atMs: toolCall.startedAtMs, toolCall })),
    ...[...Map.groupBy(sources, ({ atMs }) => atMs)].map(
      ([atMs, ofOne]): Moment => ({ kind: 'sources', atMs, sources: ofOne }),
    ),
    ...transfers.map((transfer): Moment => ({ kind: 'transfer', atMs: transfer.startedAtMs, transfer })),
    ...languageChanges.map((change): Moment => ({ kind: 'language', atMs: change.atMs, change })),
    ...resumptions.map((resumption): Moment => ({ kind: 'resumption', atMs: resumption.atMs, resumption })),
    ...timeline.map((turn): Moment => ({ kind: 'turn', atMs: turn.speechEndAtMs, turn })),
    ...bargeIns.map((bargeIn): Moment => ({ kind: 'barge-in', atMs: bargeIn.onsetAtMs, bargeIn })),
  ].sort((a, b) => a.atMs - b.atMs);
}
