// An engine's result in a test: how soon, and its words; or why it does not work.
import type { ModelSettings, ModelTestResult } from '../../api-types.ts';
import { formatBytes } from '../../format.ts';
import { Notice } from '../../ui/layout.tsx';

type Kind = ModelSettings['kind'];
type Outcome = NonNullable<ModelTestResult['fallback']>;

export function EngineTestResult({ kind, result }: { kind: Kind; result: ModelTestResult }) {
  return (
    <>
      <OutcomeNotice kind={kind} outcome={result} />
      {result.fallback !== null && <OutcomeNotice kind={kind} outcome={result.fallback} title="Second model: " />}
    </>
  );
}

function OutcomeNotice({ kind, outcome, title = '' }: { kind: Kind; outcome: Outcome; title?: string }) {
  const { engine, error } = outcome;
  return (
    <Notice tone={error === null ? 'good' : 'bad'}>
      <strong>
        {title}
        {error === null ? `${engine} works.` : `${engine} does not work.`}
      </strong>
      <span>{error ?? done(kind, outcome)}</span>
    </Notice>
  );
}

function done(kind: Kind, { firstMs, totalMs, text, audioBytes }: Outcome): string {
  switch (kind) {
    case 'llm':
      return `First word after ${firstMs} ms, all after ${totalMs} ms: “${text}”`;
    case 'stt':
      return `It heard “${text}” ${firstMs} ms after the end of the sentence.`;
    case 'tts':
      return `First audio after ${firstMs} ms, ${formatBytes(audioBytes ?? 0)} after ${totalMs} ms.`;
    case 'speech-to-speech':
      return `First audio ${firstMs} ms after the end of the sentence: “${text ?? ''}”`;
  }
}
