import type { ComponentChildren } from 'preact';
import { useAll } from '../use-all.ts';
import { type Choice, Select } from './field.tsx';

/** A campaign of the account, or none. */
export function CampaignField({
  label,
  hint,
  fault,
  none,
  special = [],
  value,
  onChange,
}: {
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  /** The text for no campaign. */
  none: string;
  /** Further choices. */
  special?: ReadonlyArray<Choice<string>>;
  value: string | null;
  onChange: (campaignId: string | null) => void;
}) {
  const campaigns = useAll('listCampaigns');
  const campaignChoices = (campaigns.answer ?? []).map(({ id, name }) => ({ value: id, text: name }));
  const known = [...special, ...campaignChoices];
  // The current value is shown before the list is loaded.
  const others = value === null || known.some((each) => each.value === value) ? [] : [{ value, text: value }];
  return (
    <Select
      label={label}
      hint={hint}
      fault={fault ?? campaigns.error?.message}
      value={value ?? ''}
      onChange={(next) => onChange(next === '' ? null : next)}
      choices={[{ value: '', text: none }, ...others, ...known]}
    />
  );
}
