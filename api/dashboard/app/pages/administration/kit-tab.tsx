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
import { LANGUAGES } from '../start/languages.ts';
import { installKit, type KitPart, type PartState } from './kit-install.ts';

const CHOICES = LANGUAGES.map((value) => ({ value, text: formatLanguage(value) }));

export function KitTab() {
  const language = route.value.query.get('language') ?? 'en';
  const kit = useApi('getModelKit', { params: { language } });
  return (
    <>
      <div class="filters">
        <Select
          label="Language of your callers"
          value={language}
          onChange={(next) => setQuery({ language: next })}
          choices={CHOICES}
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
    return <Notice tone="warn">The catalogue has nothing for this language that fits into this machine.</Notice>;
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
    <Card title={`Ears and a voice for ${formatLanguage(language)}`}>
      <Facts
        facts={[
          [
            'This machine',
            `${formatNumber(machine.cores)} cores, ${formatBytes(machine.memoryMb * 2 ** 20)} of memory`,
          ],
          [
            'Calls at once',
            carries === null ? null : `${formatNumber(carries)}, estimated; measured once they are in use`,
          ],
          ['To be fetched', bytes === 0 ? 'Nothing: both are installed' : formatBytes(bytes)],
        ]}
      />
      <Part title="Ears" part={ears} state={states.stt} />
      <Part title="Voice" part={voice} state={states.tts} />
      {isDone && (
        <Notice tone="good">
          <strong>Both are in use for the next calls.</strong>
          <span>
            An agent speaks with the voice once it is chosen for it:{' '}
            <a href={link('/start', { step: 'voice' })}>go on with the set-up</a>, or open{' '}
            <a href={link('/agents')}>Agents</a>.
          </span>
        </Notice>
      )}
      {!isDone && (
        <div>
          <Button look="primary" isBusy={isBusy} onClick={() => void begin()}>
            {bytes === 0 ? 'Try and use them' : `Fetch ${formatBytes(bytes)}, try and use them`}
          </Button>
        </div>
      )}
    </Card>
  );
}

const PHASES: Record<PartState['phase'], string> = {
  fetching: 'Fetching',
  trying: 'Trying',
  choosing: 'The engine takes it',
  'in-use': 'In use',
  failed: 'Failed',
};

function Part({ title, part, state }: { title: string; part: KitPart; state: PartState | undefined }) {
  const { engine, description, licence, bytes, memoryMb, isInstalled } = part;
  return (
    <section class="stack tight">
      <div class="row">
        <h3>{title}</h3>
        <code>{engine}</code>
        {isInstalled && <Badge tone="good">Installed</Badge>}
        {state !== undefined && (
          <Badge tone={state.phase === 'failed' ? 'bad' : state.phase === 'in-use' ? 'good' : 'live'}>
            {PHASES[state.phase]}
          </Badge>
        )}
      </div>
      <p class="small soft">
        {description}. {formatBytes(bytes)}, memory {formatBytes(memoryMb * 1e6)}. Licence: {licence}.
      </p>
      {state?.phase === 'fetching' && (
        <Progress
          label={`Download of ${engine}`}
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
        ? `Its first audio came after ${formatNumber(firstMs ?? 0)} ms.`
        : `It heard “${text}”: ${wordErrors === 0 ? 'no word' : `${formatNumber(wordErrors)} words`} wrong, after ${formatNumber(firstMs ?? 0)} ms.`}
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
            By hand: fetch <a href={url}>{url}</a> on a machine that reaches it (its sum is in{' '}
            <a href={checksumUrl}>checksum.txt</a>), put it here as <code>{file}</code>, then:
          </span>
          <code>npm run models -- download {engine.replace('sherpa:', '')} --sha256 SUM</code>
        </>
      )}
    </Notice>
  );
}
