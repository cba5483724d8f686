// Entries of the do-not-call list: how a number came there, and the question before it is taken off again.
import type { DoNotCallEntry } from '../api-types.ts';
import { call } from '../client.ts';
import { confirm } from '../ui/dialog.tsx';
import { say } from '../ui/toast.tsx';

export const SOURCES: Record<DoNotCallEntry['source'], string> = {
  api: 'By hand or API',
  call: 'Asked for on a call',
  digits: 'Pressed 9 on a call',
};

export const askToAllow = ({ phoneNumber, source }: DoNotCallEntry, onAllowed: () => void) =>
  confirm({
    title: `Allow calls to ${phoneNumber} again?`,
    text:
      source === 'api'
        ? 'It can be called from now on. Contacts that were set to "Do not call" stay so.'
        : 'The person has asked not to be called. Contacts that were set to "Do not call" stay so.',
    action: 'Take it off the list',
    ...(source === 'api' ? {} : { typed: phoneNumber }),
    perform: async () => {
      await call('removeDoNotCall', { params: { phoneNumber } });
      onAllowed();
      say(`Took ${phoneNumber} off the list`);
    },
  });
