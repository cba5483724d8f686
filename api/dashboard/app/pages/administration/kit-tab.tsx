// Ears and a voice for a language in one step: what this machine can carry, what it costs, fetched, tried and in use.
import { useState } from 'preact/hooks';
import type { ModelKit } from '../../api-types.ts';
import { formatBytes, formatLanguage, formatNumber } from '../../format.ts';
import { link, route, setQuery } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/fields/field.tsx';
import { Badge, Card, Facts, Notice, Progress } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { attempt } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { Linked } from '../../words/linked.tsx';
import { t, words } from '../../words/words.ts';
import { LANGUAGES } from '../start/languages.ts';
import { installKit, type KitPart, type PartState } from './kit-install.ts';

export function KitTab() {
  const language = route.value.query.get('language') ?? 'en';
  const kit = useApi('getModelKit', { params: { language } });
  return (
    <>
      <div class="filters">
        <Select
          label={t('Language of your callers')}
          value={language}
          onChange={(next) => setQuery({ language: next })}
          choices={LANGUAGES.map((value) => ({ value, text: formatLanguage(value) }))}
        />
      </div>
      <Answer of={kit}>{({ data }) => <KitCard key={data.language} kit={data} onDone={kit.reload} />}</Answer>
    </>
  );
}

function KitCard({ kit, onDone }: { kit: ModelKit; onDone: () => void }) {
  const { language, machine, ears, voice, carries, bytes } = kit;
  const [states, setStates] = useState<Partial<Record<KitPart['kind'], PartState>>>({});
  const [isBusy, setBusy] = useState(false);
  const [isDone, setDone] = useState(false);
  if (ears === null || voice === null)
    return <Notice tone="warn">{t('The catalogue has nothing for this language that fits into this machine.')}</Notice>;
  const begin = async () => {
    setBusy(true);
    await attempt(async () => {
      const all = await installKit(voice, ears, language, (kind, state) =>
        setStates((before) => ({ ...before, [kind]: state })),
      );
      setDone(all);
      if (all) onDone();
    });
    setBusy(false);
  };
  return (
    <Card title={t('Ears and a voice for {language}', { language: formatLanguage(language) })}>
      <Facts
        facts={[
          [
            t('This machine'),
            t('{cores} cores, {size} of memory', {
              cores: formatNumber(machine.cores),
              size: formatBytes(machine.memoryMb * 2 ** 20),
            }),
          ],
          [
            t('Calls at once'),
            carries === null
              ? null
              : t('{count}, estimated; measured once they are in use', { count: formatNumber(carries) }),
          ],
          [t('To be fetched'), bytes === 0 ? t('Nothing: both are installed') : formatBytes(bytes)],
        ]}
      />
      <Part title={t('Ears')} part={ears} state={states.stt} />
      <Part title={t('Voice')} part={voice} state={states.tts} />
      {isDone && (
        <Notice tone="good">
          <strong>{t('Both are in use for the next calls.')}</strong>
          <span>
            <Linked
              text={t(
                'An agent speaks with the voice once it is chosen for it: [go on with the set-up], or open [Agents].',
              )}
              to={[link('/start', { step: 'voice' }), link('/agents')]}
            />
          </span>
        </Notice>
      )}
      {!isDone && (
        <div>
          <Button look="primary" isBusy={isBusy} onClick={() => void begin()}>
            {bytes === 0 ? t('Try and use them') : t('Fetch {size}, try and use them', { size: formatBytes(bytes) })}
          </Button>
        </div>
      )}
    </Card>
  );
}

const PHASES: Record<PartState['phase'], string> = {
  fetching: words('Fetching'),
  trying: words('Trying'),
  choosing: words('The engine takes it'),
  'in-use': words('In use'),
  failed: words('Failed'),
};

function Part({ title, part, state }: { title: string; part: KitPart; state: PartState | undefined }) {
  const { engine, description, licence, bytes, memoryMb, isInstalled } = part;
  return (
    <section class="stack tight">
      <div class="row">
        <h3>{title}</h3>
        <code>{engine}</code>
        {isInstalled && <Badge tone="good">{t('Installed')}</Badge>}
        {state !== undefined && (
          <Badge tone={state.phase === 'failed' ? 'bad' : state.phase === 'in-use' ? 'good' : 'live'}>
            {t(PHASES[state.phase])}
          </Badge>
        )}
      </div>
      <p class="small soft">
        {description}.{' '}
        {t('{size}, memory {memory}. Licence: {licence}.', {
          size: formatBytes(bytes),
          memory: formatBytes(memoryMb * 1e6),
          licence,
        })}
      </p>
      {state?.phase === 'fetching' && (
        <Progress
          label={t('Download of {name}', { name: engine })}
          value={state.progress?.bytes ?? 0}
          max={state.progress?.totalBytes ?? bytes}
        />
      )}
      {state?.trial?.error === null && <Trial trial={state.trial} />}
      {state?.error != null && <Failure part={part} error={state.error} />}
    </section>
  );
}

function Trial({ trial: { text, wordErrors, firstMs } }: { trial: NonNullable<PartState['trial']> }) {
  return (
    <p class="small">
      {wordErrors === null
        ? t('Its first audio came after {ms} ms.', { ms: formatNumber(firstMs ?? 0) })
        : t('It heard “{text}”, with {count} words wrong, after {ms} ms.', {
            text: text ?? '',
            count: formatNumber(wordErrors),
            ms: formatNumber(firstMs ?? 0),
          })}
    </p>
  );
}

function Failure({ part: { engine, url, checksumUrl, file, isInstalled }, error }: { part: KitPart; error: string }) {
  return (
    <Notice tone="bad">
      <strong>{error}</strong>
      {!isInstalled && (
        <>
          <span>
            <Linked
              text={t(
                'By hand: fetch [{url}] on a machine that reaches it (its sum is in [{sums}]), put it here as {file}, then:',
                {
                  url,
                  sums: 'checksum.txt',
                  file: file ?? '',
                },
              )}
              to={[url, checksumUrl]}
            />
          </span>
          <code>npm run models -- download {engine.replace('sherpa:', '')} --sha256 SUM</code>
        </>
      )}
    </Notice>
  );
}
