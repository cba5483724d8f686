// Whether changes of a business wait until they are published.
import type { Business } from '../api-types.ts';
import { call } from '../client.ts';
import { SentCheckbox } from '../ui/fields/sent-checkbox.tsx';
import { attempt } from '../ui/toast.tsx';
import { t } from '../words/words.ts';

interface DraftsSwitchProps {
  business: Pick<Business, 'id' | 'drafts'>;
  onChanged: (business: Business) => void;
}

export function DraftsSwitch({ business: { id, drafts }, onChanged }: DraftsSwitchProps) {
  const change = (wished: boolean) =>
    attempt(
      async () => {
        const { data } = await call('updateBusiness', { params: { id }, body: { drafts: wished } });
        onChanged(data);
      },
      wished ? t('Changes wait until they are published') : t('Changes count from the next call on'),
    );
  return (
    <SentCheckbox
      label={t('Changes wait until they are published')}
      hint={t(
        'Those of the business, of the agents of its campaigns and of their tools. Documents and hold music count at once.',
      )}
      value={drafts}
      onSend={change}
    />
  );
}
