// Calls and their words as lines.
import type { Call, TranscriptEntry } from '../../typescript/types.ts';
import { clean, type Output, type Style } from '../output.ts';

const STATUS: Partial<Record<Call['status'], Style>> = {
  RINGING: 'yellow',
  IN_PROGRESS: 'cyan',
  COMPLETED: 'green',
  FAILED: 'red',
};
const SPEAKERS: Record<string, Style> = { agent: 'cyan', caller: 'green', person: 'yellow' };

/** `83` as `1:23`. */
export const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** `2026-05-01 09:28`, in the time of this machine. */
export function moment(instant: string): string {
  const date = new Date(instant);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

export const parties = ({ direction, fromNumber, toNumber }: Call): string =>
  `${direction === 'inbound' ? '←' : '→'} ${direction === 'inbound' ? fromNumber : toNumber}`;

export const status = (output: Output, call: Pick<Call, 'status' | 'outcome'>): string => {
  const text = call.outcome === null ? call.status : `${call.status} (${clean(call.outcome)})`;
  const style = STATUS[call.status];
  return style === undefined ? text : output.style(style, text);
};

export function spoken(output: Output, { speaker, text, timestamp }: TranscriptEntry): string {
  const style = SPEAKERS[speaker] ?? 'dim';
  return `${output.style('dim', clock(timestamp / 1_000).padStart(5))}  ${output.style(style, speaker.padEnd(6))}  ${clean(text)}`;
}
