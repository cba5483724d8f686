// A choice of one record from a list with descriptions.
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { remembered } from '../../entered.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { SEARCHED_FROM } from '../../ui/searched.ts';
import { t } from '../../words/words.ts';

interface ListedChoice {
  id: string;
  name: string;
  about: ComponentChildren;
  disabled?: boolean;
}

export function ChoiceList({
  label,
  choices,
  value,
  onChange,
  fault,
}: {
  label: string;
  choices: readonly ListedChoice[];
  value: string;
  onChange: (id: string) => void;
  fault?: string | undefined;
}) {
  const [search, setSearch] = useState('');
  const name = useId();
  const found = choices.filter((choice) => choice.name.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <fieldset class="stack tight" aria-label={label}>
      {choices.length >= SEARCHED_FROM && (
        <TextField label={t('Search by name')} type="search" value={search} onChange={setSearch} />
      )}
      <div class="choices">
        {found.map(({ id, name: text, about, disabled }) => (
          <label class="choice" key={id}>
            <input
              type="radio"
              name={name}
              ref={remembered()}
              checked={id === value}
              disabled={disabled}
              onChange={() => onChange(id)}
            />
            <span>
              {text}
              <span class="small soft choice-about">{about}</span>
            </span>
          </label>
        ))}
        {found.length === 0 && <p class="soft">{t('No name has that in it.')}</p>}
      </div>
      {fault !== undefined && (
        <span class="fault" role="alert">
          {fault}
        </span>
      )}
    </fieldset>
  );
}
