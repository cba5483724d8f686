// An alert in the reader's language: the subject of its message, all that is known of it, and its line in a digest.
import { ALERT_UNITS, type AlertMetric, MICRO } from '../../db/domain/alerts/metrics.ts';
import { ALERT_LETTERS } from '../mail/alert-letters.ts';
import { CALL_LETTERS } from '../mail/call-letters.ts';
import { filledText } from '../mail/letters.ts';
import type { MailLanguage } from '../mail/mail-language.ts';
import { quotedName } from '../mail/quoted-name.ts';
import type { AlertTold } from './facts.ts';

export function alertAbout({ metric, isOver }: AlertTold, language: MailLanguage): string {
  const words = ALERT_LETTERS[language];
  return filledText(isOver ? words.over : words.fires, { name: words.metrics[metric] });
}

export function alertLines(alert: AlertTold, language: MailLanguage, at: string): string[] {
  const { labels, metrics, limit } = ALERT_LETTERS[language];
  const { colon } = CALL_LETTERS[language];
  const threshold = filledText(limit[alert.comparison], { value: figureText(alert.metric, alert.threshold, language) });
  return [
    `${labels.rule}${colon}${quotedName(alert.name)}`,
    `${labels.when}${colon}${at}`,
    `${labels.figure}${colon}${metrics[alert.metric]}, ${valueText(alert, language)}`,
    `${labels.limit}${colon}${threshold}`,
  ];
}

export const alertLine = (alert: AlertTold, language: MailLanguage, at: string): string =>
  [at, alertAbout(alert, language), valueText(alert, language)].join(' · ');

function valueText({ metric, value, calls, windowMinutes }: AlertTold, language: MailLanguage): string {
  const words = ALERT_LETTERS[language];
  if (value === null) return words.unknown;
  const figure = figureText(metric, value, language);
  return filledText(words.value, { value: figure, calls: String(calls), window: String(windowMinutes) });
}

/** `value`: millionths. */
function figureText(metric: AlertMetric, value: number, language: MailLanguage): string {
  const number = value / MICRO;
  const text = (options: Intl.NumberFormatOptions): string => new Intl.NumberFormat(language, options).format(number);
  switch (ALERT_UNITS[metric]) {
    case 'share':
      return text({ style: 'percent', maximumFractionDigits: 1 });
    case 'ms':
      return `${text({ maximumFractionDigits: 0 })} ms`;
    case 'money':
      return text({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
    case 'count':
    case 'minutes':
      return text({ maximumFractionDigits: 1 });
  }
}
