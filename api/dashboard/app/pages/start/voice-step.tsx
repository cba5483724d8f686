// The third step: the language of the agent, its voice, chosen by ear, and its name.

import * as LIMITS from '../../api-limits.ts';
import type { Voice } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatLanguage } from '../../format.ts';
import { link } from '../../router.ts';
import { session } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Select, TextField } from '../../ui/fields/field.tsx';
import { Card, Notice } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { useApi } from '../../use-api.ts';
import { Linked } from '../../words/linked.tsx';
import { t } from '../../words/words.ts';
import { VoicePicker } from '../agents/voice-picker.tsx';
import { baseOf, LANGUAGES, localeOf, usualName, voicesFor } from './languages.ts';

interface VoiceStepProps {
  /** Of the site. */
  language: string;
  country: string | null;
  agentId: string | null;
  onSaved: (agentId: string, language: string) => Promise<void>;
  onSkip: () => void;
}

export function VoiceStep(props: VoiceStepProps) {
  const voices = useApi('listVoices', {});
  return <Answer of={voices}>{({ data }) => <VoiceForm voices={data} {...props} />}</Answer>;
}

function VoiceForm({ voices, language, country, agentId, onSaved, onSkip }: VoiceStepProps & { voices: Voice[] }) {
  const first = voicesFor(voices, language)[0];
  const initial = { language: baseOf(language), voiceId: first?.id ?? '', name: usualName(language) };
  const form = useForm(initial, async ({ values }) => {
    const body = { name: values.name, voiceId: values.voiceId, language: localeOf(values.language, country) };
    const { data } =
      agentId === null
        ? await call('createAgent', { body })
        : await call('updateAgent', { params: { id: agentId }, body });
    await onSaved(data.id, values.language);
  });
  const { values, set, faultOf } = form;
  const fitting = voicesFor(voices, values.language);
  const speak = (next: string) => {
    // A name of one's own stays.
    if (values.name === usualName(values.language)) set('name', usualName(next));
    set('language', next);
    set('voiceId', voicesFor(voices, next)[0]?.id ?? '');
  };
  return (
    <Card title={t('Who is to answer?')}>
      <SubmitForm
        form={form}
        shown={['name', 'voiceId', 'language']}
        send={t('This voice it is')}
        disabled={values.voiceId === ''}
        beside={
          <Button look="plain" onClick={onSkip}>
            {t('Skip for now')}
          </Button>
        }
      >
        <Select
          label={t('Language')}
          fault={faultOf('language')}
          value={values.language}
          onChange={speak}
          choices={LANGUAGES.map((value) => ({ value, text: formatLanguage(value) }))}
        />
        {fitting.length === 0 ? (
          <NoVoice language={values.language} />
        ) : (
          <>
            <VoicePicker
              voices={fitting}
              value={values.voiceId}
              onChange={({ id }) => set('voiceId', id)}
              fault={faultOf('voiceId')}
            />
            <TextField
              label={t('Name')}
              hint={t('The agent introduces itself by it.')}
              {...form.field('name')}
              limits={LIMITS.CreateAgentBody.name}
              required
            />
          </>
        )}
      </SubmitForm>
    </Card>
  );
}

function NoVoice({ language }: { language: string }) {
  const isAdmin = session.value?.user.role === 'ADMIN';
  return (
    <Notice tone="warn">
      <strong>{t('No voice here speaks {language} yet.', { language: formatLanguage(language) })}</strong>
      {isAdmin ? (
        <span>
          <Linked
            text={t(
              'What understands and speaks it is fetched in one step: [Models]. Come back here then; nothing is lost.',
            )}
            to={[link('/admin/models', { tab: 'language', language })]}
          />
        </span>
      ) : (
        <span>
          {t('The operator of this installation can add one. Until then choose another language, or skip this step.')}
        </span>
      )}
    </Notice>
  );
}
