// Opens a conversation with a campaign's agent, from any page. Its code is loaded at the first press.
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/status.tsx';
import { attempt } from '../ui/toast.tsx';
import { t } from '../words/words.ts';

export function TalkButton({
  campaignId,
  label = t('Talk to the agent'),
  look = 'normal',
  isSmall = false,
}: {
  campaignId: string;
  label?: string;
  look?: 'normal' | 'primary';
  isSmall?: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const [Panel, setPanel] = useState<ComponentType<{ campaignId: string }> | null>(null);
  const open = () => {
    setOpen(true);
    if (Panel === null) {
      void attempt(async () => {
        const { TalkPanel } = await import('./talk-panel.tsx');
        setPanel(() => TalkPanel);
      });
    }
  };
  return (
    <>
      <Button look={look} isSmall={isSmall} onClick={open}>
        {label}
      </Button>
      {isOpen && (
        <Dialog title={label} isWide onClose={() => setOpen(false)}>
          {Panel === null ? <Loading /> : <Panel campaignId={campaignId} />}
          <div>
            <Button onClick={() => setOpen(false)}>{t('Close')}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
