// The available voices, grouped by language, each with an audible sample.

import { useId, useState } from 'preact/hooks';
import type { Voice } from '../../api-types.ts';
import { remembered } from '../../entered.ts';
import { formatLanguage } from '../../format.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { Badge, Notice } from '../../ui/layout.tsx';
import { SEARCHED_FROM } from '../../ui/searched.ts';
import { t, words } from '../../words/words.ts';
import { VoicePreview } from './voice-preview.tsx';

const GENDERS = { female: words('Female'), male: words('Male'), neutral: words('Neutral') };

export function VoicePicker({
  voices,
  value,
  onChange,
  fault,
}: {
  voices: readonly Voice[];
  value: string;
  onChange: (voice: Voice) => void;
  fault?: string | undefined;
}) {
  const [search, setSearch] = useState('');
  const name = useId();
  const wanted = search.trim().toLowerCase();
  const found = voices.filter(({ id, name, language, gender, engine }) =>
    [id, name, language, formatLanguage(language), gender, engine].join(' ').toLowerCase().includes(wanted),
  );
  const isMissing = value !== '' && !voices.some(({ id }) => id === value);
  return (
    <fieldset class="stack tight">
      <legend class="legend">{t('Voice')}</legend>
      {isMissing && (
        <Notice tone="warn">
          {t(
            'The voice {value} cannot be had at the moment. Calls are spoken by the built-in voice until it is back, or until you choose another.',
            { value },
          )}
        </Notice>
      )}
      {voices.length >= SEARCHED_FROM && (
        <TextField
          label={t('Search voices')}
          type="search"
          value={search}
          onChange={setSearch}
          placeholder={t('Language, name')}
        />
      )}
      <div class="voices">
        {found.length === 0 && <p class="soft">{t('No voice fits.')}</p>}
        {[...groupsOf(found)].map(([language, group]) => (
          <fieldset key={language} aria-label={formatLanguage(language)}>
            <h3>{formatLanguage(language)}</h3>
            {group.map((voice) => (
              <div class="voice" key={voice.id}>
                <label>
                  <input
                    type="radio"
                    name={name}
                    ref={remembered()}
                    checked={voice.id === value}
                    onChange={() => onChange(voice)}
                    aria-invalid={fault !== undefined}
                  />
                  <span>
                    {voice.name} <span class="small soft">{`${t(GENDERS[voice.gender])}, ${voice.engine}`}</span>
                  </span>
                  {voice.isDefault && <Badge>{t('Default')}</Badge>}
                </label>
                <VoicePreview voiceId={voice.id} isSmall label={t('Listen to {name}', { name: voice.name })} />
              </div>
            ))}
          </fieldset>
        ))}
      </div>
      {fault !== undefined && (
        <span class="fault" role="alert">
          {fault}
        </span>
      )}
    </fieldset>
  );
}

function groupsOf(voices: readonly Voice[]): Map<string, Voice[]> {
  const groups = new Map<string, Voice[]>();
  for (const voice of voices) groups.set(voice.language, [...(groups.get(voice.language) ?? []), voice]);
  return groups;
}
