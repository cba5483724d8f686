// Shows a change to people: for a list its removed and added items, for other fields the old and new value (`from` is
// null if there was none).
import { t } from '../words/words.ts';

type Difference = { kind: 'value'; from: string | null; to: string } | { kind: 'list'; out: string[]; into: string[] };

export function differenceOf(from: unknown, to: unknown): Difference {
  if (Array.isArray(from) || Array.isArray(to)) {
    const before = listOf(from);
    const after = listOf(to);
    return {
      kind: 'list',
      out: before.filter((item) => !after.includes(item)),
      into: after.filter((item) => !before.includes(item)),
    };
  }
  return { kind: 'value', from: isNothing(from) ? null : textOf(from), to: textOf(to) };
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(itemText) : []);

/** An entry of opening hours, services and FAQs in one line; anything else as JSON. */
function itemText(item: unknown): string {
  if (typeof item !== 'object' || item === null) return textOf(item);
  const entry = item as Record<string, unknown>;
  if (typeof entry.day === 'string') return `${entry.day} ${entry.open}–${entry.close}`;
  if (typeof entry.characters === 'number')
    return `${entry.name}, ${t('{count} characters', { count: entry.characters })}${typeof entry.textHash === 'string' ? ` (${entry.textHash.slice(0, 6)})` : ''}`;
  if (typeof entry.question === 'string')
    return typeof entry.answer === 'string' ? `${entry.question} – ${entry.answer}` : entry.question;
  if (typeof entry.name === 'string') {
    const details = [
      typeof entry.duration === 'number' ? t('{minutes} min', { minutes: entry.duration }) : '',
      typeof entry.price === 'number' ? String(entry.price) : '',
    ];
    return [entry.name, ...details.filter(Boolean)].join(', ');
  }
  return JSON.stringify(item);
}

const isNothing = (value: unknown): boolean => value === null || value === undefined || value === '';

function textOf(value: unknown): string {
  if (isNothing(value)) return t('nothing');
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
