// The music that callers hear while a person is looked for: the service's, or the business's own.
import { useState } from 'preact/hooks';
import { HOLD_MUSIC_SECONDS } from '../../../../../db/domain/field-limits.ts';
import { messageOf } from '../../../../../db/domain/unexpected.ts';
import { ApiError, call } from '../../client.ts';
import { spanText } from '../../limits.ts';
import { Button } from '../../ui/button.tsx';
import { FileField } from '../../ui/fields/file-field.tsx';
import { Card } from '../../ui/layout.tsx';
import { PlayButton } from '../../ui/play-button.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';

export function HoldMusicCard({ businessId }: { businessId: string }) {
  const params = { id: businessId };
  const { answer, reload } = useApi('getHoldMusic', { params });
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const bring = async (file: File) => {
    setBusy(true);
    setFault(undefined);
    try {
      await call('putHoldMusic', { params, body: new Blob([file], { type: 'audio/wav' }) });
      say(t('Callers hear it from now on'));
      reload();
    } catch (problem) {
      const [first] = problem instanceof ApiError ? problem.faults : [];
      setFault(first ? t('The file {message}', { message: first.message }) : messageOf(problem));
    }
    setBusy(false);
  };
  const remove = async () => {
    if (await attempt(() => call('deleteHoldMusic', { params }))) reload();
  };
  const own = answer?.data.isOwn ? answer.data : undefined;
  return (
    <Card title={t('Hold music')}>
      <p class="small soft">
        {own === undefined
          ? t('Callers who wait for a person hear soft tones.')
          : t('Callers who wait for a person hear your music, {seconds} seconds that go round.', {
              seconds: Math.round((own.durationMs ?? 0) / 1_000),
            })}
      </p>
      {own !== undefined && (
        <div class="row">
          <PlayButton of={own.updatedAt ?? ''} load={() => call('getHoldMusicAudio', { params })} />
          <Button onClick={() => void remove()}>{t('Remove')}</Button>
        </div>
      )}
      <FileField
        label={own === undefined ? t('Bring your own') : t('Replace it')}
        hint={t('A WAV of {number} seconds that you have the right to play. Its level is made even.', {
          number: spanText(HOLD_MUSIC_SECONDS),
        })}
        accept=".wav,audio/wav"
        fault={fault}
        disabled={isBusy}
        onChange={(file) => void bring(file)}
      />
    </Card>
  );
}
