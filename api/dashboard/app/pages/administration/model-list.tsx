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

const POLL_MS = 1_500;
const KINDS: ReadonlyArray<[Model['kind'], string]> = [
  ['stt', 'Recognition'],
  ['tts', 'Voices'],
  ['llm', 'Dialogue'],
  ['speech-to-speech', 'Speech to speech'],
  ['vad', 'Voice activity'],
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
              title={title}
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
        label="Language"
        value={query.get('language') ?? ''}
        onChange={(language) => setQuery({ language })}
        choices={[{ value: '', text: 'Any' }, ...languages]}
      />
      <Select
        label="Show"
        value={query.get('show') ?? ''}
        onChange={(show) => setQuery({ show })}
        choices={[
          { value: '', text: 'All models' },
          { value: 'installed', text: 'Installed' },
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
            title: 'Model',
            cell: ({ name, description }) => (
              <div class="described">
                <code>{name}</code>
                <div class="small soft">{description}</div>
              </div>
            ),
          },
          {
            title: 'Languages',
            cell: ({ languages }) => (languages === null ? 'Many' : languages.map(formatLanguage).join(', ')),
          },
          { title: 'Licence', cell: ({ licence, download }) => download?.licence ?? licence },
          {
            title: 'Memory',
            isNumber: true,
            cell: ({ memoryMb }) => (memoryMb === 0 ? '–' : formatBytes(memoryMb * 1e6)),
          },
          {
            title: 'Download',
            isNumber: true,
            cell: ({ download }) => (download === null ? '–' : formatBytes(download.bytes)),
          },
          { title: 'State', cell: (model) => <ModelState model={model} onDownload={onDownload} /> },
        ]}
      />
    </section>
  );
}

const STATES: Record<Model['state'], [Tone, string]> = {
  installed: ['good', 'Installed'],
  downloadable: ['neutral', 'Not downloaded'],
  'package-missing': ['warn', 'Package missing'],
  unconfigured: ['neutral', 'Not configured'],
};

function ModelState({ model, onDownload }: { model: Model; onDownload: (model: Model) => Promise<void> }) {
  const { name, state, download, progress } = model;
  if (isUnderWay(model)) {
    const bytes = progress?.bytes ?? 0;
    const total = progress?.totalBytes ?? download?.bytes ?? 0;
    return (
      <div class="stack tight download">
        <Progress label={`Download of ${name}`} value={bytes} max={total} />
        <span class="small soft nowrap">
          {progress?.state === 'waiting' ? 'Waiting' : `${formatBytes(bytes)} of ${formatBytes(total)}`}
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
            label={`${hasFailed ? 'Try again to download' : 'Download'} ${name}`}
          >
            {hasFailed ? 'Try again' : 'Download'}
          </Button>
        </div>
        {progress?.error != null && <span class="small fault">{progress.error}</span>}
      </div>
    );
  }
  const [tone, text] = STATES[state];
  return <Badge tone={tone}>{text}</Badge>;
}
