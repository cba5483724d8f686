// The turn-taking settings of an agent. Each shows its default and explains its trade-off.

import * as LIMITS from '../../api-limits.ts';
import type { ConversationSettings } from '../../api-types.ts';
import { spanText } from '../../limits.ts';
import { NumberField, Select, TextField } from '../../ui/fields/field.tsx';
import { TagsField } from '../../ui/fields/tags-field.tsx';
import { Card } from '../../ui/layout.tsx';
import { OptionalSlider } from '../../ui/optional-slider.tsx';
import { Rows } from '../../ui/rows.tsx';

interface PartProps {
  settings: ConversationSettings;
  set: <K extends keyof ConversationSettings>(name: K, value: ConversationSettings[K]) => void;
  faultOf: (name: keyof ConversationSettings) => string | undefined;
}

export function TurnFields({ settings, set, faultOf }: PartProps) {
  return (
    <Card title="Taking turns">
      <Select
        label="Who speaks first"
        hint="By default the agent, at once; a person whom we call is given 1.2 s to say hello."
        fault={faultOf('firstSpeaker')}
        value={settings.firstSpeaker ?? ''}
        onChange={(value) => set('firstSpeaker', value === '' ? undefined : value)}
        choices={[
          { value: '', text: 'Default (auto)' },
          { value: 'auto', text: 'Auto' },
          { value: 'agent', text: 'The agent, at once' },
          { value: 'caller', text: 'The other side; the agent waits' },
        ]}
      />
      <OptionalSlider
        label="Responsiveness"
        hint="How soon a turn counts as ended: 0 waits 1.4 times as long as usual, 1 only 0.6 times. Higher answers sooner, and cuts in more often. No effect where the business sets a silence of its own."
        fault={faultOf('responsiveness')}
        value={settings.responsiveness}
        onChange={(value) => set('responsiveness', value)}
        standard={0.5}
        limits={LIMITS.ConversationSettings.responsiveness}
        ends={['Patient', 'Quick']}
      />
      <OptionalSlider
        label="Interruption sensitivity"
        hint="How easily a caller stops the agent: 0 never, 1 at 120 ms of voice or one word. A noisy line wants less."
        fault={faultOf('interruptionSensitivity')}
        value={settings.interruptionSensitivity}
        onChange={(value) => set('interruptionSensitivity', value)}
        standard={0.5}
        limits={LIMITS.ConversationSettings.interruptionSensitivity}
        standardText="the business's"
        ends={['Speaks on', 'Yields at once']}
      />
      <YesNo
        label="Protect the greeting"
        hint="It is spoken to its end whatever the caller says: for notices that the law wants."
        standard={false}
        value={settings.protectGreeting}
        onChange={(value) => set('protectGreeting', value)}
      />
      <div class="columns">
        <NumberField
          label="Silence before a reminder, in seconds"
          hint={`${spanText(LIMITS.ConversationSettings.reminderSeconds)}. Before "Are you still there?", and before the goodbye. Default 8`}
          fault={faultOf('reminderSeconds')}
          placeholder="8"
          limits={LIMITS.ConversationSettings.reminderSeconds}
          value={settings.reminderSeconds ?? null}
          onChange={(value) => set('reminderSeconds', value ?? undefined)}
        />
        <NumberField
          label="Reminders before the goodbye"
          hint={`${spanText(LIMITS.ConversationSettings.reminders)}. Default 2`}
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
    <Card title="Words">
      <TagsField
        label="Keywords"
        hint="Names and terms that the recogniser should expect, beside the business's services and questions."
        fault={faultOf('keywords')}
        values={settings.keywords ?? []}
        onChange={(value) => set('keywords', value)}
        placeholder="Invisalign, Dr Okafor"
      />
      <TextField
        label="After a lost line"
        hint={
          'Said when a call goes on after the line was lost for a moment. Default: "Sorry, I lost you for a moment. You were saying?" in the agent\'s language'
        }
        fault={faultOf('lineLostWords')}
        placeholder="As the language has it"
        limits={LIMITS.ConversationSettings.lineLostWords}
        value={settings.lineLostWords ?? ''}
        onChange={(value) => set('lineLostWords', value === '' ? undefined : value)}
      />
      <Select
        label="Numbers in groups"
        hint="After each group of a number or a spelling, while more of it is to come."
        fault={faultOf('groupAcknowledgement')}
        value={settings.groupAcknowledgement ?? ''}
        onChange={(value) => set('groupAcknowledgement', value === '' ? undefined : value)}
        choices={[
          { value: '', text: 'Default (a word)' },
          { value: 'word', text: 'A word: "Okay"' },
          { value: 'repeat', text: 'The group, repeated' },
          { value: 'none', text: 'Nothing' },
        ]}
      />
      <TagsField
        label="Backchannel words"
        hint="They only encourage and never stop the agent, beside the usual ones of the language."
        fault={faultOf('backchannelWords')}
        values={settings.backchannelWords ?? []}
        onChange={(value) => set('backchannelWords', value)}
        placeholder="right, go on"
      />
      <div class="stack tight">
        <h3>Pronunciations</h3>
        <p class="small soft">What the voice says in place of a word. The transcript keeps the word.</p>
        <Rows
          items={settings.pronunciations ?? []}
          onChange={(value) => set('pronunciations', value)}
          fresh={() => ({ text: '', say: '' })}
          itemName="pronunciation"
          addText="Add a pronunciation"
        >
          {(item, _, change) => (
            <div class="parts two">
              <TextField
                label="Written"
                value={item.text}
                limits={LIMITS.ConversationSettings.pronunciations.items.text}
                required
                onChange={(text) => change({ text })}
              />
              <TextField
                label="Said"
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
    <Card title="Language model">
      <p class="small soft">The built-in receptionist has no model: these have no effect on it.</p>
      <TextField
        label="Model"
        hint="Another model of the configured server, for this agent. Default: OPENAI_MODEL of the service"
        fault={faultOf('model')}
        placeholder="As the service"
        limits={LIMITS.ConversationSettings.model}
        value={settings.model ?? ''}
        onChange={(value) => set('model', value === '' ? undefined : value)}
      />
      <OptionalSlider
        label="Temperature"
        hint="Lower is more alike from call to call, higher more varied."
        fault={faultOf('temperature')}
        value={settings.temperature}
        onChange={(value) => set('temperature', value)}
        standard={0.4}
        limits={LIMITS.ConversationSettings.temperature}
        ends={['Alike', 'Varied']}
      />
      <NumberField
        label="Wait for the first word (ms)"
        hint={`${spanText(LIMITS.ConversationSettings.modelTimeoutMs)}, from the end of the caller's turn; then the turn has failed. Default: as the service, 8000`}
        fault={faultOf('modelTimeoutMs')}
        placeholder="8000"
        limits={LIMITS.ConversationSettings.modelTimeoutMs}
        value={settings.modelTimeoutMs ?? null}
        onChange={(value) => set('modelTimeoutMs', value ?? undefined)}
      />
      <YesNo
        label="Prepare replies while a turn's end is uncertain"
        hint="Quicker answers, about a third more requests to the model."
        standard={true}
        value={settings.guessing}
        onChange={(value) => set('guessing', value)}
      />
      <YesNo
        label="Answer with the speech-to-speech model"
        hint="Where the service has one. No: recogniser, language model and voice answer."
        standard={true}
        value={settings.speechToSpeech}
        onChange={(value) => set('speechToSpeech', value)}
      />
      <TextField
        label="Speech-to-speech model"
        hint="Another model of the same vendor, for this agent. Default: the service's"
        fault={faultOf('speechModel')}
        placeholder="As the service"
        limits={LIMITS.ConversationSettings.speechModel}
        value={settings.speechModel ?? ''}
        onChange={(value) => set('speechModel', value === '' ? undefined : value)}
      />
      <TextField
        label="Its voice"
        hint="By the vendor's name. The greeting stays in the agent's own voice. Default: the service's"
        fault={faultOf('speechVoice')}
        placeholder="As the service"
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
        { value: '', text: `Default (${standard ? 'yes' : 'no'})` },
        { value: 'yes', text: 'Yes' },
        { value: 'no', text: 'No' },
      ]}
    />
  );
}
