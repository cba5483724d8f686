// The form of one engine: its values, and what of them is sent.
import type { Model, ModelSettings, UpdateModelSettingsBody } from '../../api-types.ts';
import { formatLanguage } from '../../format.ts';
import type { Choice } from '../../ui/fields/field.tsx';
import { t, words } from '../../words/words.ts';

/** Empty: the default. A key is empty until somebody types another one. */
export interface EngineValues {
  engine: string;
  baseUrl: string;
  model: string;
  voices: string;
  voice: string;
  apiKey: string;
  removesKey: boolean;
  fallbackBaseUrl: string;
  fallbackModel: string;
  fallbackApiKey: string;
  removesFallbackKey: boolean;
}

export const engineValuesOf = (settings: ModelSettings): EngineValues => ({
  engine: settings.engine ?? '',
  baseUrl: settings.baseUrl ?? '',
  model: settings.model ?? '',
  voices: settings.voices ?? '',
  voice: settings.voice ?? '',
  apiKey: '',
  removesKey: false,
  fallbackBaseUrl: settings.fallbackBaseUrl ?? '',
  fallbackModel: settings.fallbackModel ?? '',
  fallbackApiKey: '',
  removesFallbackKey: false,
});

/** The changes for the interface: an empty text becomes null, an empty key is not sent. */
export function engineBodyOf(changes: Partial<EngineValues>): UpdateModelSettingsBody {
  const { apiKey, removesKey, fallbackApiKey, removesFallbackKey, ...texts } = changes;
  const body: UpdateModelSettingsBody = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text.trim() === '' ? null : text.trim()]),
  );
  if (removesKey === true) body.apiKey = null;
  else if (apiKey) body.apiKey = apiKey;
  if (removesFallbackKey === true) body.fallbackApiKey = null;
  else if (fallbackApiKey) body.fallbackApiKey = fallbackApiKey;
  return body;
}

export const usesServer = ({ memoryMb, kind, name }: Model): boolean =>
  memoryMb === 0 && !(kind === 'llm' && name === 'receptionist');

const DEFAULTS: Record<ModelSettings['kind'], string> = {
  llm: words('Default: the server below, else the receptionist'),
  stt: words('Default: the best that is installed'),
  tts: words('Default: the best that is installed'),
  'speech-to-speech': words('None: recognition, dialogue and voice answer'),
};

/** The engines that run here, with languages and licence; others are listed and cannot be chosen. */
export function engineChoices(kind: ModelSettings['kind'], models: readonly Model[], chosen: string): Choice<string>[] {
  const own = models.filter((model) => model.kind === kind);
  const choices = own.map((model) => ({
    value: model.name,
    text: [model.name, ...factsOf(model)].join(' · '),
    disabled: model.state === 'downloadable' || model.state === 'package-missing',
  }));
  const unlisted = chosen !== '' && !own.some(({ name }) => name === chosen) ? [{ value: chosen, text: chosen }] : [];
  return [{ value: '', text: t(DEFAULTS[kind]) }, ...unlisted, ...choices];
}

function factsOf(model: Model): string[] {
  if (model.state === 'package-missing') return [t('package missing')];
  if (model.state === 'downloadable') return [t('not downloaded')];
  if (usesServer(model)) return [t('a server')];
  const languages = model.languages === null ? t('many languages') : model.languages.map(formatLanguage).join(', ');
  return [languages, model.download?.licence ?? model.licence];
}
