// The tab of the user's password, second factor and sessions.
import { useState } from 'preact/hooks';
import { call } from '../../client.ts';
import { updateUser } from '../../session.ts';
import { Answer } from '../../ui/status.tsx';
import { useApi } from '../../use-api.ts';
import { ChangePassword } from './change-password.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

export function SecurityTab() {
  const user = useApi('getCurrentUser', {});
  /** The sessions are other ones after a change of the password. */
  const [round, setRound] = useState(0);
  const [isEnabled, setEnabled] = useState<boolean | null>(null);
  const change = async (next: boolean) => {
    setEnabled(next);
    const { data } = await call('getCurrentUser', {});
    updateUser(data);
  };
  return (
    <Answer of={user}>
      {({ data }) => (
        <>
          <div class="stack narrow">
            {data.hasPassword && <ChangePassword email={data.email} onChanged={() => setRound(round + 1)} />}
            {(data.hasPassword || data.twoFactorEnabled) && (
              <SecondFactor isEnabled={isEnabled ?? data.twoFactorEnabled} onChange={change} />
            )}
          </div>
          <Sessions key={round} />
        </>
      )}
    </Answer>
  );
}
