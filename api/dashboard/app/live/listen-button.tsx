// Opens the listening to a running call, from any page. Its code is loaded at the first press.
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import type { Call } from '../api-types.ts';
import { callTitle } from '../calls/words.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/status.tsx';
import { attempt } from '../ui/toast.tsx';
import { t } from '../words/words.ts';

export function ListenButton({ call: record, isSmall = false }: { call: Call; isSmall?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [Panel, setPanel] = useState<ComponentType<{ call: Call }> | null>(null);
  const open = () => {
    setOpen(true);
    if (Panel !== null) return;
    void attempt(async () => {
      const { ListenPanel } = await import('./listen-panel.tsx');
      setPanel(() => ListenPanel);
    });
  };
  return (
    <>
      <Button right="work" isSmall={isSmall} disabled={record.status === 'RINGING'} onClick={open}>
        {t('Listen in')}
      </Button>
      {isOpen && (
        <Dialog title={callTitle(record)} isWide onClose={() => setOpen(false)}>
          {Panel === null ? <Loading /> : <Panel call={record} />}
          <div>
            <Button onClick={() => setOpen(false)}>{t('Close')}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
