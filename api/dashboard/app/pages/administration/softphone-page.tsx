// One softphone: its live registration, and its fields.
import { useState } from 'preact/hooks';
import type { SipAccount } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import type { PageProps } from '../../page-props.ts';
import { go, link } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Card, Facts, Page } from '../../ui/layout.tsx';
import { Secret } from '../../ui/secret.tsx';
import { Answer, ErrorNotice } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { SOFTPHONE_FIELDS, SoftphoneFields, softphoneBodyOf, softphoneValuesOf } from './softphone-fields.tsx';
import { PhoneSettings } from './softphone-new-page.tsx';
import { SoftphoneState, whereOf } from './softphones-page.tsx';

const EVERY_MS = 3_000;
/** Without similar letters and digits: the password is often typed into a telephone. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const PASSWORD_LENGTH = 20;

/** Nearly uniform: the remainder of 2^32 values by 31 letters. */
const newPassword = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(PASSWORD_LENGTH)), (value) => LETTERS[value % LETTERS.length]).join(
    '',
  );

export default function SoftphonePage({ params: { id = '' } }: PageProps) {
  const phone = useApi('getSipAccount', { params: { id } }, { everyMs: EVERY_MS });
  const [password, setPassword] = useState<string | null>(null);
  const found = phone.answer?.data;
  return (
    <Page
      title={found?.username ?? t('Softphone')}
      back={{ href: link('/admin/softphones'), text: t('Softphones') }}
      actions={found === undefined ? undefined : <Switch phone={found} onChanged={phone.reload} />}
    >
      {password !== null && <Secret label={t('New password: the old one is refused from now on')} value={password} />}
      <Answer of={phone}>
        {({ data }) => (
          <>
            <Live phone={data} />
            <div class="stack narrow">
              <SoftphoneForm phone={data} key={data.id} onSaved={phone.reload} />
              <PhoneSettings username={data.username} />
              <Password phone={data} onChanged={setPassword} />
              <Delete phone={data} />
            </div>
          </>
        )}
      </Answer>
    </Page>
  );
}

function Live({ phone }: { phone: SipAccount }) {
  const { registration } = phone;
  return (
    <Facts
      facts={[
        [t('State'), <SoftphoneState key="state" of={phone} />],
        [t('Where'), whereOf(registration)],
        [t('Contact'), registration === null ? null : <code key="contact">{registration.contact}</code>],
        [t('Program'), registration?.userAgent],
        [t('Since'), registration === null ? null : <Time key="since" at={registration.since} />],
        [t('Until'), registration === null ? null : <Time key="until" at={registration.expiresAt} />],
        [t('Added'), <Time key="added" at={phone.createdAt} />],
      ]}
    />
  );
}

function Switch({ phone: { id, enabled }, onChanged }: { phone: SipAccount; onChanged: () => void }) {
  const change = async () => {
    await attempt(
      () => call('updateSipAccount', { params: { id }, body: { enabled: !enabled } }),
      enabled ? t('Switched off: its phone is unregistered') : t('Switched on'),
    );
    onChanged();
  };
  return <Button onClick={() => void change()}>{enabled ? t('Switch off') : t('Switch on')}</Button>;
}

function SoftphoneForm({ phone, onSaved }: { phone: SipAccount; onSaved: () => void }) {
  const form = useForm(softphoneValuesOf(phone), async ({ changes, rebase }) => {
    const { data } = await call('updateSipAccount', { params: { id: phone.id }, body: softphoneBodyOf(changes) });
    rebase(softphoneValuesOf(data));
    say(t('Saved'));
    onSaved();
  });
  useUnsaved(form.isChanged);
  return (
    <form onSubmit={form.submit}>
      <Card>
        <SoftphoneFields form={form} />
        <ErrorNotice error={form.error} shown={SOFTPHONE_FIELDS} />
        <div>
          <Button look="primary" isBusy={form.isSending} disabled={!form.isChanged}>
            {t('Save')}
          </Button>
        </div>
      </Card>
    </form>
  );
}

function Password({
  phone: { id, username },
  onChanged,
}: {
  phone: SipAccount;
  onChanged: (password: string) => void;
}) {
  const renew = () =>
    confirm({
      title: t('A new password for {name}?', { name: username }),
      text: t('Its phone is unregistered at once, and comes back when the new password is typed into it.'),
      action: t('Make a new password'),
      perform: async () => {
        const password = newPassword();
        await call('updateSipAccount', { params: { id }, body: { password } });
        onChanged(password);
        scrollTo(0, 0);
      },
    });
  return (
    <Card title={t('Password')}>
      <p>{t('It is stored encrypted and never shown again: a lost one is replaced.')}</p>
      <div>
        <Button onClick={renew}>{t('Make a new password')}</Button>
      </div>
    </Card>
  );
}

function Delete({ phone: { id, username } }: { phone: SipAccount }) {
  const remove = () =>
    confirm({
      title: t('Delete the softphone {name}?', { name: username }),
      text: t('Its phone is unregistered at once. Transfers to it fail, and its user name is free again.'),
      action: t('Delete the softphone'),
      perform: async () => {
        await call('deleteSipAccount', { params: { id } });
        say(t('Deleted {name}', { name: username }));
        go(link('/admin/softphones'), { replace: true });
      },
    });
  return (
    <Card title={t('Delete')}>
      <div>
        <Button look="danger" onClick={remove}>
          {t('Delete the softphone')}
        </Button>
      </div>
    </Card>
  );
}
