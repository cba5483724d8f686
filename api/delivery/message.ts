// The body of a delivery: {id, type, createdAt, data}, built in one place so that every attempt, its log entry and a
// replay have the same bytes.
import { isoTime } from '../../db/records/resources.ts';

/** @param data JSON text of the resource */
export function messageBody(message: { id: string; type: string; createdAtMs: number; data: string }): string {
  const head = JSON.stringify({ id: message.id, type: message.type, createdAt: isoTime(message.createdAtMs) });
  return `${head.slice(0, -1)},"data":${message.data}}`;
}
