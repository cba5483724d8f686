import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { recogniserFiles, voiceFiles } from '../../../models/sherpa/model-files.ts';

const dataDir = temporaryFolder('model-files');
const modelPath = (name: string): string => join(dataDir, 'models', name);

test('the files of other families of voices are found: Piper, Kokoro, Kitten', () => {
  const files = (name: string, ...names: string[]) => {
    const folder = modelPath(name);
    mkdirSync(join(folder, 'espeak-ng-data'), { recursive: true });
    for (const file of ['tokens.txt', ...names]) writeFileSync(join(folder, file), '');
    return JSON.stringify(voiceFiles(name, folder).model).replaceAll(`${folder}/`, '');
  };
  assert.match(
    files('mine', 'de_DE-me-low.onnx'),
    /"vits":{"model":"de_DE-me-low.onnx","tokens":"tokens.txt","dataDir":"espeak-ng-data","noiseScale":0.333,"noiseScaleW":0.333}/,
  );
  assert.match(
    files('kokoro', 'model.onnx', 'voices.bin', 'lexicon-us-en.txt', 'lexicon-gb-en.txt', 'lexicon-zh.txt'),
    /"kokoro":{"model":"model.onnx",.*"lexicon":"lexicon-us-en.txt,lexicon-zh.txt","voices":"voices.bin"}/,
  );
  assert.match(files('kitten-en', 'model.fp16.onnx', 'voices.bin'), /"kitten":{"model":"model.fp16.onnx"/);
});

test('the files of other families of recognisers are found: Whisper by language, Moonshine, CTC', () => {
  const files = (name: string, ...names: string[]) => {
    const folder = modelPath(name);
    mkdirSync(folder, { recursive: true });
    for (const file of names) writeFileSync(join(folder, file), '');
    const { isStreaming, config, forLanguage } = recogniserFiles(name, folder);
    return { isStreaming, forLanguage, text: JSON.stringify(config.modelConfig).replaceAll(`${folder}/`, '') };
  };
  const whisper = files(
    'my-whisper',
    ...[
      'tiny-encoder.onnx',
      'tiny-encoder.int8.onnx',
      'tiny-decoder.onnx',
      'tiny-decoder.int8.onnx',
      'tiny-tokens.txt',
    ],
  );
  assert.equal(whisper.isStreaming, false);
  assert.match(
    whisper.text,
    /"whisper":{"encoder":"tiny-encoder.int8.onnx","decoder":"tiny-decoder.int8.onnx","language":""/,
  );
  const language = (code: string) => JSON.stringify(whisper.forLanguage?.(code).modelConfig);
  assert.match(language('de'), /"language":"de"/);
  // The library ends the process at a language that it does not know.
  assert.match(language('xx'), /"language":""/);
  const english = files('english', 'tiny.en-encoder.onnx', 'tiny.en-decoder.onnx', 'tiny.en-tokens.txt');
  assert.equal(english.forLanguage, null);
  const moonshine = files(
    'moon',
    ...['preprocess.onnx', 'encode.int8.onnx', 'uncached_decode.int8.onnx', 'cached_decode.int8.onnx', 'tokens.txt'],
  );
  assert.match(moonshine.text, /"encoder":"encode.int8.onnx","uncachedDecoder":"uncached_decode.int8.onnx"/);
  const merged = files('moon-2', 'encoder_model.ort', 'decoder_model_merged.ort', 'tokens.txt');
  assert.match(merged.text, /"encoder":"encoder_model.ort","mergedDecoder":"decoder_model_merged.ort"/);
  const nemo = files('nemo-streaming-ctc', 'model.onnx', 'tokens.txt');
  assert.deepEqual([nemo.isStreaming, /"nemoCtc":{"model":"model.onnx"}/.test(nemo.text)], [true, true]);
  const zipformer = files(
    'a-streaming-zipformer',
    ...['encoder.int8.onnx', 'encoder.onnx', 'decoder.int8.onnx', 'decoder.onnx', 'joiner.int8.onnx', 'tokens.txt'],
  );
  assert.match(zipformer.text, /"encoder":"encoder.int8.onnx","decoder":"decoder.onnx","joiner":"joiner.int8.onnx"/);
});
