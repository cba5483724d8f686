// Generates models in place of real weights, which are too large to keep: with the inputs, outputs, states and metadata
// that sherpa-onnx expects of each kind, and arithmetic instead of a neural network. The recognisers write LOW for a
// low tone and HIGH for a high one; the voice speaks a tone whose length follows the text.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Model, type Node, type Port, type Tensor, writeOnnx } from '../../../models/vad/onnx-writer.ts';

const FEATURES = 80;
/** Frames of 10 ms: the window and the step of a zipformer. */
const WINDOW = 45;
const CHUNK = 32;
const FRAMES = CHUNK / 4;
const EMBED = [128, 3, 19];
/** In log energy. */
const THRESHOLD = 3;
const NEVER = -100;
const VOICE_RATE_HZ = 22_050;
const VOICE_HZ = 440;
const SAMPLES_PER_LETTER = 1_200;

export const floats = (name: string, dims: number[], values: number[]): Tensor => ({
  name,
  dims,
  values: Float32Array.from(values),
});
export const ints = (name: string, values: number[]): Tensor => ({
  name,
  dims: [values.length],
  values: BigInt64Array.from(values.map(BigInt)),
});
export const node = (op: string, inputs: string[], output: string, attributes?: Node['attributes']): Node => ({
  op,
  inputs,
  outputs: [output],
  ...(attributes ? { attributes } : {}),
});

/**
 * Classifies `pooled` [N, frames, 80] by the louder band: scores [N, frames, 4] of blank, LOW, HIGH, and an unused one.
 */
const CLASSIFY: Node[] = [
  node('Slice', ['pooled', 'from-low', 'to-low', 'axis-2'], 'low-bins'),
  node('Slice', ['pooled', 'from-high', 'to-high', 'axis-2'], 'high-bins'),
  node('ReduceMax', ['low-bins'], 'low-level', { axes: [2], keepdims: 1 }),
  node('ReduceMax', ['high-bins'], 'high-level', { axes: [2], keepdims: 1 }),
  node('Sub', ['low-level', 'high-level'], 'difference'),
  node('Sub', ['difference', 'threshold'], 'low-score'),
  node('Neg', ['difference'], 'reversed'),
  node('Sub', ['reversed', 'threshold'], 'high-score'),
  node('Mul', ['difference', 'zero'], 'blank-score'),
  node('Add', ['blank-score', 'never'], 'never-score'),
];
const CLASSIFY_CONSTANTS: Tensor[] = [
  ints('from-low', [2]),
  ints('to-low', [32]),
  ints('from-high', [38]),
  ints('to-high', [78]),
  ints('axis-2', [2]),
  floats('threshold', [], [THRESHOLD]),
  floats('zero', [], [0]),
  floats('never', [], [NEVER]),
];

interface State {
  name: string;
  dims: Array<number | string>;
  type: 'float' | 'int64';
}

/** States of one layer of width 4. `contextFrames` makes them as large as a real model's. */
function statesOf(contextFrames: number): State[] {
  return [
    { name: 'cached_key_0', dims: [contextFrames, 'N', 2], type: 'float' },
    { name: 'cached_nonlin_attn_0', dims: [1, 'N', contextFrames, 3], type: 'float' },
    { name: 'cached_val1_0', dims: [contextFrames, 'N', 2], type: 'float' },
    { name: 'cached_val2_0', dims: [contextFrames, 'N', 2], type: 'float' },
    { name: 'cached_conv1_0', dims: ['N', 4, 1], type: 'float' },
    { name: 'cached_conv2_0', dims: ['N', 4, 1], type: 'float' },
    { name: 'embed_states', dims: ['N', ...EMBED], type: 'float' },
    { name: 'processed_lens', dims: ['N'], type: 'int64' },
  ];
}

/** A class counts if the previous frame has it as well; the last frame of the previous chunk is a state. */
function encoder(contextFrames: number): Model {
  const states = statesOf(contextFrames);
  const kept = states.filter(({ name }) => name !== 'cached_conv1_0');
  return {
    inputs: [{ name: 'x', type: 'float', dims: ['N', WINDOW, FEATURES] }, ...states],
    outputs: [
      { name: 'encoder_out', type: 'float', dims: ['N', FRAMES, 4] },
      ...states.map((state): Port => ({ ...state, name: `new_${state.name}` })),
    ],
    nodes: [
      node('Slice', ['x', 'first', 'chunk', 'axis-1'], 'frames'),
      node('Reshape', ['frames', 'by-four'], 'grouped'),
      node('ReduceMean', ['grouped'], 'pooled', { axes: [2], keepdims: 0 }),
      ...CLASSIFY,
      node('Concat', ['blank-score', 'low-score', 'high-score', 'never-score'], 'scores', { axis: 2 }),
      node('Transpose', ['cached_conv1_0'], 'last-frame', { perm: [0, 2, 1] }),
      node('Slice', ['scores', 'first', 'all-but-one', 'axis-1'], 'earlier'),
      node('Concat', ['last-frame', 'earlier'], 'before', { axis: 1 }),
      node('Min', ['scores', 'before'], 'encoder_out'),
      node('Slice', ['scores', 'all-but-one', 'end', 'axis-1'], 'newest'),
      node('Transpose', ['newest'], 'new_cached_conv1_0', { perm: [0, 2, 1] }),
      ...kept.map(({ name }) => node('Identity', [name], `new_${name}`)),
    ],
    constants: [
      ...CLASSIFY_CONSTANTS,
      ints('first', [0]),
      ints('chunk', [CHUNK]),
      ints('axis-1', [1]),
      ints('by-four', [0, FRAMES, 4, FEATURES]),
      ints('all-but-one', [FRAMES - 1]),
      ints('end', [FRAMES]),
    ],
    metadata: {
      model_type: 'zipformer2',
      encoder_dims: '4',
      query_head_dims: '2',
      value_head_dims: '2',
      num_heads: '1',
      num_encoder_layers: '1',
      cnn_module_kernels: '3',
      left_context_len: String(contextFrames),
      T: WINDOW,
      decode_chunk_len: CHUNK,
    },
  };
}

/** Forbids the previous token, so that a long tone is one word. */
const DECODER: Model = {
  inputs: [{ name: 'y', type: 'int64', dims: ['N', 2] }],
  outputs: [{ name: 'decoder_out', type: 'float', dims: ['N', 4] }],
  nodes: [
    node('Slice', ['y', 'last', 'end', 'axis'], 'token'),
    node('Gather', ['table', 'token'], 'row', { axis: 0 }),
    node('Reshape', ['row', 'flat'], 'decoder_out'),
  ],
  constants: [
    ints('last', [1]),
    ints('end', [2]),
    ints('axis', [1]),
    ints('flat', [-1, 4]),
    floats('table', [4, 4], [0, 0, 0, 0, 0, NEVER, 0, 0, 0, 0, NEVER, 0, 0, 0, 0, NEVER]),
  ],
  metadata: { vocab_size: 4, context_size: 2 },
};

const JOINER: Model = {
  inputs: [
    { name: 'encoder_out', type: 'float', dims: ['N', 4] },
    { name: 'decoder_out', type: 'float', dims: ['N', 4] },
  ],
  outputs: [{ name: 'logit', type: 'float', dims: ['N', 4] }],
  nodes: [node('Add', ['encoder_out', 'decoder_out'], 'logit')],
  constants: [],
  metadata: { joiner_dim: 4 },
};

/** NeMo's CTC: features [N, 80, T], blank last. */
const CTC: Model = {
  inputs: [
    { name: 'audio_signal', type: 'float', dims: ['N', FEATURES, 'T'] },
    { name: 'length', type: 'int64', dims: ['N'] },
  ],
  outputs: [{ name: 'logprobs', type: 'float', dims: ['N', 'T', 4] }],
  nodes: [
    node('Transpose', ['audio_signal'], 'pooled', { perm: [0, 2, 1] }),
    ...CLASSIFY,
    node('Concat', ['low-score', 'high-score', 'never-score', 'blank-score'], 'logprobs', { axis: 2 }),
  ],
  constants: CLASSIFY_CONSTANTS,
  metadata: {
    vocab_size: 3,
    subsampling_factor: 1,
    normalize_type: '',
    model_type: 'EncDecCTCModelBPE',
    is_giga_am: 0,
  },
};

/** A VITS voice that reads letters: a tone of 54 ms a letter, shorter at a higher speed. */
const VOICE: Model = {
  inputs: [
    { name: 'input', type: 'int64', dims: ['N', 'L'] },
    { name: 'input_lengths', type: 'int64', dims: ['N'] },
    { name: 'scales', type: 'float', dims: [3] },
    { name: 'sid', type: 'int64', dims: ['N'] },
  ],
  outputs: [{ name: 'output', type: 'float', dims: [1, 1, 'samples'] }],
  nodes: [
    node('Cast', ['input_lengths'], 'letters', { to: 1 }),
    node('Slice', ['scales', 'one', 'two', 'axis'], 'length-scale'),
    node('Mul', ['letters', 'length-scale'], 'stretched'),
    node('Mul', ['stretched', 'per-letter'], 'samples'),
    node('Squeeze', ['samples'], 'limit'),
    node('Range', ['start', 'limit', 'delta'], 'time'),
    node('Cast', ['sid'], 'speaker', { to: 1 }),
    node('Add', ['speaker', 'one-float'], 'harmonic'),
    node('Mul', ['time', 'step'], 'base-phase'),
    node('Mul', ['base-phase', 'harmonic'], 'phase'),
    node('Sin', ['phase'], 'sine'),
    node('Mul', ['sine', 'level'], 'tone'),
    node('Reshape', ['tone', 'shape'], 'output'),
  ],
  constants: [
    ints('one', [1]),
    ints('two', [2]),
    ints('axis', [0]),
    ints('shape', [1, 1, -1]),
    floats('per-letter', [], [SAMPLES_PER_LETTER]),
    floats('start', [], [0]),
    floats('delta', [], [1]),
    floats('one-float', [], [1]),
    floats('step', [], [(2 * Math.PI * VOICE_HZ) / VOICE_RATE_HZ]),
    floats('level', [], [0.3]),
  ],
  metadata: {
    comment: 'coqui',
    frontend: 'characters',
    language: 'English',
    sample_rate: VOICE_RATE_HZ,
    n_speakers: 2,
    add_blank: 0,
    use_eos_bos: 0,
  },
};

export const VOICE_TONE = { rateHz: VOICE_RATE_HZ, hz: VOICE_HZ, samplesPerLetter: SAMPLES_PER_LETTER };

/** A streaming zipformer transducer. `contextFrames` sets the size of a stream's state: 44 bytes each. */
export function writeStreamingModel(folder: string, contextFrames = 4): string {
  mkdirSync(folder, { recursive: true });
  // The file name tells a streaming model from others.
  const suffix = 'chunk-32-left-64';
  writeFileSync(join(folder, `encoder-${suffix}.onnx`), writeOnnx(encoder(contextFrames)));
  writeFileSync(join(folder, `decoder-${suffix}.onnx`), writeOnnx(DECODER));
  writeFileSync(join(folder, `joiner-${suffix}.onnx`), writeOnnx(JOINER));
  writeFileSync(join(folder, 'tokens.txt'), '<blk> 0\n▁LOW 1\n▁HIGH 2\n▁NEVER 3\n');
  return folder;
}

/** A NeMo CTC model, for whole utterances. */
export function writeWholeModel(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'model.onnx'), writeOnnx(CTC));
  writeFileSync(join(folder, 'tokens.txt'), '▁LOW 0\n▁HIGH 1\n▁NEVER 2\n<blk> 3\n');
  return folder;
}

/** A VITS voice with two speakers; the second is an octave higher. */
export function writeVoice(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789.,!?'-"];
  writeFileSync(join(folder, 'en_US-tone-medium.onnx'), writeOnnx(VOICE));
  writeFileSync(join(folder, 'tokens.txt'), `${letters.map((letter, id) => `${letter} ${id}`).join('\n')}\n  42\n`);
  // Voices have a lexicon or eSpeak's data; this one reads letters.
  writeFileSync(join(folder, 'lexicon.txt'), '');
  return folder;
}
