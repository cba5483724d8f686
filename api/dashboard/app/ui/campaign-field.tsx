import type { ComponentChildren } from 'preact';
import { useApi } from '../use-api.ts';
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
  /** What no campaign means here. */
  none: string;
  /** What may be chosen beside campaigns. */
  special?: ReadonlyArray<Choice<string>>;
  value: string | null;
  onChange: (campaignId: string | null) => void;
}) {
  const campaigns = useApi('listCampaigns', { query: { limit: 100 } });
  const campaignChoices = (campaigns.answer?.data ?? []).map(({ id, name }) => ({ value: id, text: name }));
  const known = [...special, ...campaignChoices];
  // What is set is shown before the list is there, and also where it is not on its first page.
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
