// Times as models write them and read them.
import { DateTime } from 'luxon';
import type { ToolResult } from './tool.ts';

/** ISO 8601; without an offset, the business's local time. */
export function parseTime(value: unknown, timezone: string): DateTime | null {
  if (typeof value !== 'string') return null;
  const time = DateTime.fromISO(value, { zone: timezone });
  return time.isValid ? time : null;
}

export const isoLocal = (ms: number, timezone: string): string =>
  DateTime.fromMillis(ms, { zone: timezone }).toISO({ suppressMilliseconds: true }) ?? new Date(ms).toISOString();

export const refused = (error: string, message: string, alternatives?: string[]): ToolResult => ({
  result: { ok: false, error, message, ...(alternatives ? { alternatives } : {}) },
});

export const badTime = (field: string, value: unknown): ToolResult =>
  refused('bad_time', `${field} must be an ISO-8601 date and time, not "${String(value)}".`);

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 500) : null;
}
