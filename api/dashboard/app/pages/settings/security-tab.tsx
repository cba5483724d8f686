import { useState } from 'preact/hooks';
import { call } from '../../client.ts';
import { link } from '../../router.ts';
import { updateUser } from '../../session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { useApi } from '../../use-api.ts';
import { SecondFactor } from './second-factor.tsx';

export function SecurityTab() {
  const user = useApi('getCurrentUser', {});
  const [isEnabled, setEnabled] = useState<boolean | null>(null);
  const change = async (next: boolean) => {
    setEnabled(next);
    const { data } = await call('getCurrentUser', {});
    updateUser(data);
  };
  return (
    <Answer of={user}>
      {({ data }) => (
        <div class="stack narrow">
          <Card title="Password">
            <p>
              A code is sent to <strong>{data.email}</strong>; with it you set a new password. All your sessions end,
              this one too.
            </p>
            <div>
              <ButtonLink href={link('/forgot-password', { email: data.email })}>Change the password</ButtonLink>
            </div>
          </Card>
          <SecondFactor isEnabled={isEnabled ?? data.twoFactorEnabled} onChange={change} />
        </div>
      )}
    </Answer>
  );
}
