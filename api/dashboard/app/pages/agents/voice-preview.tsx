// Plays a sample sentence in a voice, rendered by the service.
import { call } from '../../client.ts';
import { PlayButton } from '../../ui/play-button.tsx';

export function VoicePreview({ voiceId, ...props }: { voiceId: string; isSmall?: boolean; label?: string }) {
  return (
    <PlayButton
      {...props}
      of={voiceId}
      disabled={voiceId === ''}
      load={() => call('getVoicePreview', { params: { id: voiceId } })}
    />
  );
}
