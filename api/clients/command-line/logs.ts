// The command that shows what happened as lines, oldest first: the events of one call with what became of them at each
// webhook, or what went wrong in the account. Nothing of the API tells of both, so it asks for each and puts them in
// order.
import type { Call, CallEvent } from '../typescript/types.ts';
import { since } from './calls/list.ts';
import { looked } from './calls/tail.ts';
import { clock, moment, parties } from './calls/texts.ts';
import type { Command, Run } from './command.ts';
import { EXIT } from './failure.ts';
import { clean, type Style } from './output.ts';

const LOOK_EVERY_MS = 2_000;
/** After a call's end: webhooks are told of it a moment later. */
const LAST_LOOKS = 3;
const SINCE = '1d';
/** Of each source. */
const LINES_MAX = 500;
const AGENT_FAILED = 'agent_failed';
const RUNNING: ReadonlySet<string> = new Set(['SCHEDULED', 'RINGING', 'IN_PROGRESS']);

interface Entry {
  /** By it the second look passes over what the first has shown. */
  key: string;
  at: string;
  what: string;
  about: string;
  style?: Style;
  /** The record of the API, for --json. */
  record: object;
}

export const logs: Command = {
  name: 'logs',
  about: 'Shows the events of a call, or what went wrong: failed calls, webhooks, alerts. Exit code 1: something did.',
  args: [{ name: 'ID', about: 'of a call, all of its events', isOptional: true }],
  options: {
    follow: { about: 'goes on with what comes: of a call until its end, else until you end it (Ctrl-C)' },
    since: { value: 'WHEN', about: `without a call: since 30m, 2h, 7d, or a date (default ${SINCE})` },
  },
  examples: [
    'voicectl logs call_01h…',
    'voicectl logs call_01h… --follow',
    'voicectl logs --since 1h || echo "something went wrong"',
    'voicectl logs --follow --json | jq -r .what',
  ],
  async run(run) {
    const { args, options, has, surroundings } = run;
    const { ID } = args;
    const from = since(options.since ?? SINCE, surroundings.now()) ?? '';
    const shown = new Set<string>();
    for (let lastLooks = LAST_LOOKS; ; ) {
      // The call first: what happens between both looks is in the events.
      const call = ID === undefined ? null : await looked(run, () => run.client.calls.get(ID));
      const entries = await looked(run, () => (ID === undefined ? problems(run, from) : eventsOf(run, ID)));
      for (const entry of entries) if (!shown.has(entry.key)) show(run, entry);
      for (const { key } of entries) shown.add(key);
      const isOver = call !== null && !RUNNING.has(call.status);
      if (has('follow') && !(isOver && lastLooks-- === 0)) {
        await surroundings.pause(LOOK_EVERY_MS);
        continue;
      }
      const isWell = call === null ? shown.size === 0 : call.status !== 'FAILED' && call.outcome !== AGENT_FAILED;
      if (shown.size === 0) run.output.line(call === null ? 'Nothing went wrong.' : 'No events are kept of it.');
      return isWell ? EXIT.done : EXIT.negative;
    }
  },
};

function show({ output }: Run, { key: _key, style, record, ...entry }: Entry): void {
  const what = entry.what.padEnd(16);
  const seconds = String(new Date(entry.at).getSeconds()).padStart(2, '0');
  const at = output.style('dim', `${moment(entry.at)}:${seconds}`);
  output.line(`${at}  ${style === undefined ? what : output.style(style, what)}  ${clean(entry.about)}`.trimEnd());
  output.jsonLine({ ...entry, record });
}

/** An event, and each try of a webhook that was told of it. */
async function eventsOf({ client }: Run, id: string): Promise<Entry[]> {
  const events = await client.calls.listEvents(id, { limit: 100 }).all(LINES_MAX);
  return inOrder(events.flatMap((event) => [happened(event), ...event.deliveries.map((each) => told(event, each))]));
}

const happened = (event: CallEvent): Entry => ({
  ...{ key: event.id, at: event.createdAt, what: event.type, about: '' },
  record: event,
});

function told({ type }: CallEvent, delivery: CallEvent['deliveries'][number]): Entry {
  const { id, at, url, attempt, success, statusCode, error, nextRetryAt } = delivery;
  const about = `${url} ${tryOf({ type, attempt, success, statusCode, error, nextRetryAt })}`;
  return { key: id, at, what: 'webhook', about, style: success ? 'green' : 'red', record: delivery };
}

interface Try {
  type: string;
  attempt: number;
  success: boolean;
  statusCode: number | null;
  error: string | null;
  nextRetryAt: string | null;
}

function tryOf({ type, attempt, success, statusCode, error, nextRetryAt }: Try): string {
  const result = statusCode === null ? (error ?? 'no answer') : String(statusCode);
  const next = success || nextRetryAt === null ? '' : `, again ${moment(nextRetryAt)}`;
  return `${type}: ${result}${attempt > 1 ? ` at try ${attempt}` : ''}${next}`;
}

async function problems(run: Run, from: string): Promise<Entry[]> {
  return inOrder([
    ...(await failedCalls(run, from)),
    ...(await failedWebhooks(run, from)),
    ...(await alerts(run, from)),
  ]);
}

/** Calls that did not come off, and those that the agent left without an answer: these are COMPLETED. */
async function failedCalls({ client }: Run, startDate: string): Promise<Entry[]> {
  const failed = await client.calls.list({ status: 'FAILED', startDate, limit: 100 }).all(LINES_MAX);
  const unanswered = await client.calls.list({ outcome: AGENT_FAILED, startDate, limit: 100 }).all(LINES_MAX);
  const others = unanswered.filter((call) => call.status !== 'FAILED');
  return [
    ...failed.map((call) => failure(call, 'call failed')),
    ...others.map((call) => failure(call, 'agent failed')),
  ];
}

const failure = (call: Call, what: string): Entry => ({
  ...{ key: call.id, at: call.endedAt ?? call.startedAt, what, style: 'red' as const, record: call },
  about: `${call.id} ${parties(call)} ${call.endReason ?? ''} after ${clock(call.durationSeconds)}`,
});

async function failedWebhooks({ client }: Run, from: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const { id, url } of await client.webhooks.list().all(LINES_MAX))
    for await (const delivery of client.webhooks.listDeliveries(id, { success: false, limit: 100 })) {
      if (delivery.createdAt < from || entries.length >= LINES_MAX) break;
      const about = `${url} ${tryOf({ ...delivery, type: delivery.eventType })}`;
      entries.push({
        key: delivery.id,
        at: delivery.createdAt,
        what: 'webhook',
        about,
        style: 'red',
        record: delivery,
      });
    }
  return entries;
}

async function alerts({ client }: Run, from: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const { id, name } of await client.alerts.listRules().all(LINES_MAX))
    for await (const firing of client.alerts.listFirings(id, { limit: 100 })) {
      if (firing.createdAt < from || entries.length >= LINES_MAX) break;
      const { metric, value, comparison, limit, windowMinutes, endedAt } = firing;
      const about = `${name}: ${metric} ${value} is ${comparison} ${limit} over ${windowMinutes} min`;
      const till = endedAt === null ? '' : `, until ${moment(endedAt)}`;
      const entry = { key: firing.id, at: firing.createdAt, what: 'alert', about: about + till };
      entries.push({ ...entry, style: 'yellow', record: firing });
    }
  return entries;
}

const inOrder = (entries: Entry[]): Entry[] => entries.sort((a, b) => a.at.localeCompare(b.at));
