// The fixed texts of the agent, and its timing.

import * as LIMITS from '../../api-limits.ts';
import type { Form } from '../../form.ts';
import { spanText } from '../../limits.ts';
import { NumberField, Select, Slider, TextArea, TextField } from '../../ui/fields/field.tsx';
import { Card } from '../../ui/layout.tsx';
import { Placeholders } from '../../ui/placeholders.tsx';
import { compact } from './basics-tab.tsx';
import type { BusinessValues } from './business-form.ts';
import { RedactionCard } from './redaction-card.tsx';

export function BehaviourTab({ form }: { form: Form<BusinessValues> }) {
  return (
    <div class="columns">
      <Texts form={form} />
      <div class="stack">
        <Manner form={form} />
        <RedactionCard form={form} />
      </div>
    </div>
  );
}

function Texts({ form }: { form: Form<BusinessValues> }) {
  const { values, set, faultOf, field } = form;
  return (
    <Card title="What is said">
      <TextArea
        label="Greeting"
        hint="Said first, word for word. Empty: the usual one. A campaign may have its own."
        {...field('greetingTemplate')}
        placeholder="Thank you for calling {{businessName}}, this is {{agentName}}. How can I help you?"
        limits={LIMITS.CreateBusinessBody.greetingTemplate}
      />
      <Placeholders />
      <Select
        label="When the language model fails"
        hint="Who answers that turn. The receptionist knows hours, services and questions, books and transfers, and says that it can do no more. Default: the receptionist, where there is something it knows."
        fault={faultOf('dialogueFallback')}
        value={values.dialogueFallback ?? ''}
        onChange={(value) => set('dialogueFallback', value === 'receptionist' || value === 'message' ? value : null)}
        choices={[
          { value: '', text: 'Default' },
          { value: 'receptionist', text: 'The built-in receptionist' },
          { value: 'message', text: 'The message below' },
        ]}
      />
      <TextArea
        label="When something fails"
        hint="Said when a model fails or stays silent. The agent goes on listening: do not say goodbye here."
        {...field('fallbackMessage')}
        placeholder="I'm sorry, I'm having some trouble right now."
        rows={2}
        limits={LIMITS.CreateBusinessBody.fallbackMessage}
      />
      <TextField
        label="Transfer to"
        hint="Where a caller goes who asks for a person, or whom nothing could answer twice in a row. With persons under “Transfers”, the last resort."
        fault={faultOf('transferNumber')}
        type="tel"
        value={values.transferNumber}
        onChange={(value) => set('transferNumber', compact(value))}
        placeholder="+442079460123"
        limits={LIMITS.CreateBusinessBody.transferNumber}
      />
      <TextArea
        label="System prompt"
        hint="For a language model, in place of our description of a friendly receptionist. Facts, and the rules of speaking on a telephone, are added. The built-in receptionist ignores it."
        {...field('systemPrompt')}
        rows={6}
        limits={LIMITS.CreateBusinessBody.systemPrompt}
      />
    </Card>
  );
}

function Manner({ form }: { form: Form<BusinessValues> }) {
  const { values, set, faultOf, field } = form;
  return (
    <Card title="How it is said">
      <Slider
        label="Speed of the voice"
        hint="1 is the pace of the voice."
        fault={faultOf('voiceSettings', true)}
        value={values.speed}
        onChange={(value) => set('speed', value)}
        limits={LIMITS.CreateBusinessBody.voiceSettings.speed}
        show={(value) => `${value}`}
      />
      <Slider
        label="Interruption sensitivity"
        hint="How easily a caller stops the agent. 0 never; 0.1 at 790 ms of voice or four words; 0.5, the default, at 350 ms or two words; 1 at 120 ms or one. An agent may have its own."
        {...field('interruptionSensitivity')}
        limits={LIMITS.CreateBusinessBody.interruptionSensitivity}
        show={(value) => `${value}`}
      />
      <NumberField
        label="Silence that ends a turn, in milliseconds"
        hint={`${spanText(LIMITS.CreateBusinessBody.silenceThresholdMs)}. Empty, the delay follows the words: 300 ms after a finished question, 2 s in a dictated number. A number of yours is kept, and no rule goes below it.`}
        {...field('silenceThresholdMs')}
        limits={LIMITS.CreateBusinessBody.silenceThresholdMs}
        step={1}
      />
      <NumberField
        label="Longest call, in minutes"
        hint={`${spanText(LIMITS.CreateBusinessBody.maxCallDurationMinutes)}. The agent is told 30 s before, and the call ends.`}
        {...field('maxCallDurationMinutes')}
        limits={LIMITS.CreateBusinessBody.maxCallDurationMinutes}
        step={1}
        required
      />
    </Card>
  );
}
