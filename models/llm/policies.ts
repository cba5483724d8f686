// A business's policies as a model and the receptionist read them. A policy is a sentence, or `{title, text}`; other
// objects, which the interface allows, are read by their members.

import { POLICY_CHARACTERS_MAX } from '../../db/domain/field-limits.ts';

export interface Policy {
  title: string | null;
  text: string;
}

/** Deeper is nothing that anybody says, and longer nothing: each turn of a call reads all of them. */
const LEVELS_READ = 4;
const MEMBERS_READ = 50;
const TEXT_NAMES = ['text', 'description', 'content', 'policy', 'body', 'answer'];
const TITLE_NAMES = ['title', 'name', 'topic', 'question'];

export const policiesOf = (stored: readonly unknown[]): Policy[] =>
  stored.map(policyOf).filter(({ text }) => text.trim() !== '');

function policyOf(stored: unknown): Policy {
  if (typeof stored === 'string') return { title: null, text: stored };
  if (stored === null || typeof stored !== 'object') return { title: null, text: '' };
  const members = stored as Record<string, unknown>;
  const named = (names: readonly string[]) =>
    names.map((name) => members[name]).find((value) => typeof value === 'string' && value.trim() !== '') as
      | string
      | undefined;
  const text = named(TEXT_NAMES);
  const title = named(TITLE_NAMES) ?? null;
  if (text !== undefined) return cut({ title, text });
  // Nobody speaks JSON: `{cancellation: "24 hours before"}` is "cancellation: 24 hours before".
  const others = Object.entries(members)
    .filter(([, value]) => value !== title)
    .slice(0, MEMBERS_READ);
  const said = others.map(([name, value]) => `${spaced(name)}: ${valueText(value)}`);
  return cut({ title: title ?? (others.map(([name]) => spaced(name)).join(', ') || null), text: said.join('; ') });
}

const cut = ({ title, text }: Policy): Policy => ({
  title: title === null ? null : title.slice(0, POLICY_CHARACTERS_MAX),
  text: text.slice(0, POLICY_CHARACTERS_MAX),
});

const spaced = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();

function valueText(value: unknown, level = 1): string {
  if (value === null || typeof value !== 'object') return String(value);
  if (level > LEVELS_READ) return '';
  if (Array.isArray(value))
    return value
      .slice(0, MEMBERS_READ)
      .map((item) => valueText(item, level + 1))
      .join(', ');
  return Object.entries(value)
    .slice(0, MEMBERS_READ)
    .map(([name, item]) => `${spaced(name)} ${valueText(item, level + 1)}`)
    .join(', ');
}
