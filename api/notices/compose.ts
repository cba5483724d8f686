// Puts a message together in the reader's language, a call in full or several with a line each: as the text of a mail,
// for Slack, for Teams, and as JSON. Pure. What callers said or call themselves stands behind a label, on one line, so
// that it makes neither a header nor a link nor mark-up.
import { MICRO } from '../../db/domain/alerts/metrics.ts';
import type { NoticeKind } from '../../db/domain/notices/rules.ts';
import { isoTime } from '../../db/records/resources.ts';
import { CALL_LETTERS, type CallEnding, type CallLetters } from '../mail/call-letters.ts';
import { filledText } from '../mail/letters.ts';
import type { MailLanguage } from '../mail/mail-language.ts';
import { quotedName } from '../mail/quoted-name.ts';
import { alertAbout, alertLine, alertLines } from './alert-words.ts';
import type { Told } from './facts.ts';

export interface Subject {
  /** `id`: null: of none, or of all of an account. */
  business: { id: string | null; name: string; timezone: string };
  /** The dashboard's page where it is set who is told. */
  settingsAt: string;
  language: MailLanguage;
  /** Of the dashboard. */
  publicUrl: string;
  /** At most LINES_MAX. */
  told: readonly Told[];
  /** Calls that it tells of beside these. */
  more?: number;
  isExample?: boolean;
}

interface Message {
  subject: string;
  lines: string[];
  /** Each with the words before it. */
  links: Array<{ words: string; url: string }>;
}

/** Lines of a digest. */
export const LINES_MAX = 100;
const TEXT_CHARACTERS_MAX = 1_500;
const LINE_CHARACTERS_MAX = 160;
const VALUE_CHARACTERS_MAX = 200;

export function composeMessage(of: Subject): Message {
  const { business, language, publicUrl, told, more = 0, isExample = false } = of;
  const words = CALL_LETTERS[language];
  const [first] = told;
  const links: Message['links'] = [];
  const lines: string[] = isExample ? [words.example] : [];
  let about = filledText(words.digest, { count: String(told.length + more) });
  if (first !== undefined && told.length === 1 && more === 0) {
    about = first.alert === undefined ? subjectOf(first, words) : alertAbout(first.alert, language);
    lines.push(...inFull(first, of, words));
    if (first.calendar !== undefined)
      links.push({ words: words.labels.calendar, url: `${publicUrl}/#/businesses/${business.id}?tab=appointments` });
    if (first.callId !== null) links.push({ words: words.link, url: `${publicUrl}/#/calls/${first.callId}` });
  } else {
    lines.push(...told.map((each) => inShort(each, of, words)));
    const before = more > 0 ? filledText(words.more, { count: String(more) }) : words.list;
    const filter = business.id === null ? '' : `?businessId=${business.id}`;
    links.push({ words: before, url: `${publicUrl}/#/calls${filter}` });
  }
  links.push({ words: words.footer, url: `${publicUrl}/#${of.settingsAt}` });
  const name = quotedName(business.name);
  return { subject: name === '' ? about : `${about} · ${name}`, lines, links };
}

function subjectOf(told: Told, words: CallLetters): string {
  const { kinds, call, change, calendar } = told;
  const { labels, colon } = words;
  if (calendar !== undefined) return `${labels.calendar}${colon}${quotedName(calendar.name)}`;
  if (change !== undefined) return `${labels[LABELS[change.deed]]}${colon}${whoOf(told, words)}`;
  const has = (kind: NoticeKind) => kinds.includes(kind);
  const side = call?.direction === 'outbound' ? 'outbound' : 'inbound';
  const kind = has('agent_failed')
    ? 'agent_failed'
    : has('call_missed')
      ? 'missed'
      : has('callback')
        ? 'callback'
        : has('appointment')
          ? 'appointment'
          : side;
  return filledText(words.subjects[kind], { who: whoOf(told, words) });
}

/** By what was done to an appointment. */
const LABELS = { moved: 'moved', cancelled: 'cancelled', booked: 'appointment' } as const;

/** Name and number of the other side. */
function whoOf({ call, isFromWeb, isUnnamed, appointments }: Told, words: CallLetters): string {
  if (isUnnamed) return words.somebody;
  const [booked] = appointments;
  const name = quotedName(call?.callerName ?? booked?.name ?? '');
  const number =
    call === null ? (booked?.phone ?? '') : call.direction === 'outbound' ? call.toNumber : call.fromNumber;
  const shown = /^\+?\d{1,20}$/.test(number) ? number : '';
  if (name !== '' && shown !== '') return `${name}, ${shown}`;
  if (name !== '' || shown !== '') return name || shown;
  return isFromWeb ? words.browser : words.withheld;
}

function endingOf({ call, isAnswered }: Told): CallEnding {
  if (call === null) return 'running';
  if (!isAnswered) return 'missed';
  switch (call.outcome) {
    case 'transferred':
    case 'agent_failed':
    case 'hung_up':
    case 'no_response':
      return call.outcome;
    case 'voicemail':
    case 'voicemail_left':
      return 'voicemail';
    default:
      return 'completed';
  }
}

function inFull(told: Told, { business, language }: Subject, words: CallLetters): string[] {
  const { labels } = words;
  const { call, appointments, callback, results } = told;
  const time = (at: number | string) => timeText(at, language, business.timezone);
  const lines: string[] = [];
  const add = (label: string, text: string | null | undefined): void => {
    if (text) lines.push(`${label}${words.colon}${text}`);
  };
  if (told.alert !== undefined) return alertLines(told.alert, language, time(told.alert.at));
  if (told.calendar !== undefined) return [oneLine(told.calendar.error, TEXT_CHARACTERS_MAX)];
  add(call?.direction === 'outbound' ? labels.called : labels.caller, told.isUnnamed ? null : whoOf(told, words));
  add(labels.began, call && time(call.startedAt));
  add(labels.lasted, call && told.isAnswered ? lengthText(call.durationSeconds) : null);
  add(labels.ended, told.change === undefined ? words.endings[endingOf(told)] : null);
  add(labels.summary, call?.summary && oneLine(call.summary, TEXT_CHARACTERS_MAX));
  for (const { service, startsAt, name } of appointments) {
    const parts = [time(startsAt), service === null ? '' : oneLine(service), quotedName(name ?? '')];
    add(labels[LABELS[told.change?.deed ?? 'booked']], parts.filter((part) => part !== '').join(', '));
  }
  add(labels.before, told.change?.deed === 'moved' ? time(told.change.before) : null);
  if (callback !== null) {
    const reason = callback.reason === null ? '' : `, ${oneLine(callback.reason)}`;
    add(labels.callback, `${time(callback.at)}${reason}`);
  }
  for (const [name, value] of Object.entries(results?.data ?? {})) add(oneLine(name), valueText(value, words));
  for (const [name, value] of Object.entries(results?.criteria ?? {})) add(oneLine(name), valueText(value, words));
  return lines;
}

function inShort(told: Told, { business, language }: Subject, words: CallLetters): string {
  const { call, appointments, callback, change, calendar } = told;
  const [booked] = appointments;
  const { labels, colon } = words;
  if (calendar !== undefined) return `${labels.calendar}${colon}${quotedName(calendar.name)}`;
  const time = (at: number | string) => timeText(at, language, business.timezone);
  if (told.alert !== undefined) return alertLine(told.alert, language, time(told.alert.at));
  const summary = call?.summary ? oneLine(call.summary, LINE_CHARACTERS_MAX) : '';
  const ending = endingOf(told);
  const parts = [
    call === null ? '' : time(call.startedAt),
    told.isUnnamed ? '' : whoOf(told, words),
    change !== undefined || (ending === 'completed' && summary !== '') ? '' : words.endings[ending],
    summary,
    booked === undefined ? '' : `${labels[LABELS[change?.deed ?? 'booked']]}${colon}${time(booked.startsAt)}`,
    callback === null ? '' : `${labels.callback}${colon}${time(callback.at)}`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function valueText(value: unknown, words: CallLetters): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

function oneLine(text: string, charactersMax = VALUE_CHARACTERS_MAX): string {
  const line = text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
  return line.length <= charactersMax ? line : `${line.slice(0, charactersMax).toWellFormed()}…`;
}

const timeText = (at: number | string, language: MailLanguage, timeZone: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(at));

const lengthText = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;

/** A link has a line of its own. */
export const mailText = ({ lines, links }: Message): string =>
  `${[lines.join('\n'), ...links.map(({ words, url }) => `${words}\n\n${url}`)].join('\n\n')}\n`;

/** Slack reads `<!channel>` and `<address|words>` in a text; behind entities they are words. */
export function slackBody({ subject, lines, links }: Message): string {
  const text = [subject, '', ...lines, '', ...links.map(({ words, url }) => `${words} ${url}`)].join('\n');
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return JSON.stringify({ text: escaped, mrkdwn: false, unfurl_links: false });
}

/** An adaptive card, as workflows of Teams take it; a run of rich text is read without Markdown. */
export function teamsBody({ subject, lines, links }: Message): string {
  const line = (text: string, style: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...style }],
  });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [line(subject, { weight: 'Bolder', size: 'Medium' }), ...lines.map((text) => line(text))],
    actions: links.map(({ words, url }) => ({ type: 'Action.OpenUrl', title: words, url })),
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return JSON.stringify({ type: 'message', attachments: [{ contentType, contentUrl: null, content }] });
}

/** With numbers as the rule has them. */
const alertData = ({ threshold, value, at, ...alert }: NonNullable<Told['alert']>) => ({
  ...alert,
  threshold: threshold / MICRO,
  value: value === null ? null : value / MICRO,
  at: isoTime(at),
});

/** `data` of a message to a system: the facts, for programs. */
export function webhookData({ business, publicUrl, told, more = 0, isExample = false }: Subject): string {
  const notices = told.map(({ kinds, callId, call, appointments, change, calendar, alert, callback, results }) => ({
    on: kinds,
    callId,
    url: callId === null ? null : `${publicUrl}/#/calls/${callId}`,
    direction: call?.direction ?? null,
    from: call?.fromNumber ?? null,
    to: call?.toNumber ?? null,
    callerName: call?.callerName ?? null,
    startedAt: call?.startedAt ?? null,
    durationSeconds: call?.durationSeconds ?? null,
    outcome: call?.outcome ?? null,
    summary: call?.summary ?? null,
    results: results === null ? null : { data: results.data, criteria: results.criteria },
    appointments,
    ...(change === undefined ? {} : { change }),
    ...(calendar === undefined ? {} : { calendar }),
    ...(alert === undefined ? {} : { alert: alertData(alert) }),
    callback: callback && { at: isoTime(callback.at), reason: callback.reason },
  }));
  return JSON.stringify({ businessId: business.id, business: business.name, isExample, notices, more });
}
