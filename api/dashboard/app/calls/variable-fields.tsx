// A field for each placeholder of a campaign's texts that has no value.
import type { CampaignPreview } from '../api-types.ts';
import { TextField } from '../ui/fields/field.tsx';
import { t } from '../words/words.ts';

export type Variables = Record<string, string>;

export function VariableFields({
  preview,
  variables,
  onChange,
}: {
  preview: CampaignPreview;
  variables: Variables;
  onChange: (variables: Variables) => void;
}) {
  if (preview.missing.length === 0) {
    return (
      <p>
        {t('It will begin with:')} <q>{preview.greeting}</q>
      </p>
    );
  }
  return (
    <>
      <p>{t('The texts of this campaign have places for these. What is left empty stays empty.')}</p>
      <div class="columns">
        {preview.missing.map((name) => (
          <TextField
            key={name}
            label={name}
            value={variables[name] ?? ''}
            onChange={(value) => onChange({ ...variables, [name]: value })}
          />
        ))}
      </div>
    </>
  );
}

/** The variables that have a value. */
export const filledVariables = (variables: Variables): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
