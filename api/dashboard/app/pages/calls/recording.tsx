// The recording of a call: play, seek, faster, download.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Call } from '../../api-types.ts';
import type { Peaks } from '../../calls/peaks.ts';
import { type Player, SPEEDS } from '../../calls/player.ts';
import { recordingPeaks } from '../../calls/recording-peaks.ts';
import { Waveform } from '../../calls/waveform.tsx';
import { formatPosition } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/layout.tsx';
import { ErrorNotice, Loading } from '../../ui/status.tsx';
import { useApi } from '../../use-api.ts';

const REFRESH_MS = 2_000;
/** The file is closed within seconds after the call's end. */
const AWAITED_MS = 20_000;

export function Recording({ call, player }: { call: Call; player: Player }) {
  const [isAwaited, setAwaited] = useState(Date.now() - Date.parse(call.endedAt ?? '') < AWAITED_MS);
  const recording = useApi('getRecording', { params: { id: call.id } }, isAwaited ? { everyMs: REFRESH_MS } : {});
  const { answer, error } = recording;
  useEffect(() => {
    if (answer !== null) return setAwaited(false);
    const timer = setTimeout(() => setAwaited(false), AWAITED_MS);
    return () => clearTimeout(timer);
  }, [answer]);
  // A recording that was erased after loading is no longer shown.
  if (call.erasedAt === null && answer !== null) return <Loaded recording={answer} call={call} player={player} />;
  return (
    <Card title="Recording">
      {error === null && call.erasedAt === null ? (
        <Loading />
      ) : error === null || error.status === 404 ? (
        <p class="soft">{absence(call, isAwaited)}</p>
      ) : (
        <ErrorNotice error={error} onRetry={recording.reload} />
      )}
    </Card>
  );
}

function absence({ erasedAt, durationSeconds }: Call, isAwaited: boolean): string {
  if (erasedAt !== null) return 'It has been erased.';
  if (durationSeconds === 0) return 'There is none: nobody answered.';
  return isAwaited ? 'The recording is being finished.' : 'There is none: the campaign does not record.';
}

function Loaded({ recording, call, player }: { recording: Blob; call: Call; player: Player }) {
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
        holes={(call.resumptions ?? [])
          .filter(({ atMs }) => atMs > 0)
          .map(({ atMs, gapMs }) => ({ from: (atMs - gapMs) / 1_000, to: atMs / 1_000 }))}
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
          <a href={address} download={`${call.id}.${extension}`}>
            Download
          </a>
        </span>
      </div>
    </Card>
  );
}
