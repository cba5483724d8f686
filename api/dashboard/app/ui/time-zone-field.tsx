import type { ComponentChildren } from 'preact';
import { Select } from './field.tsx';

/** The zones that the browser knows, and the one that is set, which it may not know. */
export function TimeZoneField({
  label = 'Time zone',
  hint,
  fault,
  value,
  onChange,
}: {
  label?: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  value: string;
  onChange: (zone: string) => void;
}) {
  const zones = [...new Set(['UTC', value, ...Intl.supportedValuesOf('timeZone')])].filter(Boolean).sort();
  return (
    <Select
      label={label}
      hint={hint}
      fault={fault}
      value={value}
      onChange={onChange}
      choices={zones.map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') }))}
    />
  );
}
