// Plays a sample sentence in a voice, rendered by the service.
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../client.ts';
import { Button } from '../../ui/button.tsx';
import { attempt } from '../../ui/toast.tsx';

export function VoicePreview({
  voiceId,
  isSmall = false,
  label,
}: {
  voiceId: string;
  isSmall?: boolean;
  label?: string;
}) {
  const audio = useRef<HTMLAudioElement | null>(null);
  const [state, setState] = useState<'silent' | 'loading' | 'playing'>('silent');
  const stop = () => {
    audio.current?.pause();
    if (audio.current !== null) URL.revokeObjectURL(audio.current.src);
    audio.current = null;
    setState('silent');
  };
  useEffect(() => stop, [voiceId]);
  const play = async () => {
    setState('loading');
    const good = await attempt(async () => {
      const wav = await call('getVoicePreview', { params: { id: voiceId } });
      const element = new Audio(URL.createObjectURL(wav));
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
      disabled={voiceId === ''}
      {...(label === undefined ? {} : { label })}
    >
      {state === 'playing' ? '■ Stop' : '▶ Listen'}
    </Button>
  );
}
