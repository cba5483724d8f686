// Which engine thinks, listens and speaks, and which does all of it: one form each, which can be tried before it is
// saved.
import { useEffect } from 'preact/hooks';
import type { Model, ModelSettings } from '../../api-types.ts';
import { Answer } from '../../ui/status.tsx';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { EngineForm } from './engine-form.tsx';

const POLL_MS = 1_000;
const KINDS: ReadonlyArray<[ModelSettings['kind'], string]> = [
  ['llm', words('Dialogue')],
  ['stt', words('Recognition')],
  ['tts', words('Voice')],
  ['speech-to-speech', words('Speech to speech')],
];

export function EnginesTab() {
  const settings = useApi('getModelSettings', {});
  const models = useApi('listModels', { query: { limit: 100 } });
  const { reload } = settings;
  const isWaiting = Object.values(settings.answer?.data ?? {}).some(({ state }) => state === 'waiting');
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [isWaiting, reload]);
  return (
    <Answer of={models}>
      {({ data }: { data: Model[] }) => (
        <Answer of={settings}>
          {({ data: byKind }) => (
            <>
              {KINDS.map(([kind, title]) => (
                <EngineForm key={kind} title={t(title)} settings={byKind[kind]} models={data} onSaved={reload} />
              ))}
            </>
          )}
        </Answer>
      )}
    </Answer>
  );
}
