// The page that adds a softphone and then shows the settings for the telephone.
import { useState } from 'preact/hooks';
import type { NewSipAccount } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Facts, Page } from '../../ui/layout.tsx';
import { Secret } from '../../ui/secret.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { t } from '../../words/words.ts';
import { SOFTPHONE_FIELDS, SoftphoneFields, type SoftphoneValues, softphoneBodyOf } from './softphone-fields.tsx';

const back = () => ({ href: link('/admin/softphones'), text: t('Softphones') });

export default function SoftphoneNewPage() {
  const [created, setCreated] = useState<NewSipAccount | null>(null);
  const form = useForm<SoftphoneValues>({ username: '', displayName: '', callsTo: null }, async ({ values }) => {
    const { data } = await call('createSipAccount', {
      body: { ...softphoneBodyOf(values), username: values.username },
    });
    setCreated(data);
  });
  if (created !== null) return <CreatedPage phone={created} />;
  return (
    <Page title={t('New softphone')} back={back()}>
      <SubmitForm
        form={form}
        isNarrow
        shown={SOFTPHONE_FIELDS}
        send={t('Add the softphone')}
        beside={<ButtonLink href={link('/admin/softphones')}>{t('Cancel')}</ButtonLink>}
      >
        <Card>
          <SoftphoneFields form={form} />
        </Card>
      </SubmitForm>
    </Page>
  );
}

function CreatedPage({ phone: { id, username, password } }: { phone: NewSipAccount }) {
  return (
    <Page title={t('Softphone added')} lead={username} back={back()}>
      <div class="stack narrow">
        <Secret label={t('Its password')} value={password} />
        <PhoneSettings username={username} />
        <div>
          <ButtonLink look="primary" href={link(`/admin/softphones/${id}`)}>
            {t('See whether it registers')}
          </ButtonLink>
        </div>
      </div>
    </Page>
  );
}

/** The settings to type into the phone. */
export function PhoneSettings({ username }: { username: string }) {
  return (
    <Card title={t('Settings of the phone')}>
      <Facts
        facts={[
          [t('User name'), <code key="username">{username}</code>],
          [t('Domain, registrar'), t('Address and port of the service: sip= of the line that says “ready”')],
          [t('Transport'), t('UDP or TCP; TLS where SIP_TLS_PORT is set')],
          [t('Codecs'), t('G.711, G.722 or Opus: those of SIP_CODECS')],
          ['DTMF', t('RFC 4733 (RFC 2833), or SIP INFO')],
          [t('Encryption'), t('None over UDP and TCP; SRTP with SDES over TLS')],
        ]}
      />
    </Card>
  );
}
