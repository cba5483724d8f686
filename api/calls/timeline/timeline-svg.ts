// Draws a call: the speech of both sides, the response gaps with their stages, the interruptions. Time runs in rows of
// 20 s, longer ones for a long call. Pure; the picture contains only numbers, no word of the call.

import {
  type BargeInTiming,
  type CallTimeline,
  gapParts,
  type Resumption,
  type SpeechSpan,
  type TransferTry,
  type TurnStage,
  type TurnTiming,
} from '../../../db/domain/calls/timeline.ts';
import type { CallLatency, TranscriptEntry } from '../../../db/records/resources.ts';

interface TimelineInput {
  durationMs: number;
  latency: CallLatency | null;
  transcript: readonly TranscriptEntry[];
  timeline: CallTimeline;
}

const WIDTH = 1_200;
const LEFT = 64;
const RIGHT = 16;
const HEAD = 64;
const ROW = 104;
const ROW_MS = 20_000;
const TICKS = 4;
const ROWS_MAX = 60;
/** Heights within a row. */
const LABEL = 14;
const CALLER = 20;
const GAP = 38;
const AGENT = 54;
const LANE = 14;
const YIELD = 80;
const AXIS = 92;
/** Assumed speaking time of a text without a recording. */
const MS_PER_CHARACTER = 65;

const CALLER_COLOUR = '#3b6fb6';
const AGENT_COLOUR = '#4c9a6a';
const BARGE_IN_COLOUR = '#c62828';
const HOLE_COLOUR = '#b0b0b0';
const TRANSFER_COLOUR = '#7b4fa3';

type Part = TurnStage | 'lead-in';
const PARTS: Record<Part, { colour: string; name: string }> = {
  recogniser: { colour: '#8e6bbf', name: 'recogniser' },
  model: { colour: '#e08e2b', name: 'model, first word' },
  clause: { colour: '#e6c229', name: 'first clause' },
  synthesis: { colour: '#2ba6a6', name: 'speech synthesis' },
  'turn-end': { colour: '#9aa5b1', name: 'silence until turn end' },
  wire: { colour: '#d65a8a', name: 'sending' },
  'lead-in': { colour: '#d7c4a3', name: 'silence before the voice' },
};

export function timelineSvg({ durationMs, latency, transcript, timeline }: TimelineInput): string {
  const lengthMs = Math.max(durationMs, lastMs(timeline), 1_000);
  const rowMs = Math.max(ROW_MS, Math.ceil(lengthMs / ROWS_MAX / ROW_MS) * ROW_MS);
  const rows = Math.ceil(lengthMs / rowMs);
  const scale = new Scale(rowMs);
  const speech = timeline.speech ?? guessedSpeech(transcript, timeline);
  const height = HEAD + rows * ROW;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11" role="img">`,
    '<title>Timeline of the call</title>',
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    ...head(latency, timeline),
    ...Array.from({ length: rows }, (_, row) => axis(row, rowMs, Math.min(lengthMs, (row + 1) * rowMs))).flat(),
    ...speech.caller.flatMap(([from, to]) => scale.bars(from, to, CALLER, LANE, CALLER_COLOUR)),
    ...speech.agent.flatMap(([from, to]) => scale.bars(from, to, AGENT, LANE, AGENT_COLOUR)),
    ...timeline.turns.flatMap((turn) => gap(turn, scale)),
    ...timeline.bargeIns.flatMap((bargeIn) => interruption(bargeIn, scale)),
    ...(timeline.transfers ?? []).flatMap((transfer) => tried(transfer, scale)),
    ...(timeline.resumptions ?? []).filter(wasHeard).flatMap((resumption) => hole(resumption, scale)),
    '</svg>',
  ].join('\n');
}

/** Converts times to positions. */
class Scale {
  readonly #rowMs: number;
  readonly #perMs: number;

  constructor(rowMs: number) {
    this.#rowMs = rowMs;
    this.#perMs = (WIDTH - LEFT - RIGHT) / rowMs;
  }

  at(ms: number): { x: number; y: number } {
    const row = Math.floor(ms / this.#rowMs);
    return { x: LEFT + (ms - row * this.#rowMs) * this.#perMs, y: HEAD + row * ROW };
  }

  /** A span as bars, one in each row that it touches. `dy`: vertical position within the row. */
  bars(fromMs: number, toMs: number, dy: number, height: number, colour: string, title = ''): string[] {
    const bars: string[] = [];
    for (let from = Math.max(0, fromMs); from < toMs; ) {
      const to = Math.min(toMs, (Math.floor(from / this.#rowMs) + 1) * this.#rowMs);
      const { x, y } = this.at(from);
      const width = Math.max(0.5, (to - from) * this.#perMs);
      const rect = `<rect x="${short(x)}" y="${y + dy}" width="${short(width)}" height="${height}" fill="${colour}"`;
      bars.push(title === '' ? `${rect}/>` : `${rect}><title>${title}</title></rect>`);
      from = to;
    }
    return bars;
  }
}

function head(latency: CallLatency | null, { bargeIns, resumptions = [] }: CallTimeline): string[] {
  const gaps = latency
    ? `${latency.turns} ${latency.turns === 1 ? 'turn' : 'turns'}, response gap p50 ${latency.p50Ms} ms, p95 ${latency.p95Ms} ms`
    : 'no answered turn';
  const { yields } = latency ?? {};
  const yielded = yields
    ? `; ${yields.count} ${yields.count === 1 ? 'interruption' : 'interruptions'}, yield p50 ${yields.p50Ms} ms, p95 ${yields.p95Ms} ms`
    : bargeIns.length > 0
      ? `; ${bargeIns.length} ${bargeIns.length === 1 ? 'interruption' : 'interruptions'}`
      : '';
  const legend = [
    { colour: CALLER_COLOUR, name: 'caller' },
    { colour: AGENT_COLOUR, name: 'agent' },
    ...Object.values(PARTS),
    { colour: BARGE_IN_COLOUR, name: 'interruption' },
    ...(resumptions.some(wasHeard) ? [{ colour: HOLE_COLOUR, name: 'no line' }] : []),
  ];
  let x = LEFT;
  const entries = legend.flatMap(({ colour, name }) => {
    const entry = [
      `<rect x="${x}" y="36" width="10" height="10" fill="${colour}"/>`,
      text(x + 14, 45, name, { anchor: 'start' }),
    ];
    x += 34 + name.length * 6;
    return entry;
  });
  return [text(LEFT, 20, `${gaps}${yielded}`, { anchor: 'start', size: 14, colour: '#222222' }), ...entries];
}

function axis(row: number, rowMs: number, toMs: number): string[] {
  const y = HEAD + row * ROW;
  const scale = new Scale(rowMs);
  const endX = toMs === (row + 1) * rowMs ? WIDTH - RIGHT : scale.at(toMs).x;
  const lane = (dy: number) =>
    `<rect x="${LEFT}" y="${y + dy}" width="${short(endX - LEFT)}" height="${LANE}" fill="#f1f3f5"/>`;
  const ticks = Array.from({ length: TICKS }, (_, tick) => row * rowMs + (tick * rowMs) / TICKS).flatMap((ms) => {
    if (ms > toMs) return [];
    const { x } = scale.at(ms);
    return [
      `<line x1="${short(x)}" y1="${y + CALLER}" x2="${short(x)}" y2="${y + AGENT + LANE}" stroke="#dddddd"/>`,
      text(x, y + AXIS, clock(ms), { colour: '#888888', size: 10 }),
    ];
  });
  return [
    lane(CALLER),
    lane(AGENT),
    text(LEFT - 8, y + CALLER + 11, 'caller', { anchor: 'end' }),
    text(LEFT - 8, y + AGENT + 11, 'agent', { anchor: 'end' }),
    ...ticks,
  ];
}

function gap(turn: TurnTiming, scale: Scale): string[] {
  const parts: Array<{ stage: Part; fromMs: number; toMs: number }> = gapParts(turn);
  // The voice begins after the first packet.
  const soundAtMs = turn.speechEndAtMs + turn.gapMs;
  if (soundAtMs > turn.firstPacketAtMs) {
    parts.push({ stage: 'lead-in', fromMs: turn.firstPacketAtMs, toMs: soundAtMs });
  }
  const bars = parts.flatMap(({ stage, fromMs, toMs }) => {
    const { colour, name } = PARTS[stage];
    return scale.bars(fromMs, toMs, GAP, 12, colour, `${name}: ${toMs - fromMs} ms`);
  });
  const { x, y } = scale.at(turn.speechEndAtMs + Math.min(turn.gapMs, 2_000) / 2);
  const guessed = turn.guessed ? '' : ' (not prepared)';
  const label = text(Math.min(x, WIDTH - RIGHT - 8), y + LABEL, `${turn.gapMs} ms`, { size: 10, colour: '#222222' });
  return [...bars, `<g><title>gap ${turn.gapMs} ms by the ${turn.measuredOn}${guessed}</title>${label}</g>`];
}

function interruption({ onsetAtMs, yieldMs }: BargeInTiming, scale: Scale): string[] {
  const { x, y } = scale.at(onsetAtMs);
  const line = `<line x1="${short(x)}" y1="${y + CALLER - 3}" x2="${short(x)}" y2="${y + AGENT + LANE + 2}" stroke="${BARGE_IN_COLOUR}" stroke-width="1.5"/>`;
  return [line, text(x, y + YIELD, `yield ${yieldMs} ms`, { size: 10, colour: BARGE_IN_COLOUR })];
}

/** Before the answer there is no line to be heard. */
const wasHeard = ({ atMs }: Resumption): boolean => atMs > 0;

/** The line was gone. */
function hole({ atMs, gapMs, cause }: Resumption, scale: Scale): string[] {
  const title = `no line for ${gapMs} ms: ${cause}`;
  const { x, y } = scale.at(atMs);
  return [
    ...scale.bars(atMs - gapMs, atMs, CALLER, AGENT + LANE - CALLER, HOLE_COLOUR, title),
    text(x, y + YIELD, `line back after ${gapMs} ms`, { size: 10, colour: '#444444' }),
  ];
}

/** A person was asked to take the caller. Names are tenants' own: they are escaped. */
function tried({ destination, startedAtMs, tookMs, result }: TransferTry, scale: Scale): string[] {
  const name = destination.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const title = `${name}: ${result.replace('_', ' ')}`;
  const { x, y } = scale.at(startedAtMs);
  return [
    ...scale.bars(startedAtMs, startedAtMs + tookMs, YIELD - 10, 3, TRANSFER_COLOUR, title),
    text(x, y + YIELD + 4, title, { anchor: 'start', size: 10, colour: TRANSFER_COLOUR }),
  ];
}

/** Without a recording the transcript gives the start of each speech, and the length of its text the duration. */
function guessedSpeech(
  transcript: readonly TranscriptEntry[],
  { turns, bargeIns }: CallTimeline,
): { caller: SpeechSpan[]; agent: SpeechSpan[] } {
  const spans = (speaker: TranscriptEntry['speaker'], endsAtMs: readonly number[]): SpeechSpan[] =>
    transcript
      .filter((entry) => entry.speaker === speaker && entry.line === undefined)
      .map(({ timestamp, text }, index, own): SpeechSpan => {
        const nextMs = own[index + 1]?.timestamp ?? Number.POSITIVE_INFINITY;
        const ended = endsAtMs.find((ms) => ms > timestamp && ms <= nextMs);
        return [timestamp, ended ?? Math.min(nextMs, timestamp + text.length * MS_PER_CHARACTER)];
      });
  return {
    caller: spans(
      'caller',
      turns.map(({ speechEndAtMs }) => speechEndAtMs),
    ),
    agent: spans(
      'agent',
      bargeIns.map(({ silentAtMs }) => silentAtMs),
    ),
  };
}

function lastMs({ turns, bargeIns, speech, transfers = [] }: CallTimeline): number {
  const ends = [
    ...transfers.map(({ startedAtMs, tookMs }) => startedAtMs + tookMs),
    ...turns.map(({ speechEndAtMs, gapMs, firstPacketAtMs }) => Math.max(speechEndAtMs + gapMs, firstPacketAtMs)),
    ...bargeIns.map(({ silentAtMs }) => silentAtMs),
    ...(speech?.caller ?? []).map(([, to]) => to),
    ...(speech?.agent ?? []).map(([, to]) => to),
  ];
  return ends.reduce((most, ms) => Math.max(most, ms), 0);
}

function text(
  x: number,
  y: number,
  content: string,
  { anchor = 'middle', size = 11, colour = '#555555' }: { anchor?: string; size?: number; colour?: string },
): string {
  return `<text x="${short(x)}" y="${y}" text-anchor="${anchor}" font-size="${size}" fill="${colour}">${content}</text>`;
}

const clock = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

const short = (value: number): string => String(Math.round(value * 10) / 10);
