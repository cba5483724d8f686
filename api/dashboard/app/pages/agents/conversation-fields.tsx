// The turn-taking settings of an agent. Each shows its default and explains its trade-off.

import * as LIMITS from '../../api-limits.ts';
import type { ConversationSettings } from '../../api-types.ts';
import { spanText } from '../../limits.ts';
import { NumberField, Select, TextField } from '../../ui/fields/field.tsx';
import { TagsField } from '../../ui/fields/tags-field.tsx';
import { Card } from '../../ui/layout.tsx';
import { OptionalSlider } from '../../ui/optional-slider.tsx';
import { Rows } from '../../ui/rows.tsx';
import { t } from '../../words/words.ts';

interface PartProps {
  settings: ConversationSettings;
  set: <K extends keyof ConversationSettings>(name: K, value: ConversationSettings[K]) => void;
  faultOf: (name: keyof ConversationSettings) => string | undefined;
}

export function TurnFields({ settings, set, faultOf }: PartProps) {
  return (
    <Card title={t('Taking turns')}>
      <Select
        label={t('Who speaks first')}
        hint={t('By default the agent, at once; a person whom we call is given 1.2 s to say hello.')}
        fault={faultOf('firstSpeaker')}
        value={settings.firstSpeaker ?? ''}
        onChange={(value) => set('firstSpeaker', value === '' ? undefined : value)}
        choices={[
          { value: '', text: t('Default (auto)') },
          { value: 'auto', text: t('Auto') },
          { value: 'agent', text: t('The agent, at once') },
          { value: 'caller', text: t('The other side; the agent waits') },
        ]}
      />
      <OptionalSlider
        label={t('Responsiveness')}
        hint={t(
          'How soon a turn counts as ended: 0 waits 1.4 times as long as usual, 1 only 0.6 times. Higher answers sooner, and cuts in more often. No effect where the business sets a silence of its own.',
        )}
        fault={faultOf('responsiveness')}
        value={settings.responsiveness}
        onChange={(value) => set('responsiveness', value)}
        standard={0.5}
        limits={LIMITS.ConversationSettings.responsiveness}
        ends={[t('Patient'), t('Quick')]}
      />
      <OptionalSlider
        label={t('Interruption sensitivity')}
        hint={t(
          'How easily a caller stops the agent: 0 never, 1 at 120 ms of voice or one word. A noisy line wants less.',
        )}
        fault={faultOf('interruptionSensitivity')}
        value={settings.interruptionSensitivity}
        onChange={(value) => set('interruptionSensitivity', value)}
        standard={0.5}
        limits={LIMITS.ConversationSettings.interruptionSensitivity}
        standardText={t('the business’s')}
        ends={[t('Speaks on'), t('Yields at once')]}
      />
      <YesNo
        label={t('Protect the greeting')}
        hint={t('It is spoken to its end whatever the caller says: for notices that the law wants.')}
        standard={false}
        value={settings.protectGreeting}
        onChange={(value) => set('protectGreeting', value)}
      />
      <div class="columns">
        <NumberField
          label={t('Silence before a reminder, in seconds')}
          hint={t('{reminderSeconds}. Before "Are you still there?", and before the goodbye. Default 8', {
            reminderSeconds: spanText(LIMITS.ConversationSettings.reminderSeconds),
          })}
          fault={faultOf('reminderSeconds')}
          placeholder="8"
          limits={LIMITS.ConversationSettings.reminderSeconds}
          value={settings.reminderSeconds ?? null}
          onChange={(value) => set('reminderSeconds', value ?? undefined)}
        />
        <NumberField
          label={t('Reminders before the goodbye')}
          hint={t('{reminders}. Default 2', { reminders: spanText(LIMITS.ConversationSettings.reminders) })}
          fault={faultOf('reminders')}
          placeholder="2"
          limits={LIMITS.ConversationSettings.reminders}
          value={settings.reminders ?? null}
          onChange={(value) => set('reminders', value ?? undefined)}
        />
      </div>
    </Card>
  );
}

export function WordFields({ settings, set, faultOf }: PartProps) {
  return (
    <Card title={t('Words')}>
      <TagsField
        label={t('Keywords')}
        hint={t("Names and terms that the recogniser should expect, beside the business's services and questions.")}
        fault={faultOf('keywords')}
        values={settings.keywords ?? []}
        onChange={(value) => set('keywords', value)}
        placeholder={t('Invisalign, Dr Okafor')}
      />
      <TextField
        label={t('After a lost line')}
        hint={t(
          'Said when a call goes on after the line was lost for a moment. Default: "Sorry, I lost you for a moment. You were saying?" in the agent\'s language',
        )}
        fault={faultOf('lineLostWords')}
        placeholder={t('As the language has it')}
        limits={LIMITS.ConversationSettings.lineLostWords}
        value={settings.lineLostWords ?? ''}
        onChange={(value) => set('lineLostWords', value === '' ? undefined : value)}
      />
      <Select
        label={t('Numbers in groups')}
        hint={t('After each group of a number or a spelling, while more of it is to come.')}
        fault={faultOf('groupAcknowledgement')}
        value={settings.groupAcknowledgement ?? ''}
        onChange={(value) => set('groupAcknowledgement', value === '' ? undefined : value)}
        choices={[
          { value: '', text: t('Default (a word)') },
          { value: 'word', text: t('A word: "Okay"') },
          { value: 'repeat', text: t('The group, repeated') },
          { value: 'none', text: t('Nothing') },
        ]}
      />
      <TagsField
        label={t('Backchannel words')}
        hint={t('They only encourage and never stop the agent, beside the usual ones of the language.')}
        fault={faultOf('backchannelWords')}
        values={settings.backchannelWords ?? []}
        onChange={(value) => set('backchannelWords', value)}
        placeholder={t('right, go on')}
      />
      <div class="stack tight">
        <h3>{t('Pronunciations')}</h3>
        <p class="small soft">{t('What the voice says in place of a word. The transcript keeps the word.')}</p>
        <Rows
          items={settings.pronunciations ?? []}
          onChange={(value) => set('pronunciations', value)}
          fresh={() => ({ text: '', say: '' })}
          itemName={t('pronunciation')}
          addText={t('Add a pronunciation')}
        >
          {(item, _, change) => (
            <div class="parts two">
              <TextField
                label={t('Written')}
                value={item.text}
                limits={LIMITS.ConversationSettings.pronunciations.items.text}
                required
                onChange={(text) => change({ text })}
              />
              <TextField
                label={t('Said')}
                value={item.say}
                limits={LIMITS.ConversationSettings.pronunciations.items.say}
                required
                onChange={(say) => change({ say })}
              />
            </div>
          )}
        </Rows>
        {faultOf('pronunciations') !== undefined && (
          <span class="fault" role="alert">
            {faultOf('pronunciations')}
          </span>
        )}
      </div>
    </Card>
  );
}

export function ModelFields({ settings, set, faultOf }: PartProps) {
  return (
    <Card title={t('Language model')}>
      <p class="small soft">{t('The built-in receptionist has no model: these have no effect on it.')}</p>
      <TextField
        label={t('Model')}
        hint={t('Another model of the configured server, for this agent. Default: OPENAI_MODEL of the service')}
        fault={faultOf('model')}
        placeholder={t('As the service')}
        limits={LIMITS.ConversationSettings.model}
        value={settings.model ?? ''}
        onChange={(value) => set('model', value === '' ? undefined : value)}
      />
      <OptionalSlider
        label={t('Temperature')}
        hint={t('Lower is more alike from call to call, higher more varied.')}
        fault={faultOf('temperature')}
        value={settings.temperature}
        onChange={(value) => set('temperature', value)}
        standard={0.4}
        limits={LIMITS.ConversationSettings.temperature}
        ends={[t('Alike'), t('Varied')]}
      />
      <NumberField
        label={t('Wait for the first word (ms)')}
        hint={t(
          "{modelTimeoutMs}, from the end of the caller's turn; then the turn has failed. Default: as the service, 8000",
          { modelTimeoutMs: spanText(LIMITS.ConversationSettings.modelTimeoutMs) },
        )}
        fault={faultOf('modelTimeoutMs')}
        placeholder="8000"
        limits={LIMITS.ConversationSettings.modelTimeoutMs}
        value={settings.modelTimeoutMs ?? null}
        onChange={(value) => set('modelTimeoutMs', value ?? undefined)}
      />
      <YesNo
        label={t("Prepare replies while a turn's end is uncertain")}
        hint={t('Quicker answers, about a third more requests to the model.')}
        standard={true}
        value={settings.guessing}
        onChange={(value) => set('guessing', value)}
      />
      <YesNo
        label={t('Answer with the speech-to-speech model')}
        hint={t('Where the service has one. No: recogniser, language model and voice answer.')}
        standard={true}
        value={settings.speechToSpeech}
        onChange={(value) => set('speechToSpeech', value)}
      />
      <TextField
        label={t('Speech-to-speech model')}
        hint={t("Another model of the same vendor, for this agent. Default: the service's")}
        fault={faultOf('speechModel')}
        placeholder={t('As the service')}
        limits={LIMITS.ConversationSettings.speechModel}
        value={settings.speechModel ?? ''}
        onChange={(value) => set('speechModel', value === '' ? undefined : value)}
      />
      <TextField
        label={t('Its voice')}
        hint={t("By the vendor's name. The greeting stays in the agent's own voice. Default: the service's")}
        fault={faultOf('speechVoice')}
        placeholder={t('As the service')}
        limits={LIMITS.ConversationSettings.speechVoice}
        value={settings.speechVoice ?? ''}
        onChange={(value) => set('speechVoice', value === '' ? undefined : value)}
      />
    </Card>
  );
}

function YesNo({
  label,
  hint,
  standard,
  value,
  onChange,
}: {
  label: string;
  hint: string;
  standard: boolean;
  value: boolean | undefined;
  onChange: (value: boolean | undefined) => void;
}) {
  return (
    <Select
      label={label}
      hint={hint}
      value={value === undefined ? '' : value ? 'yes' : 'no'}
      onChange={(chosen) => onChange(chosen === '' ? undefined : chosen === 'yes')}
      choices={[
        { value: '', text: standard ? t('Default (yes)') : t('Default (no)') },
        { value: 'yes', text: t('Yes') },
        { value: 'no', text: t('No') },
      ]}
    />
  );
}
