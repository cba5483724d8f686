// Entries of the do-not-call list: how a number came there, and the question before it is taken off again.
import type { DoNotCallEntry } from '../api-types.ts';
import { call } from '../client.ts';
import { confirm } from '../ui/dialog.tsx';
import { say } from '../ui/toast.tsx';
import { t, words } from '../words/words.ts';

export const SOURCES: Record<DoNotCallEntry['source'], string> = {
  api: words('By hand or API'),
  call: words('Asked for on a call'),
  digits: words('Pressed 9 on a call'),
};

export const askToAllow = ({ phoneNumber, source }: DoNotCallEntry, onAllowed: () => void) =>
  confirm({
    title: t('Allow calls to {phoneNumber} again?', { phoneNumber }),
    text:
      source === 'api'
        ? t('It can be called from now on. Contacts that were set to "Do not call" stay so.')
        : t('The person has asked not to be called. Contacts that were set to "Do not call" stay so.'),
    action: t('Take it off the list'),
    ...(source === 'api' ? {} : { typed: phoneNumber }),
    perform: async () => {
      await call('removeDoNotCall', { params: { phoneNumber } });
      onAllowed();
      say(t('Took {phoneNumber} off the list', { phoneNumber }));
    },
  });
