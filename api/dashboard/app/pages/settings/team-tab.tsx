// The users of the account: all see the same.
import type { User } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { session } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Badge, Card } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/status.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';

export function TeamTab() {
  const users = useApi('listUsers', { query: { page: currentPage(), limit: 20 } });
  const form = useForm({ email: '' }, async ({ values, reset }) => {
    await call('inviteUser', { body: values });
    say(`${values.email} is invited`);
    reset({ email: '' });
    users.reload();
  });
  const remove = ({ id, email }: User) =>
    confirm({
      title: `Remove ${email}?`,
      text: 'Their sessions and API keys end at once. What they have set up stays.',
      action: 'Remove',
      perform: async () => {
        await call('removeUser', { params: { id } });
        say(`${email} is removed`);
        users.reload();
      },
    });
  const me = session.value?.user;
  const isMine = ({ id }: User) => id === me?.id;
  return (
    <div class="stack">
      <Card title="Invite">
        <form class="filters roomy" onSubmit={form.submit}>
          <TextField label="E-mail address" type="email" required autocomplete="off" {...form.field('email')} />
          <Button look="primary" isBusy={form.isSending}>
            Send the invitation
          </Button>
        </form>
        <ErrorNotice error={form.error} shown={['email']} />
        <p class="small soft">
          A mail brings a link that sets the password; it is good for 7 days. Everyone in the account sees the same
          data, and can invite and remove others.
        </p>
      </Card>
      <List
        of={users}
        label="Team"
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'E-mail address',
            cell: (user) => (
              <span class="row">
                {user.email}
                {isMine(user) && <span class="soft">(you)</span>}
              </span>
            ),
          },
          {
            title: 'Role',
            cell: ({ role }) => (role === 'ADMIN' ? <Badge tone="live">Admin</Badge> : 'Member'),
          },
          {
            title: 'State',
            cell: ({ emailVerified }) =>
              emailVerified ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Invited</Badge>,
          },
          { title: 'Two-factor', cell: ({ twoFactorEnabled }) => (twoFactorEnabled ? 'On' : 'Off') },
          { title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: '',
            cell: (user) =>
              // The service refuses to remove the user itself, and only an admin may remove an admin.
              !isMine(user) &&
              (user.role !== 'ADMIN' || me?.role === 'ADMIN') && (
                <Button look="danger" isSmall onClick={() => remove(user)} label={`Remove ${user.email}`}>
                  Remove
                </Button>
              ),
          },
        ]}
      />
    </div>
  );
}
