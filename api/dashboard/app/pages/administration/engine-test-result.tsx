// An engine's result in a test: how soon, and its words; or why it does not work.
import type { ModelSettings, ModelTestResult } from '../../api-types.ts';
import { formatBytes } from '../../format.ts';
import { Notice } from '../../ui/layout.tsx';
import { t } from '../../words/words.ts';

type Kind = ModelSettings['kind'];
type Outcome = NonNullable<ModelTestResult['fallback']>;

export function EngineTestResult({ kind, result }: { kind: Kind; result: ModelTestResult }) {
  return (
    <>
      <OutcomeNotice kind={kind} outcome={result} />
      {result.fallback !== null && (
        <OutcomeNotice kind={kind} outcome={result.fallback} title={`${t('Second model')}: `} />
      )}
    </>
  );
}

function OutcomeNotice({ kind, outcome, title = '' }: { kind: Kind; outcome: Outcome; title?: string }) {
  const { engine, error } = outcome;
  return (
    <Notice tone={error === null ? 'good' : 'bad'}>
      <strong>
        {title}
        {error === null ? t('{engine} works.', { engine }) : t('{engine} does not work.', { engine })}
      </strong>
      <span>{error ?? done(kind, outcome)}</span>
    </Notice>
  );
}

function done(kind: Kind, { firstMs, totalMs, text, audioBytes }: Outcome): string {
  const values = {
    firstMs: firstMs ?? '–',
    totalMs: totalMs ?? '–',
    text: text ?? '',
    size: formatBytes(audioBytes ?? 0),
  };
  switch (kind) {
    case 'llm':
      return t('First word after {firstMs} ms, all after {totalMs} ms: “{text}”', values);
    case 'stt':
      return t('It heard “{text}” {firstMs} ms after the end of the sentence.', values);
    case 'tts':
      return t('First audio after {firstMs} ms, {size} after {totalMs} ms.', values);
    case 'speech-to-speech':
      return t('First audio {firstMs} ms after the end of the sentence: “{text}”', values);
  }
}
