// Form fields that choose a record of a list by its name.
import type { ComponentChildren } from 'preact';
import { useAll } from '../../use-all.ts';
import { type Choice, Select } from './field.tsx';

/** A record of a list, or none. */
function RecordField({
  of,
  special = [],
  except,
  label,
  hint,
  fault,
  none,
  value,
  onChange,
}: RecordFieldProps & {
  of: 'listCampaigns' | 'listTrunks' | 'listBusinesses' | 'listAgents';
}) {
  const { answer, error } = useAll(of);
  const listed: ReadonlyArray<{ id: string; name: string }> = answer ?? [];
  const known = [
    ...special,
    ...listed.filter(({ id }) => id !== except).map(({ id, name }) => ({ value: id, text: name })),
  ];
  // A set value is shown before the list is there.
  const others = value === null || known.some((each) => each.value === value) ? [] : [{ value, text: value }];
  return (
    <Select
      label={label}
      hint={hint}
      fault={fault ?? error?.message}
      value={value ?? ''}
      onChange={(next) => onChange(next === '' ? null : next)}
      choices={[{ value: '', text: none }, ...others, ...known]}
    />
  );
}

interface RecordFieldProps {
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  /** The meaning of no record here. */
  none: string;
  /** Choices beside the records. */
  special?: ReadonlyArray<Choice<string>>;
  /** A record that is not offered. */
  except?: string | undefined;
  value: string | null;
  onChange: (id: string | null) => void;
}

/** A campaign of the account, or none. */
export const CampaignField = (props: RecordFieldProps) => <RecordField of="listCampaigns" {...props} />;

/** A trunk of the installation, or none; for admins. */
export const TrunkField = (props: RecordFieldProps) => <RecordField of="listTrunks" {...props} />;

/** A business of the account, or none. */
export const BusinessField = (props: RecordFieldProps) => <RecordField of="listBusinesses" {...props} />;

/** An agent of the account, or none. */
export const AgentField = (props: RecordFieldProps) => <RecordField of="listAgents" {...props} />;
