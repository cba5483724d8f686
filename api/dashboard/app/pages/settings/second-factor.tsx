// Two-factor sign-in: set up with an authenticator app, confirmed with its code, with recovery codes for its loss.
import { useState } from 'preact/hooks';
import type { SecondFactorSetup } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Badge, Card } from '../../ui/layout.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { t } from '../../words/words.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

export function SecondFactor({
  isEnabled,
  onChange,
}: {
  isEnabled: boolean;
  onChange: (isEnabled: boolean) => Promise<void>;
}) {
  const [setup, setSetup] = useState<SecondFactorSetup | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [isDisabling, setDisabling] = useState(false);
  const begin = () => attempt(async () => setSetup((await call('setUpSecondFactor', {})).data));
  const enabled = async (next: readonly string[]) => {
    setCodes(next);
    setSetup(null);
    await onChange(true);
  };
  const disabled = async () => {
    setDisabling(false);
    setCodes(null);
    await onChange(false);
    say(t('Two-factor sign-in is off'));
  };
  const state = isEnabled ? <Badge tone="good">{t('On')}</Badge> : <Badge>{t('Off')}</Badge>;
  return (
    <Card title={t('Two-factor sign-in')} actions={state}>
      {codes !== null && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      {setup === null && !isDisabling && codes === null && (
        <>
          <p>
            {isEnabled
              ? t('Signing in takes the password and a code of your authenticator app.')
              : t(
                  'Beside the password, a code of an authenticator app on your phone: a password that leaks is then not enough.',
                )}
          </p>
          <div>
            {isEnabled ? (
              <Button right="own" look="danger" onClick={() => setDisabling(true)}>
                {t('Switch it off')}
              </Button>
            ) : (
              <Button look="primary" onClick={() => void begin()}>
                {t('Set it up')}
              </Button>
            )}
          </div>
        </>
      )}
      {setup !== null && <EnableForm setup={setup} onEnabled={enabled} onCancel={() => setSetup(null)} />}
      {isDisabling && <DisableForm onDisabled={disabled} onCancel={() => setDisabling(false)} />}
    </Card>
  );
}

function EnableForm({
  setup: { secret, otpauthUrl },
  onEnabled,
  onCancel,
}: {
  setup: SecondFactorSetup;
  onEnabled: (codes: readonly string[]) => Promise<void>;
  onCancel: () => void;
}) {
  const form = useForm({ code: '' }, async ({ values }) => {
    const { data } = await call('enableSecondFactor', { body: { code: values.code.trim() } });
    await onEnabled(data.recoveryCodes);
  });
  return (
    <SubmitForm right="own" form={form} shown={['code']} send={t('Switch it on')} onCancel={onCancel}>
      <p>{t('Scan this with your authenticator app, or type the secret into it.')}</p>
      <div class="row">
        <QrCode text={otpauthUrl} label={t('QR code of the secret below')} />
      </div>
      <div class="stack tight">
        <strong>{t('Secret')}</strong>
        <div>
          <code>{secret}</code>
        </div>
      </div>
      <TextField
        label={t('Code')}
        hint={t('Six digits that the app shows now')}
        autocomplete="one-time-code"
        inputMode="numeric"
        required
        {...form.field('code')}
      />
    </SubmitForm>
  );
}

function DisableForm({ onDisabled, onCancel }: { onDisabled: () => Promise<void>; onCancel: () => void }) {
  const form = useForm({ password: '', code: '' }, async ({ values: { password, code } }) => {
    await call('disableSecondFactor', { body: { password, code: code.trim() } });
    await onDisabled();
  });
  return (
    <SubmitForm
      right="own"
      form={form}
      shown={['password', 'code']}
      send={t('Switch it off')}
      look="danger"
      onCancel={onCancel}
    >
      <p>{t('Signing in then takes the password alone. The recovery codes stop working.')}</p>
      <TextField
        label={t('Password')}
        type="password"
        autocomplete="current-password"
        required
        {...form.field('password')}
      />
      <TextField
        label={t('Code')}
        hint={t('From the app, or a recovery code')}
        autocomplete="one-time-code"
        required
        {...form.field('code')}
      />
    </SubmitForm>
  );
}
