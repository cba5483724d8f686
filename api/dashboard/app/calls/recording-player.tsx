// A loaded recording: its outline, play, seek, faster, download.
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatPosition } from '../format.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { t } from '../words/words.ts';
import type { Peaks } from './peaks.ts';
import { type Player, SPEEDS } from './player.ts';
import { recordingPeaks } from './recording-peaks.ts';
import { type Gap, Waveform } from './waveform.tsx';

interface RecordingPlayerProps {
  recording: Blob;
  player: Player;
  /** Of the file, without its ending. */
  name: string;
  /** Parts that were not recorded, in seconds. */
  holes?: ReadonlyArray<{ from: number; to: number }>;
  gaps?: readonly Gap[];
}

export function RecordingPlayer({ recording, player, name, holes = [], gaps }: RecordingPlayerProps) {
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
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript stands beside it */}
      <audio ref={audio} src={address === '' ? undefined : address} preload="auto" />
      <Waveform
        peaks={peaks}
        atSeconds={atSeconds}
        durationSeconds={durationSeconds}
        holes={holes}
        {...(gaps === undefined ? {} : { gaps })}
        onSeek={(seconds) => player.seek(seconds)}
      />
      <div class="row spread">
        <span class="row">
          <Button look="primary" onClick={() => player.toggle()}>
            <Icon name={isPlaying ? 'pause' : 'play'} />
            {isPlaying ? t('Pause') : t('Play')}
          </Button>
          <span class="number nowrap">
            {formatPosition(atSeconds * 1_000)} <span class="soft">/ {formatPosition(durationSeconds * 1_000)}</span>
          </span>
        </span>
        <span class="row">
          <fieldset class="row">
            <legend class="visually-hidden">{t('Speed')}</legend>
            {SPEEDS.map((each) => (
              <Button key={each} isSmall pressed={speed === each} onClick={() => player.setSpeed(each)}>
                {each}×
              </Button>
            ))}
          </fieldset>
          <a href={address} download={`${name}.${extension}`}>
            {t('Download')}
          </a>
        </span>
      </div>
    </>
  );
}
