// Plays a short sound of the service's, and stops it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import { attempt } from './toast.tsx';

export function PlayButton({
  of,
  load,
  isSmall = false,
  label,
  disabled = false,
}: {
  /** Another one ends what plays. */
  of: string;
  load: () => Promise<Blob>;
  isSmall?: boolean;
  label?: string;
  disabled?: boolean;
}) {
  const audio = useRef<HTMLAudioElement | null>(null);
  const [state, setState] = useState<'silent' | 'loading' | 'playing'>('silent');
  const stop = () => {
    audio.current?.pause();
    if (audio.current !== null) URL.revokeObjectURL(audio.current.src);
    audio.current = null;
    setState('silent');
  };
  useEffect(() => stop, [of]);
  const play = async () => {
    setState('loading');
    const good = await attempt(async () => {
      const element = new Audio(URL.createObjectURL(await load()));
      element.onended = stop;
      audio.current = element;
      await element.play();
    });
    setState(good ? 'playing' : 'silent');
  };
  return (
    <Button
      isSmall={isSmall}
      onClick={() => (state === 'silent' ? void play() : stop())}
      isBusy={state === 'loading'}
      disabled={disabled}
      {...(label === undefined ? {} : { label })}
    >
      {state === 'playing' ? `■ ${t('Stop')}` : `▶ ${t('Listen')}`}
    </Button>
  );
}
