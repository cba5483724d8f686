// The commands that read calls: list, show.
import type { Call } from '../../typescript/types.ts';
import { wholeNumber } from '../arguments.ts';
import { byName } from '../by-name.ts';
import type { Command, Run } from '../command.ts';
import { Failure } from '../failure.ts';
import { clean } from '../output.ts';
import { clock, moment, parties, spoken, status } from './texts.ts';

const STATUSES = ['RINGING', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'VOICEMAIL', 'SCHEDULED'] as const;
const DIRECTIONS = ['inbound', 'outbound'] as const;
const AGO_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Of `calls tail` too. */
export const FILTERS = {
  campaign: { value: 'NAME', about: 'of a campaign, by name or id' },
  business: { value: 'NAME', about: 'of a business, by name or id' },
  direction: { value: 'WHICH', about: 'which way', choices: DIRECTIONS },
} as const;

export async function filters({ client, options }: Run) {
  const { campaign, business } = options;
  return {
    direction: options.direction as (typeof DIRECTIONS)[number] | undefined,
    campaignId: campaign && (await byName(client.campaigns.list(), campaign, 'campaign')).id,
    businessId: business && (await byName(client.businesses.list(), business, 'business')).id,
  };
}

/** `2h`, or a date. @throws {Failure} */
export function since(text: string | undefined, nowMs: number): string | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(nowMs - Number(count) * (AGO_MS[unit] ?? 0)).toISOString();
  if (Number.isNaN(Date.parse(text))) throw new Failure(`--since is like 30m, 2h, 7d or 2026-05-01, and not ${text}`);
  return text;
}

export const list: Command = {
  name: 'calls list',
  about: 'Lists calls, the newest first.',
  options: {
    ...FILTERS,
    status: { value: 'STATUS', about: 'in this status', choices: STATUSES },
    outcome: { value: 'OUTCOME', about: 'with this outcome: transferred, hung_up, …' },
    number: { value: 'NUMBER', about: 'with this number on either side' },
    since: { value: 'WHEN', about: 'begun since: 30m, 2h, 7d, or a date' },
    limit: { value: 'N', about: 'at most so many (default 20)' },
  },
  examples: [
    'voicectl calls list --since 2h',
    'voicectl calls list --campaign Recall --status FAILED --limit 100',
    `voicectl calls list --since 1d --json | jq -r '.[].summary'`,
  ],
  async run(run) {
    const { client, options, output, surroundings } = run;
    const query = {
      ...(await filters(run)),
      status: options.status as Call['status'] | undefined,
      ...{ outcome: options.outcome, number: options.number, startDate: since(options.since, surroundings.now()) },
    };
    const limit = wholeNumber(options.limit, 'limit', 20);
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const calls = await client.calls
      .list({ ...Object.fromEntries(given), limit: Math.min(limit, 100) || 1 })
      .all(limit);
    if (calls.length === 0) output.line('No calls.');
    else
      output.table(
        ['id', 'begun', 'number', 'status', 'length', 'about'],
        calls.map((call) => [
          call.id,
          moment(call.startedAt),
          parties(call),
          call.outcome === null ? call.status : `${call.status} (${call.outcome})`,
          clock(call.durationSeconds),
          call.summary ?? '',
        ]),
      );
    output.json(calls);
    return undefined;
  },
};

export const show: Command = {
  name: 'calls show',
  about: 'Shows a call with its words.',
  args: [{ name: 'ID', about: 'the id of the call' }],
  examples: ['voicectl calls show call_01h…', 'voicectl calls show call_01h… --json | jq .analysis'],
  async run({ client, args, output }) {
    const call = await client.calls.get(args.ID ?? '');
    const facts: Array<[string, string | null]> = [
      ['number', `${parties(call)}${call.callerName === null ? '' : ` (${call.callerName})`}`],
      ['begun', moment(call.startedAt)],
      ['length', clock(call.durationSeconds)],
      ['ended by', call.endReason],
      ['about', call.summary],
    ];
    output.line(`${output.style('bold', call.id)}  ${status(output, call)}`);
    for (const [name, value] of facts) if (value) output.line(`${output.style('dim', name.padEnd(9))} ${clean(value)}`);
    for (const [name, value] of Object.entries(call.analysis?.data ?? {}))
      output.line(`${output.style('dim', name)} ${clean(JSON.stringify(value))}`);
    if (call.transcript.length > 0) output.line();
    for (const entry of call.transcript) output.line(spoken(output, entry));
    output.json(call);
    return undefined;
  },
};
