// Shows a change to people: for a list its removed and added items, for a record the fields of it that changed, for
// others the old and new value (`from` is null if there was none).
import { noticeText } from '../notices/notice-words.ts';
import { t } from '../words/words.ts';
import { fieldName } from './field-names.ts';

type Difference =
  | { kind: 'value'; from: string | null; to: string }
  | { kind: 'list'; out: string[]; into: string[] }
  | { kind: 'record'; changes: Array<{ field: string; from: unknown; to: unknown }> };

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
  if (isRecord(to ?? from) && isRecord(from ?? to)) return { kind: 'record', changes: changedIn(from, to) };
  return { kind: 'value', from: isNothing(from) ? null : textOf(from), to: textOf(to) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function changedIn(from: unknown, to: unknown): Array<{ field: string; from: unknown; to: unknown }> {
  const [before, after] = [from, to].map((value) => (isRecord(value) ? value : {})) as [
    Record<string, unknown>,
    Record<string, unknown>,
  ];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ field, from: before[field] ?? null, to: after[field] ?? null }));
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(itemText) : []);

/** An entry of opening hours, services, FAQs and notices in one line; anything else field by field. */
function itemText(item: unknown): string {
  if (typeof item !== 'object' || item === null) return textOf(item);
  const entry = item as Record<string, unknown>;
  if (typeof entry.day === 'string') return `${entry.day} ${entry.open}–${entry.close}`;
  if (typeof entry.characters === 'number')
    return `${entry.name}, ${t('{count} characters', { count: entry.characters })}${typeof entry.textHash === 'string' ? ` (${entry.textHash.slice(0, 6)})` : ''}`;
  if (typeof entry.on === 'string' && typeof entry.by === 'string') return noticeText(entry);
  if (typeof entry.question === 'string')
    return typeof entry.answer === 'string' ? `${entry.question} – ${entry.answer}` : entry.question;
  if (typeof entry.name === 'string') {
    const details = [
      typeof entry.duration === 'number' ? t('{minutes} min', { minutes: entry.duration }) : '',
      typeof entry.price === 'number' ? String(entry.price) : '',
    ];
    const others = Object.entries(entry).filter(([field]) => !['name', 'duration', 'price'].includes(field));
    return [entry.name, ...details.filter(Boolean), ...others.flatMap(memberText)].join(', ');
  }
  return Object.entries(entry).flatMap(memberText).join(', ');
}

/** A member of an entry, which may have lists and records of its own; nothing where it says nothing. */
function memberText([field, value]: [string, unknown]): string[] {
  if (isNothing(value) || (Array.isArray(value) && value.length === 0)) return [];
  return [`${fieldName(field)}: ${textOf(value)}`];
}

const isNothing = (value: unknown): boolean => value === null || value === undefined || value === '';

function textOf(value: unknown): string {
  if (isNothing(value)) return t('nothing');
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (Array.isArray(value)) return value.map(itemText).join('; ');
  return isRecord(value) ? Object.entries(value).flatMap(memberText).join(', ') : String(value);
}
