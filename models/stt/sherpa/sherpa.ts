// Local recognition by sherpa-onnx, `sherpa:NAME`. Streaming models decode while the caller speaks: all open utterances
// of a worker go into one batch. Models for whole utterances decode finished utterances, one after another.
//
//   write ─► 16 kHz ─► native stream ─┐
//   write ─► 16 kHz ─► native stream ─┼─► step: decodeStreams ─► partials, finals
//   write ─► 16 kHz ─► native stream ─┘
import { join } from 'node:path';
import { localEngine, modelsDirOf } from '../../install/local-models.ts';
import { findLocalModel } from '../../install/weights.ts';
import { loadSherpa, MODEL_RATE_HZ } from '../../sherpa/addon.ts';
import { type RecogniserFiles, recogniserFiles } from '../../sherpa/model-files.ts';
import type { SttEngine, SttStreamOptions, SttUtterance, SttUtteranceOptions } from '../stt.ts';
import { StreamingDecoder } from './streaming.ts';
import { type Decoder, SherpaUtterance } from './utterance.ts';
import { WholeDecoder } from './whole.ts';

const STREAMING_PATIENCE_MS = 1_500;
/** Several callers may finish at the same time. */
const WHOLE_PATIENCE_MS = 4_000;
const DEFAULT_TAIL_MS = 660;

/**
 * @throws Error when the package, the model or one of its files is missing. A broken model may end the process.
 */
export default async function createSherpaStt(
  name: string,
  environment: Record<string, string | undefined>,
): Promise<SttEngine> {
  return createRecogniser(name, recogniserFiles(name, join(modelsDirOf(environment), name)));
}

export function createRecogniser(name: string, files: RecogniserFiles): SttEngine {
  const sherpa = loadSherpa();
  const listed = findLocalModel(name);
  const tailSamples = ((listed?.tailMs || DEFAULT_TAIL_MS) * MODEL_RATE_HZ) / 1_000;
  const decoder: Decoder = files.isStreaming
    ? new StreamingDecoder(new sherpa.OnlineRecognizer(files.config), tailSamples)
    : new WholeDecoder(new sherpa.OfflineRecognizer(files.config), files);
  const languages = listed?.languages ?? null;
  return {
    name: localEngine(name),
    freeText: true,
    givesPartials: files.isStreaming,
    hearsTurns: !files.isStreaming,
    languages,
    patienceMs: files.isStreaming ? STREAMING_PATIENCE_MS : WHOLE_PATIENCE_MS,
    blockMs: files.isStreaming ? 60 : 200,
    openStream: async ({ sampleRateHz, vocabulary }: SttStreamOptions) => {
      const language = vocabulary.language.split('-')[0]?.toLowerCase() ?? '';
      if (languages !== null && !languages.includes(language))
        throw new Error(`${localEngine(name)} does not know the language ${vocabulary.language}`);
      const isMixed = (vocabulary.additionalLanguages ?? []).length > 0;
      const open = new Set<SherpaUtterance>();
      return {
        begin: (options: SttUtteranceOptions): SttUtterance => {
          const utterance = new SherpaUtterance(decoder, options, sampleRateHz, isMixed ? '' : language);
          open.add(utterance);
          utterance.onOver = () => open.delete(utterance);
          decoder.open(utterance);
          return utterance;
        },
        close: () => {
          for (const utterance of [...open]) utterance.drop();
        },
      };
    },
    step: () => decoder.step(),
    backlogMs: () => (decoder.backlogSamples * 1_000) / MODEL_RATE_HZ,
    close: async () => {},
  };
}
