// Sign-in by the installation's identity provider: the button that leads there, and what comes back from there. The
// proof of a sign-in stays in this tab: what comes back to another one is worth nothing.
import { useEffect } from 'preact/hooks';
import type { LoginResult } from '../../api-types.ts';
import { type ApiError, call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { go, link, route } from '../../router.ts';
import { Loading } from '../../ui/status.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { faultOf } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { Gate } from './gate.tsx';

const KEY = 'voice.sign-in';

interface Begun {
  proof: string;
  /** The page that was asked for before the sign-in. */
  next: string | null;
}

export function ProviderButton({ name, isMain }: { name: string; isMain: boolean }) {
  const form = useForm({}, async () => {
    const { data } = await call('beginProviderSignIn', {});
    const begun: Begun = { proof: data.proof, next: route.peek().query.get('next') };
    sessionStorage.setItem(KEY, JSON.stringify(begun));
    location.assign(data.url);
    // The button stays busy until this page is left.
    await new Promise<never>(() => {});
  });
  return (
    <SubmitForm
      right="own"
      form={form}
      send={t('Sign in with {name}', { name })}
      look={isMain ? 'primary' : 'normal'}
      hasWideButton
    >
      {null}
    </SubmitForm>
  );
}

/** Trades the answer in the address for a session, once. */
export function BackFromProvider({
  answer,
  onResult,
  onFault,
}: {
  answer: string;
  onResult: (result: LoginResult) => void;
  onFault: (error: ApiError) => void;
}) {
  useEffect(() => {
    const { proof, next } = taken();
    go(link('/sign-in', { next }), { replace: true });
    call('finishProviderSignIn', { body: { answer, proof } }).then(
      ({ data }) => onResult(data),
      (fault: unknown) => onFault(faultOf(fault)),
    );
  }, [answer]);
  return (
    <Gate title={t('Sign in')}>
      <Loading />
    </Gate>
  );
}

function taken(): Begun {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return kept === null ? { proof: 'none', next: null } : (JSON.parse(kept) as Begun);
}
