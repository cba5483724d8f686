// The models for recognition, dialogue and speech: installed, or available for download.

import { useEffect } from 'preact/hooks';
import type { Model } from '../../api-types.ts';
import { call } from '../../client.ts';
import { formatBytes, formatLanguage } from '../../format.ts';
import { route, setQuery } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/fields/field.tsx';
import { Badge, Progress, type Tone } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { attempt } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';

const POLL_MS = 1_500;
const KINDS: ReadonlyArray<[Model['kind'], string]> = [
  ['stt', words('Recognition')],
  ['tts', words('Voices')],
  ['llm', words('Dialogue')],
  ['speech-to-speech', words('Speech to speech')],
  ['vad', words('Voice activity')],
];

export function ModelList() {
  const models = useApi('listModels', { query: { limit: 100 } });
  const { reload } = models;
  const isDownloading = models.answer?.data.some(isUnderWay) ?? false;
  useEffect(() => {
    if (!isDownloading) return;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [isDownloading, reload]);
  const download = async ({ name }: Model) => {
    await attempt(() => call('downloadModel', { params: { name } }));
    reload();
  };
  return (
    <Answer of={models}>
      {({ data }) => (
        <>
          <Filters models={data} />
          {KINDS.map(([kind, title]) => (
            <KindOfModels
              key={kind}
              title={t(title)}
              models={data.filter((model) => model.kind === kind && isWanted(model))}
              onDownload={download}
            />
          ))}
        </>
      )}
    </Answer>
  );
}

/** Filters by the address: a language, and only installed models. */
function isWanted({ languages, state }: Model): boolean {
  const { query } = route.value;
  const language = query.get('language');
  if (query.get('show') === 'installed' && state !== 'installed') return false;
  return language === null || languages === null || languages.includes(language);
}

function Filters({ models }: { models: readonly Model[] }) {
  const { query } = route.value;
  const languages = [...new Set(models.flatMap((model) => model.languages ?? []))]
    .map((value) => ({ value, text: formatLanguage(value) }))
    .sort((a, b) => a.text.localeCompare(b.text));
  return (
    <div class="filters">
      <Select
        label={t('Language')}
        value={query.get('language') ?? ''}
        onChange={(language) => setQuery({ language })}
        choices={[{ value: '', text: t('Any') }, ...languages]}
      />
      <Select
        label={t('Show')}
        value={query.get('show') ?? ''}
        onChange={(show) => setQuery({ show })}
        choices={[
          { value: '', text: t('All models') },
          { value: 'installed', text: t('Installed') },
        ]}
      />
    </div>
  );
}

const isUnderWay = ({ progress }: Model): boolean => progress?.state === 'waiting' || progress?.state === 'running';

function KindOfModels({
  title,
  models,
  onDownload,
}: {
  title: string;
  models: readonly Model[];
  onDownload: (model: Model) => Promise<void>;
}) {
  if (models.length === 0) return null;
  return (
    <section class="stack tight">
      <h2>{title}</h2>
      <Table
        label={title}
        rows={models}
        keyOf={({ name }) => name}
        columns={[
          {
            title: t('Model'),
            cell: ({ name, description }) => (
              <div class="described">
                <code>{name}</code>
                <div class="small soft">{description}</div>
              </div>
            ),
          },
          {
            title: t('Languages'),
            cell: ({ languages }) => (languages === null ? t('Many') : languages.map(formatLanguage).join(', ')),
          },
          { title: t('Licence'), cell: ({ licence, download }) => download?.licence ?? licence },
          {
            title: t('Memory'),
            isNumber: true,
            cell: ({ memoryMb }) => (memoryMb === 0 ? '–' : formatBytes(memoryMb * 1e6)),
          },
          {
            title: t('Download'),
            isNumber: true,
            cell: ({ download }) => (download === null ? '–' : formatBytes(download.bytes)),
          },
          { title: t('State'), cell: (model) => <ModelState model={model} onDownload={onDownload} /> },
        ]}
      />
    </section>
  );
}

const STATES: Record<Model['state'], [Tone, string]> = {
  installed: ['good', words('Installed')],
  downloadable: ['neutral', words('Not downloaded')],
  'package-missing': ['warn', words('Package missing')],
  unconfigured: ['neutral', words('Not configured')],
};

function ModelState({ model, onDownload }: { model: Model; onDownload: (model: Model) => Promise<void> }) {
  const { name, state, download, progress } = model;
  if (isUnderWay(model)) {
    const bytes = progress?.bytes ?? 0;
    const total = progress?.totalBytes ?? download?.bytes ?? 0;
    return (
      <div class="stack tight download">
        <Progress label={t('Download of {name}', { name })} value={bytes} max={total} />
        <span class="small soft nowrap">
          {progress?.state === 'waiting'
            ? t('Waiting')
            : t('{done} of {total}', { done: formatBytes(bytes), total: formatBytes(total) })}
        </span>
      </div>
    );
  }
  if (download !== null && !download.installed) {
    const hasFailed = progress?.state === 'failed';
    return (
      <div class="stack tight">
        <div>
          <Button
            isSmall
            onClick={() => void onDownload(model)}
            label={hasFailed ? t('Try again to download {name}', { name }) : t('Download {name}', { name })}
          >
            {hasFailed ? t('Try again') : t('Download')}
          </Button>
        </div>
        {progress?.error != null && <span class="small fault">{progress.error}</span>}
      </div>
    );
  }
  const [tone, text] = STATES[state];
  return <Badge tone={tone}>{t(text)}</Badge>;
}
