// Previews the texts of a campaign's call with the values of a contact.

import { useEffect, useState } from 'preact/hooks';
import * as LIMITS from '../../api-limits.ts';
import type { Campaign, CampaignPreview, Contact } from '../../api-types.ts';
import { type ApiError, call } from '../../client.ts';
import { Button } from '../../ui/button.tsx';
import { Select, TextField } from '../../ui/fields/field.tsx';
import { Card, Notice } from '../../ui/layout.tsx';
import { ErrorNotice } from '../../ui/status.tsx';
import { faultOf, useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { VariableRows } from './variable-rows.tsx';

interface Variable {
  name: string;
  value: string;
}

export function PreviewTab({ campaign }: { campaign: Campaign }) {
  const first = useApi('listCampaignContacts', { params: { id: campaign.id }, query: { limit: 1 } });
  if (first.answer === null && first.error === null) return null;
  return <Preview campaign={campaign} contact={first.answer?.data[0] ?? null} />;
}

function Preview({ campaign, contact }: { campaign: Campaign; contact: Contact | null }) {
  const [variables, setVariables] = useState<Variable[]>(
    Object.entries(contact?.variables ?? {}).map(([name, value]) => ({ name, value })),
  );
  const [callerName, setCallerName] = useState(contact?.name ?? '');
  const [direction, setDirection] = useState<'outbound' | 'inbound'>('outbound');
  const [preview, setPreview] = useState<CampaignPreview | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const fill = async () => {
    setBusy(true);
    try {
      const given = variables.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]);
      const { data } = await call('previewCampaign', {
        params: { id: campaign.id },
        body: {
          variables: Object.fromEntries(given),
          callerName: callerName === '' ? null : callerName,
          direction,
        },
      });
      setPreview(data);
      setError(null);
    } catch (fault) {
      setError(faultOf(fault));
    }
    setBusy(false);
  };
  useEffect(() => void fill(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    void fill();
  };
  const missing = (preview?.missing ?? []).filter((name) => !variables.some((variable) => variable.name === name));
  return (
    <div class="columns">
      <Card title={t('With these values')}>
        <form class="stack" onSubmit={submit}>
          <Select
            label={t('The call')}
            value={direction}
            onChange={setDirection}
            choices={[
              { value: 'outbound', text: t('We call a contact') },
              { value: 'inbound', text: t('Somebody calls us') },
            ]}
          />
          <TextField
            label={t("Contact's name")}
            value={callerName}
            onChange={setCallerName}
            limits={LIMITS.PreviewCampaignBody.callerName}
          />
          <VariableRows items={variables} onChange={setVariables} />
          <ErrorNotice error={error} />
          <div class="row">
            <Button look="primary" isBusy={isBusy}>
              {t('Show it with these')}
            </Button>
          </div>
        </form>
      </Card>
      {preview !== null && (
        <Card title={t('What is said')}>
          {missing.length > 0 && (
            <Notice tone="warn">
              <span>
                {t('Nothing fills {names}: it is left out.', {
                  names: missing.map((name) => `{{${name}}}`).join(', '),
                })}
              </span>
              <div>
                <Button
                  isSmall
                  onClick={() => setVariables([...variables, ...missing.map((name) => ({ name, value: '' }))])}
                >
                  {missing.length === 1 ? t('Add it to the values') : t('Add them to the values')}
                </Button>
              </div>
            </Notice>
          )}
          <Said title={t('Greeting')} text={preview.greeting} />
          <Said
            title={t('To an answering machine')}
            text={preview.voicemailMessage}
            none={t('Nothing: it hangs up.')}
          />
          <Said title={t('Instructions')} text={preview.instructions} none={t('None of this campaign.')} />
          <details>
            <summary>{t('The whole prompt of a language model')}</summary>
            <pre class="prompt">{preview.prompt}</pre>
          </details>
        </Card>
      )}
    </div>
  );
}

function Said({ title, text, none = '' }: { title: string; text: string | null; none?: string }) {
  return (
    <div>
      <h3>{title}</h3>
      {text === null || text === '' ? <p class="soft">{none}</p> : <p class="said">{text}</p>}
    </div>
  );
}
