// Filters of a list. The address contains their values, and a change opens the first page again.
import { route, setQuery } from '../router.ts';
import { type Choice, Select, TextField } from './fields/field.tsx';

export function Filter({
  name,
  label,
  choices,
}: {
  name: string;
  label: string;
  choices: Iterable<readonly [value: string, text: string]>;
}) {
  const value = route.value.query.get(name) ?? '';
  const all: Choice<string>[] = [{ value: '', text: 'All' }];
  for (const [each, text] of choices) all.push({ value: each, text });
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
        label="From"
        type="date"
        value={from}
        max={to || undefined}
        onChange={(next) => setQuery({ from: next, page: undefined })}
      />
      <TextField
        label="To"
        type="date"
        value={to}
        min={from || undefined}
        onChange={(next) => setQuery({ to: next, page: undefined })}
      />
    </>
  );
}
