// A form with unsaved changes is not left without a question: by a link, the back button, or the window's closing.
import { useEffect } from 'preact/hooks';
import { isElsewhere, leave, setBarrier } from './router.ts';
import { confirm } from './ui/dialog.tsx';

export function useUnsaved(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const onClick = (event: MouseEvent) => {
      const address = plainLink(event);
      if (address === null || !isElsewhere(address)) return;
      event.preventDefault();
      ask(address);
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    setBarrier(ask);
    document.addEventListener('click', onClick, true);
    addEventListener('beforeunload', onUnload);
    return () => {
      setBarrier(null);
      document.removeEventListener('click', onClick, true);
      removeEventListener('beforeunload', onUnload);
    };
  }, [isChanged]);
}

/** The page that a click opens here; null where it opens none, or in another tab. */
function plainLink(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const anchor = event.target instanceof Element ? event.target.closest('a') : null;
  const address = anchor?.getAttribute('href') ?? '';
  return address.startsWith('#') && anchor?.target !== '_blank' ? address : null;
}

const ask = (address: string): void =>
  confirm({
    title: 'Leave without saving?',
    text: 'What you have changed on this page is lost.',
    action: 'Leave without saving',
    perform: async () => leave(address),
  });
