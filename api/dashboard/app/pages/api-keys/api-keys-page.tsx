// Personal access tokens, shown to users as API keys.
import { useState } from 'preact/hooks';
import type { NewPersonalToken, PersonalToken } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { Button } from '../../ui/button.tsx';
import { confirm, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Badge, Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { Secret } from '../../ui/secret.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';

export default function ApiKeysPage() {
  const tokens = useApi('listAccessTokens', { query: { page: currentPage(), limit: 20 } });
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      New API key
    </Button>
  );
  const revoke = ({ id, name }: PersonalToken) =>
    confirm({
      title: `Revoke “${name}”?`,
      text: 'Programs that use it are refused from now on. A revoked key cannot be brought back.',
      action: 'Revoke the key',
      perform: async () => {
        await call('revokeAccessToken', { params: { id } });
        say('API key revoked');
        tokens.reload();
      },
    });
  return (
    <Page
      title="API keys"
      lead="For programs that use the API. A key can do everything with calls, campaigns and numbers, and nothing with passwords or people."
      actions={create}
    >
      <List
        of={tokens}
        label="API keys"
        empty={
          <Empty title="No API keys yet" action={create}>
            Make one for each program, to see which keys are still in use and to revoke them one by one.
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Name',
            cell: ({ name, role }) => (
              <span class="row">
                {name}
                {role === 'ADMIN' && <Badge tone="warn">Admin</Badge>}
              </span>
            ),
          },
          { title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} none="Never" ago /> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: '',
            cell: (token) => (
              <Button look="danger" isSmall onClick={() => revoke(token)} label={`Revoke ${token.name}`}>
                Revoke
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
  const form = useForm({ name: '' }, async ({ values }) => {
    const { data } = await call('createAccessToken', { body: values });
    setCreated(data);
    onCreated();
  });
  if (created !== null) {
    const address = new URL('api/v1/auth/me', document.baseURI).href;
    return (
      <Dialog title={`API key “${created.name}”`} isWide onClose={onClose}>
        <Secret label="The key" value={created.token} />
        <div class="stack tight">
          <h3>Try it</h3>
          <pre>{`curl -H "Authorization: Bearer ${created.token}" \\\n  ${address}`}</pre>
        </div>
        <div>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="New API key" onClose={onClose}>
      <SubmitForm form={form} shown={['name']} send="Create the key" onCancel={onClose}>
        <TextField
          label="Name"
          hint="The program that will use it"
          placeholder="Nightly import"
          required
          autocomplete="off"
          {...form.field('name')}
        />
      </SubmitForm>
    </Dialog>
  );
}
