// Draws a part again whenever a call or a conversation says that it has changed.
import { useEffect, useReducer } from 'preact/hooks';

export function useChanges(of: EventTarget): void {
  const [, drawAgain] = useReducer((count: number, _: undefined) => count + 1, 0);
  useEffect(() => {
    const changed = () => drawAgain(undefined);
    of.addEventListener('change', changed);
    return () => of.removeEventListener('change', changed);
  }, [of]);
}
