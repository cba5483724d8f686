// The users of the account: all see the same.
import { useState } from 'preact/hooks';
import type { User } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { session } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Badge, Card } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { Secret } from '../../ui/secret.tsx';
import { ErrorNotice } from '../../ui/status.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';

const ROLES: Record<User['access'], string> = {
  viewer: words('Viewer'),
  operator: words('Operator'),
  admin: words('Member'),
};

export function TeamTab() {
  const users = useApi('listUsers', { query: { page: currentPage(), limit: 20 } });
  const [invited, setInvited] = useState<{ email: string; url: string } | null>(null);
  const invite = async (email: string) => {
    const { data } = await call('inviteUser', { body: { email } });
    setInvited(data.inviteUrl === null ? null : { email, url: data.inviteUrl });
    if (data.inviteUrl === null) say(t('A mail with the link is on its way to {email}', { email }));
    users.reload();
  };
  const form = useForm({ email: '' }, async ({ values, rebase }) => {
    await invite(values.email);
    rebase({ email: '' });
  });
  const remove = ({ id, email }: User) =>
    confirm({
      title: t('Remove {email}?', { email }),
      text: t('Their sessions and API keys end at once. What they have set up stays.'),
      action: t('Remove'),
      perform: async () => {
        await call('removeUser', { params: { id } });
        say(t('{email} is removed', { email }));
        users.reload();
      },
    });
  const me = session.value?.user;
  const isMine = ({ id }: User) => id === me?.id;
  return (
    <div class="stack">
      <Card title={t('Invite')}>
        <form class="filters roomy" onSubmit={form.submit}>
          <TextField label={t('E-mail address')} type="email" required autocomplete="off" {...form.field('email')} />
          <Button right="change" look="primary" isBusy={form.isSending}>
            {t('Send the invitation')}
          </Button>
        </form>
        <ErrorNotice error={form.error} shown={['email']} />
        {invited !== null && (
          <Secret
            label={t('No mail server is set: send this link to {email} yourself', { email: invited.email })}
            value={invited.url}
            hint={t('It sets the password, and is good for 7 days. With SMTP_URL the service sends it.')}
          />
        )}
        <p class="small soft">
          {t(
            'A link sets the password; it is good for 7 days, and a new one ends the one before. Everyone in the account sees the same data, and can invite and remove others.',
          )}
        </p>
      </Card>
      <List
        of={users}
        label={t('Team')}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('E-mail address'),
            cell: (user) => (
              <span class="row">
                {user.email}
                {isMine(user) && <span class="soft">{t('(you)')}</span>}
              </span>
            ),
          },
          {
            title: t('Role'),
            cell: ({ role, access }) => (role === 'ADMIN' ? <Badge tone="live">{t('Admin')}</Badge> : t(ROLES[access])),
          },
          {
            title: t('State'),
            cell: ({ emailVerified }) =>
              emailVerified ? <Badge tone="good">{t('Active')}</Badge> : <Badge tone="warn">{t('Invited')}</Badge>,
          },
          { title: t('Two-factor'), cell: ({ twoFactorEnabled }) => (twoFactorEnabled ? t('On') : t('Off')) },
          { title: t('Since'), cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: '',
            cell: (user) =>
              // The service refuses to remove the user itself, and only an admin may remove an admin.
              !isMine(user) &&
              (user.role !== 'ADMIN' || me?.role === 'ADMIN') && (
                <span class="row">
                  {!user.emailVerified && (
                    <Button
                      isSmall
                      onClick={() => void attempt(() => invite(user.email))}
                      label={t('New link for {email}', { email: user.email })}
                    >
                      {t('New link')}
                    </Button>
                  )}
                  <Button
                    look="danger"
                    isSmall
                    onClick={() => remove(user)}
                    label={t('Remove {email}', { email: user.email })}
                  >
                    {t('Remove')}
                  </Button>
                </span>
              ),
          },
        ]}
      />
    </div>
  );
}
