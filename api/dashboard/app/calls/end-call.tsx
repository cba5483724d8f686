// Ends a running call, or cancels a scheduled one, after a confirmation.
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
  const title = callTitle(record, { inSentence: true });
  const words =
    record.status === 'SCHEDULED'
      ? {
          button: 'Cancel',
          title: `Cancel the ${title}?`,
          text: 'Nobody is called at that time.',
          action: 'Cancel the call',
          done: 'The call has been cancelled',
        }
      : {
          button: 'End',
          title: `End the ${title}?`,
          text: 'The line is cut at once, in the middle of a sentence if need be.',
          action: 'End the call',
          done: 'The call has been ended',
        };
  const ask = () =>
    confirm({
      ...words,
      perform: async () => {
        await call('endCall', { params: { id: record.id } });
        say(words.done);
        onEnded();
      },
    });
  return (
    <Button right="work" look="danger" isSmall={isSmall} onClick={ask}>
      {words.button}
    </Button>
  );
}
