// Somebody signs in to Google or Microsoft for a calendar: Microsoft's way is a code that is entered there, Google's a
// window that comes back to this service and hands over a code by a channel of this browser.
import { useEffect, useState } from 'preact/hooks';
import type { CalendarSignIn } from '../api-types.ts';
import type { ApiError } from '../client.ts';
import { call } from '../client.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/layout.tsx';
import { ErrorNotice } from '../ui/status.tsx';
import { faultOf } from '../use-api.ts';
import { Linked } from '../words/linked.tsx';
import { t } from '../words/words.ts';

export type SignIn = CalendarSignIn;
type Kind = SignIn['kind'];

const LOOKS_EVERY_MS = 5_000;
const NAMES: Record<Kind, string> = { google: 'Google', microsoft: 'Microsoft' };

export function AccountSignIn({ kind, onSignedIn }: { kind: Kind; onSignedIn: (signIn: SignIn) => void }) {
  const [signIn, setSignIn] = useState<SignIn | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const name = NAMES[kind];
  const take = (next: SignIn): void => {
    setSignIn(next);
    if (next.state === 'done') onSignedIn(next);
  };
  const begin = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    // A window that is opened by an answer, and not by the click, is held back by browsers.
    const opened = kind === 'google' ? open('', 'calendar-sign-in', 'width=520,height=680') : null;
    try {
      const { data } = await call('beginCalendarSignIn', { body: { kind } });
      take(data);
      if (opened !== null && data.url !== null) {
        opened.opener = null;
        opened.location.href = data.url;
      }
    } catch (fault) {
      opened?.close();
      setError(faultOf(fault));
    }
    setBusy(false);
  };
  const waitingId = signIn?.state === 'waiting' ? signIn.id : null;
  useEffect(() => (waitingId === null ? undefined : watch(kind, waitingId, take, setError)), [waitingId]);
  return (
    <>
      {signIn?.state === 'waiting' && <Waiting signIn={signIn} name={name} />}
      {signIn?.state === 'failed' && <Notice tone="bad">{signIn.error}</Notice>}
      {signIn?.state === 'done' && (
        <Notice tone="good">{t('Signed in to {name}. Choose the calendar.', { name })}</Notice>
      )}
      <ErrorNotice error={error} />
      {signIn?.state !== 'done' && (
        <div>
          <Button isBusy={isBusy} onClick={() => void begin()}>
            {signIn === null ? t('Sign in to {name}', { name }) : t('Begin again')}
          </Button>
        </div>
      )}
    </>
  );
}

function Waiting({ signIn: { url, code }, name }: { signIn: SignIn; name: string }) {
  const to = [url ?? ''];
  if (code === null)
    return (
      <Notice>
        <Linked
          text={t('Sign in to {name} in [the window] that has opened. This page goes on by itself.', { name })}
          to={to}
          isElsewhere
        />
      </Notice>
    );
  return (
    <Notice>
      <span>
        <Linked
          text={t(
            'Open [{url}], enter this code, and sign in as the one whose calendar it is. This page goes on by itself.',
            { url: url ?? '' },
          )}
          to={to}
          isElsewhere
        />
      </span>
      <div class="secret">
        <code>{code}</code>
      </div>
    </Notice>
  );
}

/** Until it is done: looks every few seconds, and takes what Google's window brings back. */
function watch(kind: Kind, id: string, take: (signIn: SignIn) => void, onFault: (error: ApiError) => void): () => void {
  const settle = (answer: Promise<{ data: SignIn }>): void => {
    answer.then(
      ({ data }) => take(data),
      (fault: unknown) => onFault(faultOf(fault)),
    );
  };
  const timer = setInterval(() => settle(call('getCalendarSignIn', { params: { id } })), LOOKS_EVERY_MS);
  const channel = kind === 'google' ? new BroadcastChannel('calendar-sign-in') : null;
  if (channel !== null)
    channel.onmessage = ({ data: { state, code } }: MessageEvent<{ state?: string; code?: string }>) => {
      // Another tab may wait for another one.
      if (state === undefined || code === undefined || !state.startsWith(`${id}.`)) return;
      channel.postMessage({ taken: state });
      settle(call('finishCalendarSignIn', { params: { id }, body: { state, code } }));
    };
  return () => {
    clearInterval(timer);
    channel?.close();
  };
}
