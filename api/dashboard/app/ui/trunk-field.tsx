import type { ComponentChildren } from 'preact';
import { useAll } from '../use-all.ts';
import { Select } from './field.tsx';

/** A trunk of the installation, or none; for admins. */
export function TrunkField({
  label,
  hint,
  fault,
  none,
  except,
  value,
  onChange,
}: {
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  none: string;
  /** A trunk that is not offered. */
  except?: string | undefined;
  value: string | null;
  onChange: (trunkId: string | null) => void;
}) {
  const trunks = useAll('listTrunks');
  const known = (trunks.answer ?? [])
    .filter(({ id }) => id !== except)
    .map(({ id, name }) => ({ value: id, text: name }));
  const others = value === null || known.some((each) => each.value === value) ? [] : [{ value, text: value }];
  return (
    <Select
      label={label}
      hint={hint}
      fault={fault ?? trunks.error?.message}
      value={value ?? ''}
      onChange={(next) => onChange(next === '' ? null : next)}
      choices={[{ value: '', text: none }, ...others, ...known]}
    />
  );
}
