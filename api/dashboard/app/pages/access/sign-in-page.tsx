// Sign-in by password or by the identity provider, and by the second factor if the user has one.
import { useState } from 'preact/hooks';
import type { LoginResult, Session } from '../../api-types.ts';
import { type ApiError, call } from '../../client.ts';
import { type Form, useForm } from '../../form.ts';
import { go, link, route } from '../../router.ts';
import { keepSignOutUrl, signIn } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/layout.tsx';
import { ErrorNotice } from '../../ui/status.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { Gate } from './gate.tsx';
import { BackFromProvider, ProviderButton } from './provider-sign-in.tsx';

export default function SignInPage() {
  const [pendingToken, setPendingToken] = useState<string | null>(null);
  const [answer, setAnswer] = useState(route.peek().query.get('answer'));
  const [fault, setFault] = useState<ApiError | null>(null);
  const enter = ({ token, refreshToken, user }: Session) => {
    const next = route.peek().query.get('next');
    signIn({ token, refreshToken }, user);
    // Always a page of the dashboard: an address after the hash cannot lead to another site.
    go(`#${next ?? '/'}`, { replace: true });
  };
  const take = (result: LoginResult) => {
    setAnswer(null);
    keepSignOutUrl(result.signOutUrl ?? null);
    if (result.requires2FA && result.pendingToken !== undefined) setPendingToken(result.pendingToken);
    else if (result.user && result.token && result.refreshToken) enter(result as Session);
  };
  const fail = (error: ApiError) => {
    setAnswer(null);
    setFault(error);
  };

  if (answer !== null) return <BackFromProvider answer={answer} onResult={take} onFault={fail} />;
  return pendingToken === null ? (
    <Ways fault={fault} onResult={take} />
  ) : (
    <CodeForm pendingToken={pendingToken} onSession={enter} onBack={() => setPendingToken(null)} />
  );
}

/** `fault`: of a sign-in by the provider that came to nothing. */
function Ways({ fault, onResult }: { fault: ApiError | null; onResult: (result: LoginResult) => void }) {
  const [wantsPassword, setWantsPassword] = useState(false);
  // Without an answer there are passwords.
  const ways = useApi('getSignInWays', {}).answer?.data;
  const provider = ways?.provider ?? null;
  const hasForm = ways?.passwords !== false || wantsPassword;
  const form = usePasswordForm(onResult);
  return (
    <Gate
      title={t('Sign in')}
      below={
        ways?.passwords === false ? (
          !wantsPassword && (
            <Button look="plain" onClick={() => setWantsPassword(true)}>
              {t('Administrators: sign in by password')}
            </Button>
          )
        ) : (
          <>
            <a href={link('/register')}>{t('Create an account')}</a>
            <a href={link('/forgot-password', { email: form.values.email })}>{t('Forgot your password?')}</a>
          </>
        )
      }
    >
      {route.value.query.has('done') && <Notice tone="good">{route.value.query.get('done')}</Notice>}
      <ErrorNotice error={fault} />
      {hasForm && <PasswordForm form={form} />}
      {provider !== null && <ProviderButton name={provider} isMain={!hasForm} />}
    </Gate>
  );
}

type Credentials = { email: string; password: string };

const usePasswordForm = (onResult: (result: LoginResult) => void): Form<Credentials> =>
  useForm({ email: route.value.query.get('email') ?? '', password: '' }, async ({ values }) => {
    const { data } = await call('login', { body: values });
    onResult(data);
  });

function PasswordForm({ form }: { form: Form<Credentials> }) {
  return (
    <SubmitForm right="own" form={form} shown={['email', 'password']} send={t('Sign in')} hasWideButton>
      <TextField label={t('E-mail address')} type="email" autocomplete="username" required {...form.field('email')} />
      <TextField
        label={t('Password')}
        type="password"
        autocomplete="current-password"
        required
        {...form.field('password')}
      />
    </SubmitForm>
  );
}

function CodeForm({
  pendingToken,
  onSession,
  onBack,
}: {
  pendingToken: string;
  onSession: (session: Session) => void;
  onBack: () => void;
}) {
  const form = useForm({ code: '' }, async ({ values }) => {
    const { data } = await call('verifySecondFactor', { body: { pendingToken, code: values.code.trim() } });
    onSession(data);
  });
  return (
    <Gate
      title={t('Second factor')}
      below={
        <Button look="plain" onClick={onBack}>
          {t('Back to the password')}
        </Button>
      }
    >
      <SubmitForm right="own" form={form} shown={['code']} send={t('Sign in')} hasWideButton>
        <TextField
          label={t('Code')}
          hint={t('Six digits from your authenticator app, or one of your recovery codes')}
          autocomplete="one-time-code"
          inputMode="numeric"
          required
          autofocus
          {...form.field('code')}
        />
      </SubmitForm>
    </Gate>
  );
}
