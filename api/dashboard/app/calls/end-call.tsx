// Ends a running call after a confirmation.
import type { Call } from '../api-types.ts';
import { call } from '../client.ts';
import { Button } from '../ui/button.tsx';
import { confirm } from '../ui/dialog.tsx';
import { say } from '../ui/toast.tsx';
import { callTitle } from './words.ts';

export function EndCallButton({
  call: record,
  onEnded,
  isSmall = false,
}: {
  call: Call;
  onEnded: () => void;
  isSmall?: boolean;
}) {
  const ask = () =>
    confirm({
      title: `End the ${callTitle(record, { inSentence: true })}?`,
      text: 'The line is cut at once, in the middle of a sentence if need be.',
      action: 'End the call',
      perform: async () => {
        await call('endCall', { params: { id: record.id } });
        say('The call has been ended');
        onEnded();
      },
    });
  return (
    <Button look="danger" isSmall={isSmall} onClick={ask}>
      End
    </Button>
  );
}
