// Asks before a form with unsaved changes is left by a link, the back button, or closing the window.
import { useLayoutEffect } from 'preact/hooks';
import { leave, parseHash, route, setBarrier } from './router.ts';
import { confirm } from './ui/dialog.tsx';
import { t } from './words/words.ts';

interface Options {
  /** The scope of the form: the page or a tab. */
  of?: 'page' | 'tab';
  text?: string;
}

export function useUnsaved(
  isChanged: boolean,
  { of = 'page', text = t('What you have changed on this page is lost.') }: Options = {},
): void {
  // A layout effect runs at once: saved changes must not cause a question.
  useLayoutEffect(() => {
    if (!isChanged) return;
    const bars = (address: string) => {
      const [from, to] = [route.peek(), parseHash(address)];
      return from.path !== to.path || (of === 'tab' && from.query.get('tab') !== to.query.get('tab'));
    };
    const ask = (address: string) =>
      confirm({
        title: t('Leave without saving?'),
        text,
        action: t('Leave without saving'),
        perform: async () => leave(address),
      });
    const onClick = (event: MouseEvent) => {
      const address = plainLink(event);
      if (address === null || !bars(address)) return;
      event.preventDefault();
      ask(address);
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    setBarrier({ bars, ask });
    document.addEventListener('click', onClick, true);
    addEventListener('beforeunload', onUnload);
    return () => {
      setBarrier(null);
      document.removeEventListener('click', onClick, true);
      removeEventListener('beforeunload', onUnload);
    };
  }, [isChanged, of, text]);
}

/** The page that a click opens in this tab; null if it opens none or another tab. */
function plainLink(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const anchor = event.target instanceof Element ? event.target.closest('a') : null;
  const address = anchor?.getAttribute('href') ?? '';
  return address.startsWith('#') && anchor?.target !== '_blank' ? address : null;
}
