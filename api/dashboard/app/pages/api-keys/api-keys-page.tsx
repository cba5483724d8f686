// Personal access tokens, shown to users as API keys.
import { useState } from 'preact/hooks';
import { DAY_MS } from '../../../../../db/domain/hours/durations.ts';
import type { NewPersonalToken, PersonalToken } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { Button } from '../../ui/button.tsx';
import { confirm, Dialog } from '../../ui/dialog.tsx';
import { Checkbox, type Choice, Select, TextField } from '../../ui/fields/field.tsx';
import { Fieldset } from '../../ui/fields/fieldset.tsx';
import { Badge, Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { Secret } from '../../ui/secret.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { said, t, words } from '../../words/words.ts';

const SCOPES = [
  { scope: 'read', label: words('Read'), hint: words('Calls, recordings, contacts, settings') },
  { scope: 'call', label: words('Call'), hint: words('Place, end and control calls, listen in, start campaigns') },
  { scope: 'change', label: words('Change'), hint: words('Create, change and delete everything else') },
] as const;
const ALL = SCOPES.map(({ scope }) => scope);
type Days = '' | '30' | '90' | '365';
const ENDS: ReadonlyArray<Choice<Days>> = [
  { value: '', text: words('When it is revoked') },
  { value: '30', text: words('After 30 days') },
  { value: '90', text: words('After 90 days') },
  { value: '365', text: words('After a year') },
];

export default function ApiKeysPage() {
  const tokens = useApi('listAccessTokens', { query: { page: currentPage(), limit: 20 } });
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button right="change" look="primary" onClick={() => setCreating(true)}>
      {t('New API key')}
    </Button>
  );
  const revoke = ({ id, name }: PersonalToken) =>
    confirm({
      title: t('Revoke “{name}”?', { name }),
      text: t('Programs that use it are refused from now on. A revoked key cannot be brought back.'),
      action: t('Revoke the key'),
      perform: async () => {
        await call('revokeAccessToken', { params: { id } });
        say(t('API key revoked'));
        tokens.reload();
      },
    });
  return (
    <Page
      title={t('API keys')}
      lead={t(
        'For programs that use the API. A key can do what you let it do with calls, campaigns and numbers, and nothing with passwords or people.',
      )}
      actions={create}
    >
      <List
        of={tokens}
        label={t('API keys')}
        empty={
          <Empty title={t('No API keys yet')} action={create}>
            {t('Make one for each program, to see which keys are still in use and to revoke them one by one.')}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('Name'),
            cell: ({ name, role }) => (
              <span class="row">
                {name}
                {role === 'ADMIN' && <Badge tone="warn">{t('Admin')}</Badge>}
              </span>
            ),
          },
          {
            title: t('May'),
            cell: ({ scopes }) =>
              scopes.length === SCOPES.length
                ? t('Everything')
                : SCOPES.flatMap(({ scope, label }) => (scopes.includes(scope) ? [t(label)] : [])).join(', '),
          },
          { title: t('Last used'), cell: ({ lastUsedAt }) => <Time at={lastUsedAt} none={t('Never')} ago /> },
          { title: t('Ends'), cell: ({ expiresAt }) => <Time at={expiresAt} none={t('When it is revoked')} /> },
          { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: '',
            cell: (token) => (
              <Button
                look="danger"
                isSmall
                onClick={() => revoke(token)}
                label={t('Revoke {name}', { name: token.name })}
              >
                {t('Revoke')}
              </Button>
            ),
          },
        ]}
      />
      {isCreating && <NewKey onCreated={tokens.reload} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function NewKey({ onCreated, onClose }: { onCreated: () => void; onClose: () => void }) {
  const [created, setCreated] = useState<NewPersonalToken | null>(null);
  const [days, setDays] = useState<Days>('');
  const form = useForm({ name: '', scopes: [...ALL] }, async ({ values }) => {
    const ends = days === '' ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() };
    const { data } = await call('createAccessToken', { body: { ...values, ...ends } });
    setCreated(data);
    onCreated();
  });
  const has = (scope: (typeof ALL)[number]) => form.values.scopes.includes(scope);
  if (created !== null) {
    const address = new URL('api/v1/auth/me', document.baseURI).href;
    return (
      <Dialog title={t('API key “{name}”', { name: created.name })} isWide onClose={onClose}>
        <Secret label={t('The key')} value={created.token} />
        <div class="stack tight">
          <h3>{t('Try it')}</h3>
          <pre>{`curl -H 'Authorization: Bearer ${created.token}' \\\n  ${address}`}</pre>
        </div>
        <div>
          <Button look="primary" onClick={onClose}>
            {t('Done')}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t('New API key')} onClose={onClose}>
      <SubmitForm form={form} shown={['name', 'scopes', 'expiresAt']} send={t('Create the key')} onCancel={onClose}>
        <TextField
          label={t('Name')}
          hint={t('The program that will use it')}
          placeholder={t('Nightly import')}
          required
          autocomplete="off"
          {...form.field('name')}
        />
        <Fieldset title={t('It may')} fault={form.faultOf('scopes', true)}>
          {SCOPES.map(({ scope, label, hint }) => (
            <Checkbox
              key={scope}
              label={t(label)}
              hint={t(hint)}
              value={form.values.scopes.includes(scope)}
              onChange={(may) =>
                form.set(
                  'scopes',
                  ALL.filter((each) => (each === scope ? may : has(each))),
                )
              }
            />
          ))}
        </Fieldset>
        <Select
          label={t('It ends')}
          value={days}
          choices={said(ENDS)}
          onChange={setDays}
          fault={form.faultOf('expiresAt')}
        />
      </SubmitForm>
    </Dialog>
  );
}
