// Ends a running call, or cancels a scheduled one, after a confirmation.
import type { Call } from '../api-types.ts';
import { call } from '../client.ts';
import { Button } from '../ui/button.tsx';
import { confirm } from '../ui/dialog.tsx';
import { say } from '../ui/toast.tsx';
import { t } from '../words/words.ts';
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
          button: t('Cancel'),
          title: t('Cancel the {title}?', { title }),
          text: t('Nobody is called at that time.'),
          action: t('Cancel the call'),
          keep: t('Keep the call'),
          done: t('The call has been cancelled'),
        }
      : {
          button: t('End'),
          title: t('End the {title}?', { title }),
          text: t('The line is cut at once, in the middle of a sentence if need be.'),
          action: t('End the call'),
          done: t('The call has been ended'),
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
