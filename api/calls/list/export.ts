// Calls as CSV (RFC 4180): a line a call, newest first, with a column for each output of the account's businesses and
// campaigns. It is sent as it is read, a hundred calls at a time: each hundred is read and written between two requests
// of others.
import Papa from 'papaparse';
import type { CallFilter } from '../../../db/queries/calls/list/counts.ts';
import { callsAfter, type ExportedCall, outputNames } from '../../../db/queries/calls/list/export.ts';
import { type CallAnalysis, isoOrNull, isoTime } from '../../../db/records/resources.ts';
import type { Db } from '../../../db/schema.ts';

const AT_ONCE = 100;

/**
 * Spreadsheets compute a cell that begins with one of these: a caller's name must not be a formula. A number alone, as
 * a telephone number is, computes nothing, and other programs read the table too.
 */
const FORMULA = /^(?:[=@\t\r]|[+-](?!\d+(?:[.,]\d+)?$))/;
/** Where a language separates cells by `;`, a spreadsheet does so inside quotes too, and a cell begins behind it. */
const INNER_FORMULA = /([;\t])(?=[=@+-])/g;
const UNPARSE = { header: false, newline: '\r\n', escapeFormulae: FORMULA } as const;

export async function* callsCsv(db: Db, accountId: string, filter: CallFilter): AsyncGenerator<string> {
  const outputs = await outputNames(db, accountId);
  yield `${Papa.unparse([[...Object.keys(PLAIN), ...outputs.map((name) => `data.${name}`)]], UNPARSE)}\r\n`;
  let after: ExportedCall | null = null;
  for (;;) {
    const calls: ExportedCall[] = await callsAfter(db, accountId, filter, { after, limit: AT_ONCE });
    if (calls.length === 0) return;
    yield `${Papa.unparse(
      calls.map((call) => lineOf(call, outputs)),
      UNPARSE,
    )}\r\n`;
    if (calls.length < AT_ONCE) return;
    after = calls.at(-1) ?? null;
  }
}

const PLAIN = {
  id: ({ id }) => id,
  startedAt: ({ startedAt }) => isoTime(startedAt),
  endedAt: ({ endedAt }) => isoOrNull(endedAt),
  direction: ({ direction }) => direction,
  fromNumber: ({ fromNumber }) => fromNumber,
  toNumber: ({ toNumber }) => toNumber,
  callerName: ({ callerName }) => callerName,
  status: ({ status }) => status,
  outcome: ({ outcome }) => outcome,
  endReason: ({ endReason }) => endReason,
  durationSeconds: ({ durationSeconds }) => durationSeconds,
  sentiment: ({ sentiment }) => sentiment,
  summary: ({ summary }) => summary,
  tags: ({ tags }) => (JSON.parse(tags) as string[]).join(' '),
  businessId: ({ businessId }) => businessId,
  campaignId: ({ campaignId }) => campaignId,
  agentId: ({ agentId }) => agentId,
  score: ({ score }) => score,
  disposition: ({ disposition }) => disposition,
} satisfies Record<string, (call: ExportedCall) => unknown>;

function lineOf(call: ExportedCall, outputs: readonly string[]): unknown[] {
  const { data = {} } = call.analysis === null ? {} : (JSON.parse(call.analysis) as Partial<CallAnalysis>);
  return [...Object.values(PLAIN).map((column) => cell(column(call))), ...outputs.map((name) => cell(data[name]))];
}

function cell(value: unknown): unknown {
  const plain = value !== null && typeof value === 'object' ? JSON.stringify(value) : value;
  return typeof plain === 'string' ? plain.replace(INNER_FORMULA, "$1'") : plain;
}
