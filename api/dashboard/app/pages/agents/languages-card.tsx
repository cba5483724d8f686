// The languages of an agent that a call may go on in: which, and each one's voice, key and words.
import * as LIMITS from '../../api-limits.ts';
import type { Voice } from '../../api-types.ts';
import type { Form } from '../../form.ts';
import { formatLanguage } from '../../format.ts';
import { Select, type Suggestion, TextField } from '../../ui/fields/field.tsx';
import { Fieldset } from '../../ui/fields/fieldset.tsx';
import { TagsField } from '../../ui/fields/tags-field.tsx';
import { Card } from '../../ui/layout.tsx';
import { t } from '../../words/words.ts';
import type { AgentValues } from './agent-form.ts';
import { type LanguageSettings, ofLanguages, settingsOf, withSettings } from './language-rows.ts';

const KEYS = ['', ...'1234567890'].map((value) => ({ value, text: value === '' ? t('None') : value }));

export function LanguagesCard({
  form,
  voices,
  suggestions,
}: {
  form: Form<AgentValues>;
  voices: readonly Voice[];
  suggestions: readonly Suggestion[];
}) {
  const { values, set, faultOf } = form;
  const { additionalLanguages, languages } = values;
  const voiceLanguage = voices.find(({ id }) => id === values.voiceId)?.language ?? '';
  const own = values.language.trim() || voiceLanguage;
  const choose = (chosen: string[]) => {
    set('additionalLanguages', chosen);
    set('languages', ofLanguages(languages, [own, ...chosen]));
  };
  const change = (language: string, changed: Partial<LanguageSettings>) =>
    set('languages', withSettings(languages, language, changed));
  const faultIn = (language: string) => (part: string) => {
    const index = languages.findIndex((each) => each.language.toLowerCase() === language.toLowerCase());
    return index < 0 ? undefined : faultOf(`languages[${index}].${part}`, true);
  };
  return (
    <Card title={t('Further languages')}>
      <p class="small soft">
        {t(
          'A call goes on in one of them once the caller asks for it, presses its key, or is heard to speak it: recogniser, voice and answers change. Your greeting should say so: “Für Deutsch drücken Sie die 2.”',
        )}
      </p>
      <TagsField
        label={t('Additional languages')}
        hint={t(
          'As codes: de, fr-CA. English, German, Spanish, French, Italian, Portuguese, Dutch; in others a language model may answer all the same.',
        )}
        fault={faultOf('additionalLanguages', true)}
        values={additionalLanguages}
        onChange={choose}
        suggestions={suggestions}
        show={(code) => `${formatLanguage(code)} (${code})`}
      />
      {additionalLanguages.map((language) => (
        <OneLanguage
          key={language}
          settings={settingsOf(languages, language)}
          change={(changed) => change(language, changed)}
          faultOf={faultIn(language)}
          voices={voices}
        />
      ))}
      {additionalLanguages.length > 0 && own !== '' && (
        <KeySelect
          label={t('Key that leads back to {own}', { own: formatLanguage(own) })}
          fault={faultIn(own)('digit') ?? faultIn(own)('language')}
          settings={settingsOf(languages, own)}
          change={(changed) => change(own, changed)}
        />
      )}
    </Card>
  );
}

interface Props {
  settings: LanguageSettings;
  change: (changed: Partial<LanguageSettings>) => void;
}

function OneLanguage({
  settings,
  change,
  faultOf,
  voices,
}: Props & { faultOf: (part: string) => string | undefined; voices: readonly Voice[] }) {
  return (
    <Fieldset title={formatLanguage(settings.language)} fault={faultOf('language')}>
      <div class="parts two">
        <Select
          label={t('Voice')}
          fault={faultOf('voiceId')}
          value={settings.voiceId ?? ''}
          onChange={(voiceId) => change({ voiceId })}
          choices={voiceChoices(voices, settings)}
        />
        <KeySelect label={t('Key')} fault={faultOf('digit')} settings={settings} change={change} />
      </div>
      <TextField
        label={t('Voice of the speech-to-speech model')}
        hint={t("By the vendor's name, where the service has such a model. Default: the agent's")}
        fault={faultOf('speechVoice')}
        placeholder={t('As the agent')}
        limits={LIMITS.LanguageSettings.speechVoice}
        value={settings.speechVoice ?? ''}
        onChange={(speechVoice) => change({ speechVoice })}
      />
      <TagsField
        label={t('Names and terms')}
        hint={t('What the recogniser should expect in it.')}
        fault={faultOf('keywords')}
        values={settings.keywords ?? []}
        onChange={(keywords) => change({ keywords })}
      />
    </Fieldset>
  );
}

const KeySelect = ({ label, fault, settings, change }: Props & { label: string; fault?: string | undefined }) => (
  <Select
    label={label}
    fault={fault}
    value={settings.digit ?? ''}
    onChange={(digit) => change({ digit })}
    choices={KEYS}
  />
);

/** The voices, those that speak the language first; one that is no longer offered stays. */
function voiceChoices(voices: readonly Voice[], { language, voiceId }: LanguageSettings) {
  const speaks = (voice: Voice) => baseOf(voice.language) === baseOf(language);
  const sorted = [...voices].sort((a, b) => Number(speaks(b)) - Number(speaks(a)));
  const known = sorted.map(({ id, name, language: of }) => ({ value: id, text: `${name}, ${formatLanguage(of)}` }));
  const isGone = voiceId !== undefined && voices.every(({ id }) => id !== voiceId);
  const own = { value: '', text: t('The agent’s, or one that speaks it') };
  return [own, ...(isGone ? [{ value: voiceId, text: t('{voiceId}, no longer offered', { voiceId }) }] : []), ...known];
}

const baseOf = (language: string): string => language.split('-', 1)[0]?.toLowerCase() ?? '';
