// Fetches, tries and chooses the parts of a kit, one after the other, and tells how far it is.
import type { Model, ModelKit, ModelTestResult } from '../../api-types.ts';
import { call } from '../../client.ts';
import { t } from '../../words/words.ts';

export type KitPart = NonNullable<ModelKit['ears']>;

export interface PartState {
  phase: 'fetching' | 'trying' | 'choosing' | 'in-use' | 'failed';
  progress: Model['progress'];
  trial: ModelTestResult | null;
  error: string | null;
}

type Tell = (kind: KitPart['kind'], state: PartState) => void;

const POLL_MS = 1_000;
const NEW: PartState = { phase: 'fetching', progress: null, trial: null, error: null };
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, POLL_MS));

/** The voice first: it says the sentence that the ears are tried with. Whether all are in use. */
export async function installKit(voice: KitPart, ears: KitPart, language: string, tell: Tell): Promise<boolean> {
  for (const part of [voice, ears]) {
    const trial = await fetchAndTry(part, voice, language, tell);
    if (trial === null) return false;
  }
  return true;
}

async function fetchAndTry(part: KitPart, voice: KitPart, language: string, tell: Tell): Promise<true | null> {
  const { kind, engine } = part;
  let state = NEW;
  const next = (change: Partial<PartState>) => {
    state = { ...state, ...change };
    tell(kind, state);
  };
  const failed = (error: string): null => {
    next({ phase: 'failed', error });
    return null;
  };
  next({});
  if (!part.isInstalled) {
    await call('downloadModel', { params: { name: engine } });
    for (;;) {
      const { data } = await call('getModel', { params: { name: engine } });
      next({ progress: data.progress });
      if (data.state === 'installed') break;
      if (data.state === 'package-missing')
        return failed(t('The package sherpa-onnx-node is missing: npm ci --include=optional'));
      if (data.progress?.state === 'failed') return failed(data.progress.error ?? t('It could not be fetched'));
      await pause();
    }
  }
  next({ phase: 'trying' });
  const wish = kind === 'stt' ? { language, spokenBy: voice.engine } : { language };
  const trial = (await call('testModelSettings', { params: { kind }, body: { engine, ...wish } })).data;
  next({ trial });
  if (trial.error !== null) return failed(trial.error);
  next({ phase: 'choosing' });
  await call('updateModelSettings', { params: { kind }, body: { engine } });
  for (;;) {
    const settings = (await call('getModelSettings', {})).data[kind];
    if (settings.state === 'failed') return failed(settings.error ?? t('The engine did not take it'));
    if (settings.state === 'in-use') break;
    await pause();
  }
  next({ phase: 'in-use' });
  return true;
}
