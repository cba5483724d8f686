// The recording of a call: play, seek, faster, download.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Peaks } from '../../calls/peaks.ts';
import { type Player, SPEEDS } from '../../calls/player.ts';
import { recordingPeaks } from '../../calls/recording-peaks.ts';
import { Waveform } from '../../calls/waveform.tsx';
import { formatPosition } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/layout.tsx';
import { ErrorNotice, Loading } from '../../ui/status.tsx';
import { useApi } from '../../use-api.ts';

export function Recording({ callId, player }: { callId: string; player: Player }) {
  const recording = useApi('getRecording', { params: { id: callId } });
  if (recording.answer !== null) return <Loaded recording={recording.answer} callId={callId} player={player} />;
  if (recording.error === null) {
    return (
      <Card title="Recording">
        <Loading />
      </Card>
    );
  }
  return (
    <Card title="Recording">
      {recording.error.status === 404 ? (
        <p class="soft">There is none: nobody answered, the campaign does not record, or it has been erased.</p>
      ) : (
        <ErrorNotice error={recording.error} onRetry={recording.reload} />
      )}
    </Card>
  );
}

function Loaded({ recording, callId, player }: { recording: Blob; callId: string; player: Player }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [address, setAddress] = useState('');
  const [peaks, setPeaks] = useState<Peaks | null>(null);
  useEffect(() => {
    const url = URL.createObjectURL(recording);
    setAddress(url);
    let isGone = false;
    void recordingPeaks(recording).then((found) => {
      if (!isGone) setPeaks(found);
    });
    return () => {
      isGone = true;
      URL.revokeObjectURL(url);
    };
  }, [recording]);
  useEffect(() => (audio.current === null ? undefined : player.attach(audio.current)), [player]);

  const isPlaying = player.isPlaying.value;
  const speed = player.speed.value;
  const atSeconds = player.atSeconds.value;
  const durationSeconds = player.durationSeconds.value;
  const extension = recording.type.includes('wav') ? 'wav' : 'mp3';
  return (
    <Card title="Recording">
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript stands beside it */}
      <audio ref={audio} src={address === '' ? undefined : address} preload="auto" />
      <Waveform
        peaks={peaks}
        atSeconds={atSeconds}
        durationSeconds={durationSeconds}
        onSeek={(seconds) => player.seek(seconds)}
      />
      <div class="row spread">
        <span class="row">
          <Button look="primary" onClick={() => player.toggle()}>
            {isPlaying ? 'Pause' : 'Play'}
          </Button>
          <span class="number nowrap">
            {formatPosition(atSeconds * 1_000)} <span class="soft">/ {formatPosition(durationSeconds * 1_000)}</span>
          </span>
        </span>
        <span class="row">
          <fieldset class="row">
            <legend class="visually-hidden">Speed</legend>
            {SPEEDS.map((each) => (
              <Button key={each} isSmall pressed={speed === each} onClick={() => player.setSpeed(each)}>
                {each}×
              </Button>
            ))}
          </fieldset>
          <a href={address} download={`${callId}.${extension}`}>
            Download
          </a>
        </span>
      </div>
    </Card>
  );
}
