// The recording of a call, as soon as there is one.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Call } from '../../api-types.ts';
import { SLOW_MS } from '../../calls/answers.ts';
import type { Player } from '../../calls/player.ts';
import { RecordingPlayer } from '../../calls/recording-player.tsx';
import type { Gap } from '../../calls/waveform.tsx';
import { formatNumber } from '../../format.ts';
import { Card } from '../../ui/layout.tsx';
import { ErrorNotice, Loading } from '../../ui/status.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';

const REFRESH_MS = 2_000;
/** The file is closed within seconds after the call's end. */
const AWAITED_MS = 20_000;

export function Recording({ call, player }: { call: Call; player: Player }) {
  const [isAwaited, setAwaited] = useState(Date.now() - Date.parse(call.endedAt ?? '') < AWAITED_MS);
  const recording = useApi('getRecording', { params: { id: call.id } }, isAwaited ? { everyMs: REFRESH_MS } : {});
  const { answer, error } = recording;
  const gaps = useMemo(() => gapsOf(call), [call]);
  useEffect(() => {
    if (answer !== null) return setAwaited(false);
    const timer = setTimeout(() => setAwaited(false), AWAITED_MS);
    return () => clearTimeout(timer);
  }, [answer]);
  // A recording that was erased after loading is no longer shown.
  if (call.erasedAt === null && answer !== null) {
    return (
      <Card title={t('Recording')}>
        <RecordingPlayer recording={answer} player={player} name={call.id} holes={holesOf(call)} gaps={gaps} />
        {gaps.length > 0 && <GapsLegend />}
      </Card>
    );
  }
  return (
    <Card title={t('Recording')}>
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
  if (erasedAt !== null) return t('It has been erased.');
  if (durationSeconds === 0) return t('There is none: nobody answered.');
  return isAwaited ? t('The recording is being finished.') : t('There is none: the campaign does not record.');
}

const gapsOf = ({ latency }: Call): Gap[] =>
  latency?.timeline?.map(({ speechEndAtMs, gapMs }) => ({ atSeconds: speechEndAtMs / 1_000, gapMs })) ?? [];

const GapsLegend = () => (
  <p class="small soft row">
    <span>{t('Below the outline: how long the caller waited, in ms')}</span>
    <span class="gap-key slow">{t('over {number}', { number: formatNumber(SLOW_MS) })}</span>
    <span class="gap-key late">{t('over {number}', { number: formatNumber(2 * SLOW_MS) })}</span>
  </p>
);

/** An engine had died, and another one went on. */
const holesOf = ({ resumptions }: Call) =>
  (resumptions ?? [])
    .filter(({ atMs }) => atMs > 0)
    .map(({ atMs, gapMs }) => ({ from: (atMs - gapMs) / 1_000, to: atMs / 1_000 }));
