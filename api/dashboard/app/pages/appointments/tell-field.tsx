// Whether the person is told by text of what is done with their appointment; asked where texts are set up.
import type { Business } from '../../api-types.ts';
import { Checkbox } from '../../ui/fields/field.tsx';
import { t } from '../../words/words.ts';

/** Of a booking, or of a change; null: no text can go. */
export function toldByDefault(
  business: Pick<Business, 'appointmentTexts'> | undefined,
  phone: string | null,
  kind: 'confirm' | 'changes',
): boolean | null {
  const texts = business?.appointmentTexts ?? null;
  return texts === null || phone === null || phone.trim() === '' ? null : texts[kind];
}

export function TellField({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) {
  return (
    <Checkbox
      label={t('Tell them by text')}
      hint={t('Between 8 and 21 where they are; not where a caller named the number of somebody else.')}
      value={value}
      onChange={onChange}
    />
  );
}
