// Which results of calls the list shows, and in which order: the user's own choice, stored in this browser.
import { signal } from '@preact/signals';
import type { Business, Campaign } from '../api-types.ts';
import { t, words } from '../words/words.ts';

const COLUMNS_KEY = 'voice.calls.columns';
const ORDER_KEY = 'voice.calls.order';

export const ORDERS = [
  ['-startedAt', words('Newest first')],
  ['startedAt', words('Oldest first')],
  ['-score', words('Best score first')],
  ['score', words('Worst score first')],
] as const;
export type Order = (typeof ORDERS)[number][0];

export const isOrder = (text: string | null): text is Order => ORDERS.some(([value]) => value === text);

/** `score`, `disposition`, and `data.NAME` for outputs. */
export const shownColumns = signal<readonly string[]>(storedColumns());

function storedColumns(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(COLUMNS_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string').slice(0, COLUMNS_MAX) : [];
  } catch {
    return [];
  }
}

/** More do not fit beside each other. */
const COLUMNS_MAX = 12;

export function showColumn(name: string, isShown: boolean): void {
  const others = shownColumns.value.filter((each) => each !== name);
  shownColumns.value = (isShown ? [...others, name] : others).slice(-COLUMNS_MAX);
  localStorage.setItem(COLUMNS_KEY, JSON.stringify(shownColumns.value));
}

const storedOrder = localStorage.getItem(ORDER_KEY);
export const chosenOrder = signal<Order>(isOrder(storedOrder) ? storedOrder : '-startedAt');

export function chooseOrder(order: Order): void {
  chosenOrder.value = order;
  localStorage.setItem(ORDER_KEY, order);
}

export type Output = Business['outputs'][number];

/** The outputs of all of them, each name once, in alphabetical order. */
export function outputsOfAll(
  records: ReadonlyArray<Pick<Business | Campaign, 'outputs'>> | null | undefined,
): ReadonlyMap<string, Output> {
  const all = (records ?? []).flatMap(({ outputs }) => outputs);
  return new Map(all.sort((a, b) => (a.name < b.name ? -1 : 1)).map((output) => [output.name, output]));
}

/** The values that an output can have, where its schema lists them. */
export function valuesOf({ schema }: Output): Array<[value: string, text: string]> | null {
  if (schema.type === 'boolean') {
    return [
      ['true', t('Yes')],
      ['false', t('No')],
    ];
  }
  if (!Array.isArray(schema.enum)) return null;
  return schema.enum.filter((each) => each !== null).map((each) => [String(each), String(each)]);
}
