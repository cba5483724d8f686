// The fixed texts of the agent, and its timing.

import * as LIMITS from '../../api-limits.ts';
import type { Form } from '../../form.ts';
import { spanText } from '../../limits.ts';
import { NumberField, Select, Slider, TextArea, TextField } from '../../ui/fields/field.tsx';
import { Card } from '../../ui/layout.tsx';
import { Placeholders } from '../../ui/placeholders.tsx';
import { t } from '../../words/words.ts';
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
    <Card title={t('What is said')}>
      <TextArea
        label={t('Greeting')}
        hint={t('Said first, word for word. Empty: the usual one. A campaign may have its own.')}
        {...field('greetingTemplate')}
        placeholder={t('Thank you for calling {{businessName}}, this is {{agentName}}. How can I help you?')}
        limits={LIMITS.CreateBusinessBody.greetingTemplate}
      />
      <Placeholders />
      <Select
        label={t('When the language model fails')}
        hint={t(
          'Who answers that turn. The receptionist knows hours, services and questions, books and transfers, and says that it can do no more. Default: the receptionist, where there is something it knows.',
        )}
        fault={faultOf('dialogueFallback')}
        value={values.dialogueFallback ?? ''}
        onChange={(value) => set('dialogueFallback', value === 'receptionist' || value === 'message' ? value : null)}
        choices={[
          { value: '', text: t('Default') },
          { value: 'receptionist', text: t('The built-in receptionist') },
          { value: 'message', text: t('The message below') },
        ]}
      />
      <TextArea
        label={t('When something fails')}
        hint={t('Said when a model fails or stays silent. The agent goes on listening: do not say goodbye here.')}
        {...field('fallbackMessage')}
        placeholder={t("I'm sorry, I'm having some trouble right now.")}
        rows={2}
        limits={LIMITS.CreateBusinessBody.fallbackMessage}
      />
      <TextField
        label={t('Transfer to')}
        hint={t(
          'Where a caller goes who asks for a person, or whom nothing could answer twice in a row. With persons under “Transfers”, the last resort.',
        )}
        fault={faultOf('transferNumber')}
        type="tel"
        value={values.transferNumber}
        onChange={(value) => set('transferNumber', compact(value))}
        placeholder="+442079460123"
        limits={LIMITS.CreateBusinessBody.transferNumber}
      />
      <TextArea
        label={t('System prompt')}
        hint={t(
          'For a language model, in place of our description of a friendly receptionist. Facts, and the rules of speaking on a telephone, are added. The built-in receptionist ignores it.',
        )}
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
    <Card title={t('How it is said')}>
      <Slider
        label={t('Speed of the voice')}
        hint={t('1 is the pace of the voice.')}
        fault={faultOf('voiceSettings', true)}
        value={values.speed}
        onChange={(value) => set('speed', value)}
        limits={LIMITS.CreateBusinessBody.voiceSettings.speed}
        show={(value) => `${value}`}
      />
      <Slider
        label={t('Interruption sensitivity')}
        hint={t(
          'How easily a caller stops the agent. 0 never; 0.1 at 790 ms of voice or four words; 0.5, the default, at 350 ms or two words; 1 at 120 ms or one. An agent may have its own.',
        )}
        {...field('interruptionSensitivity')}
        limits={LIMITS.CreateBusinessBody.interruptionSensitivity}
        show={(value) => `${value}`}
      />
      <NumberField
        label={t('Silence that ends a turn, in milliseconds')}
        hint={t(
          '{silenceThresholdMs}. Empty, the delay follows the words: 300 ms after a finished question, 2 s in a dictated number. A number of yours is kept, and no rule goes below it.',
          { silenceThresholdMs: spanText(LIMITS.CreateBusinessBody.silenceThresholdMs) },
        )}
        {...field('silenceThresholdMs')}
        limits={LIMITS.CreateBusinessBody.silenceThresholdMs}
        step={1}
      />
      <NumberField
        label={t('Longest call, in minutes')}
        hint={t('{maxCallDurationMinutes}. The agent is told 30 s before, and the call ends.', {
          maxCallDurationMinutes: spanText(LIMITS.CreateBusinessBody.maxCallDurationMinutes),
        })}
        {...field('maxCallDurationMinutes')}
        limits={LIMITS.CreateBusinessBody.maxCallDurationMinutes}
        step={1}
        required
      />
    </Card>
  );
}
