// The parts of a rule by which people are told of calls, in the words of its form.
import type { NoticeMessage, NoticeRule } from '../api-types.ts';
import { t, words } from '../words/words.ts';

export const CHANNEL_NAMES: Record<NoticeRule['by'], string> = {
  mail: words('Mail'),
  sms: words('Text message'),
  slack: 'Slack',
  teams: words('Microsoft Teams'),
  webhook: words('Another program'),
};

export const KIND_NAMES: Record<NoticeRule['on'], string> = {
  call_ended: words('A call has ended'),
  call_missed: words('A call was missed'),
  appointment: words('An appointment was booked, moved or cancelled'),
  callback: words('A call back was promised'),
  results: words('The results of a call are there'),
  agent_failed: words('The agent could not answer'),
  calendar: words('A calendar has to be opened again'),
};
export const NOTICE_NAMES: Record<NoticeMessage['on'][number], string> = { ...KIND_NAMES, alert: words('An alert') };
export const FILTERS = [
  { value: 'all', text: words('Every call') },
  { value: 'not_transferred', text: words('Only calls that no person took') },
] as const;
export const DETAILS = [
  { value: 'full', text: words('The caller, and what was said') },
  { value: 'link', text: words('Only a link, and no name') },
] as const;
export const TIMES = [
  { value: 'at_once', text: words('At once') },
  { value: 'hourly', text: words('Once an hour, together') },
  { value: 'daily', text: words('Once a day, together') },
] as const;

/** A rule in one line, of a record that may be of another version. */
export function noticeText(rule: Record<string, unknown>): string {
  const told = [
    `${wordOf(CHANNEL_NAMES, rule.by)} ${rule.to}`,
    choiceOf(TIMES, rule.when) + (rule.when === 'daily' ? ` ${rule.at}` : ''),
    ...(rule.filter === undefined || rule.filter === 'all' ? [] : [choiceOf(FILTERS, rule.filter)]),
    ...(rule.detail === undefined || rule.detail === 'full' ? [] : [choiceOf(DETAILS, rule.detail)]),
    ...quietText(rule.quiet),
  ];
  return `${wordOf(KIND_NAMES, rule.on)} – ${told.filter(Boolean).join(', ')}`;
}

function quietText(quiet: unknown): string[] {
  if (typeof quiet !== 'object' || quiet === null || !('from' in quiet) || !('to' in quiet)) return [];
  return [`${t('Not at night')} ${quiet.from}–${quiet.to}`];
}

function wordOf(names: Readonly<Record<string, string>>, value: unknown): string {
  const name = names[String(value)];
  return name === undefined ? String(value) : t(name);
}

function choiceOf(choices: ReadonlyArray<{ value: string; text: string }>, value: unknown): string {
  const text = choices.find((choice) => choice.value === value)?.text;
  return text === undefined ? String(value ?? '') : t(text);
}
