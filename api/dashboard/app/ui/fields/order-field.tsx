// The form field for values whose order matters.
import type { ComponentChildren } from 'preact';
import { t } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { Checkbox } from './field.tsx';
import { Fieldset } from './fieldset.tsx';

/** An ordered choice of several values: chosen ones come first and can be moved up. */
export function OrderField<T extends string>({
  label,
  hint,
  fault,
  value,
  choices,
  onChange,
}: {
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  value: readonly T[];
  choices: ReadonlyArray<{ value: T; text: string; hint?: string }>;
  onChange: (value: T[]) => void;
}) {
  const chosen = value.flatMap((each) => choices.filter((choice) => choice.value === each));
  const others = choices.filter((choice) => !value.includes(choice.value));
  const moveUp = (index: number) => {
    const next = [...value];
    next.splice(index - 1, 0, ...next.splice(index, 1));
    onChange(next);
  };
  return (
    <Fieldset title={label} hint={hint} fault={fault}>
      {[...chosen, ...others].map((choice, index) => {
        const isChosen = index < chosen.length;
        return (
          <div class="row spread" key={choice.value}>
            <Checkbox
              label={choice.text}
              hint={choice.hint}
              value={isChosen}
              onChange={(isOn) =>
                onChange(isOn ? [...value, choice.value] : value.filter((one) => one !== choice.value))
              }
            />
            {isChosen && index > 0 && (
              <Button
                isSmall
                look="plain"
                onClick={() => moveUp(index)}
                label={t('Move up {text}', { text: choice.text })}
              >
                {t('Move up')}
              </Button>
            )}
          </div>
        );
      })}
    </Fieldset>
  );
}
