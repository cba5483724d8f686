// Filters of a list, and the ones in use as chips, each of which a press takes away. The address contains their values,
// and a change opens the first page again.
import { formatDay } from '../format.ts';
import { link, route, setQuery } from '../router.ts';
import { t } from '../words/words.ts';
import { ButtonLink } from './button.tsx';
import { type Choice, Select, TextField } from './fields/field.tsx';
import { Icon } from './icon.tsx';

/** A filter by one of some values. */
export interface ChoiceFilter {
  /** In the address. */
  name: string;
  label: string;
  choices: Iterable<readonly [value: string, text: string]>;
  /** Of their texts, where they are names as in a program. */
  lang?: 'en';
}

export function Filter({ name, label, choices, lang }: ChoiceFilter) {
  const value = route.value.query.get(name) ?? '';
  const all: Choice<string>[] = [{ value: '', text: t('All') }];
  for (const [each, text] of choices) all.push({ value: each, text, ...(lang ? { lang } : {}) });
  // Keeps a link's value that is no longer among the choices.
  if (!all.some((choice) => choice.value === value)) all.push({ value, text: value });
  return (
    <Select
      label={label}
      value={value}
      choices={all}
      onChange={(next) => setQuery({ [name]: next, page: undefined })}
    />
  );
}

/** The first and the last day, as `from` and `to`. */
export function DayFilters() {
  const { query } = route.value;
  const from = query.get('from') ?? '';
  const to = query.get('to') ?? '';
  return (
    <>
      <TextField
        label={t('From')}
        type="date"
        value={from}
        max={to || undefined}
        onChange={(next) => setQuery({ from: next, page: undefined })}
      />
      <TextField
        label={t('To')}
        type="date"
        value={to}
        min={from || undefined}
        onChange={(next) => setQuery({ to: next, page: undefined })}
      />
    </>
  );
}

/** A filter in use, in words. */
export interface Chip {
  /** In the address. */
  name: string;
  label: string;
  text: string;
}

export const chipsOf = (filters: readonly ChoiceFilter[]): Chip[] =>
  filters.flatMap(({ name, label, choices }) => {
    const value = route.value.query.get(name) ?? '';
    return value === '' ? [] : [{ name, label, text: new Map(choices).get(value) ?? value }];
  });

export const dayChips = (): Chip[] =>
  [
    { name: 'from', label: t('From') },
    { name: 'to', label: t('To') },
  ].flatMap(({ name, label }) => {
    const day = route.value.query.get(name) ?? '';
    return Number.isNaN(Date.parse(day)) ? [] : [{ name, label, text: formatDay(day) }];
  });

export function FilterChips({ chips }: { chips: readonly Chip[] }) {
  const { path, query } = route.value;
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label={t('Filters in use')}>
      {chips.map(({ name, label, text }) => (
        <li key={name}>
          <button
            type="button"
            class="chip"
            aria-label={t('Take away the filter {label}: {text}', { label, text })}
            onClick={({ currentTarget }) => {
              focusNeighbour(currentTarget);
              setQuery({ [name]: undefined, page: undefined });
            }}
          >
            <span class="soft">{label}</span> <span class="clipped">{text}</span>
            <Icon name="x" />
          </button>
        </li>
      ))}
      <li>
        <ButtonLink look="plain" isSmall href={link(path, { tab: query.get('tab') })}>
          {t('Clear filters')}
        </ButtonLink>
      </li>
    </ul>
  );
}

/** The chip goes with its focus: the next one gets it, and after the last the page's heading. */
function focusNeighbour(chip: HTMLElement): void {
  const item = chip.closest('li');
  const isLast = item?.parentElement?.childElementCount === 2;
  const next = item?.nextElementSibling?.querySelector<HTMLElement>('button, a');
  (isLast ? document.querySelector<HTMLElement>('main h1') : next)?.focus({ preventScroll: true });
}
