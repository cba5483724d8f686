// Silero's network for 8 kHz, written anew for many streams at once. In the file that the package brings, each
// convolution is worked out window by window, as products of small matrices, and every run decides anew, in nine
// branches, which rate, and how many frames and layers it has. Here a convolution over the four frames of a window is
// one matrix, with zeros where its kernel does not reach, so that all windows of a batch are one product. The weights
// and the sums are the same but for the order of their additions: the results differ by less than 1e-5.
//
//   frames [4 n, 128] ─► DFT ─► magnitude [n, 4 × 65] ─► 4 convolutions ─► [n, 128] ─► LSTM ─► ReLU ─► probability
//                                                                 h, c [1, n, 128] ─┘ └─► next h, c
import { type Node, type Tensor, writeOnnx } from './onnx-writer.ts';

/** Frames of a window, and samples of each; the next begins in the middle of the one before. */
export const FRAMES = 4;
export const FRAME_SAMPLES = 128;
/** Of the LSTM. */
export const UNITS = 128;

const BINS = FRAME_SAMPLES / 2 + 1;
const KERNEL = 3;

/** Channels in and out, frames before, and the step between those that remain. */
const CONVOLUTIONS = [
  { name: 'encoder.0.reparam_conv', channels: BINS, out: 128, frames: FRAMES, stride: 1 },
  { name: 'encoder.1.reparam_conv', channels: 128, out: 64, frames: FRAMES, stride: 2 },
  { name: 'encoder.2.reparam_conv', channels: 64, out: 64, frames: 2, stride: 2 },
  { name: 'encoder.3.reparam_conv', channels: 64, out: UNITS, frames: 1, stride: 1 },
] as const;

type Weights = (name: string, length: number) => Float32Array;

/**
 * The bytes of the model. Inputs `frames`, `h`, `c`; outputs `probability` [n, 1], `nextH`, `nextC`.
 * @throws Error where a weight is missing or has another size
 */
export function sileroGraph(weights: ReadonlyMap<string, Float32Array>): Buffer {
  const take: Weights = (name, length) => {
    const found = weights.get(name);
    if (found?.length !== length) throw new Error(`the VAD model has no ${name} of ${length} numbers`);
    return found;
  };
  const dense = CONVOLUTIONS.map((convolution, index) => denseLayer(index, convolution, take));
  const state = [1, 'streams', UNITS];
  return writeOnnx({
    inputs: [
      { name: 'frames', type: 'float', dims: ['frames', FRAME_SAMPLES] },
      { name: 'h', type: 'float', dims: state },
      { name: 'c', type: 'float', dims: state },
    ],
    outputs: [
      { name: 'probability', type: 'float', dims: ['streams', 1] },
      { name: 'nextH', type: 'float', dims: state },
      { name: 'nextC', type: 'float', dims: state },
    ],
    nodes: [
      node('MatMul', ['frames', 'cosines'], 'real'),
      node('MatMul', ['frames', 'sines'], 'imaginary'),
      node('Mul', ['real', 'real'], 'real squared'),
      node('Mul', ['imaginary', 'imaginary'], 'imaginary squared'),
      node('Add', ['real squared', 'imaginary squared'], 'power'),
      node('Sqrt', ['power'], 'magnitude'),
      node('Reshape', ['magnitude', 'windows'], 'layer 0'),
      ...dense.flatMap(({ nodes }) => nodes),
      node('Unsqueeze', [`layer ${CONVOLUTIONS.length}`, 'first axis'], 'step'),
      {
        op: 'LSTM',
        inputs: ['step', 'input weights', 'recurrent weights', 'gate biases', '', 'h', 'c'],
        outputs: ['all h', 'nextH', 'nextC'],
        attributes: { hidden_size: UNITS },
      },
      node('Squeeze', ['nextH', 'first axis'], 'last h'),
      node('Relu', ['last h'], 'heard'),
      node('Gemm', ['heard', 'decoder', 'decoder bias'], 'logit'),
      node('Sigmoid', ['logit'], 'probability'),
    ],
    constants: [
      ...transform(take),
      ...dense.flatMap(({ constants }) => constants),
      ...lstm(take),
      floats('decoder', [UNITS, 1], take('decoder.decoder.2.weight', UNITS)),
      floats('decoder bias', [1], take('decoder.decoder.2.bias', 1)),
      { name: 'windows', dims: [2], values: BigInt64Array.of(-1n, BigInt(FRAMES * BINS)) },
      { name: 'first axis', dims: [1], values: BigInt64Array.of(0n) },
    ],
    metadata: {},
  });
}

const node = (op: string, inputs: string[], output: string): Node => ({ op, inputs, outputs: [output] });

const floats = (name: string, dims: number[], values: Float32Array): Tensor => ({ name, dims, values });

/** The windowed DFT: rows of its basis are the bins, first all real parts, then all imaginary ones. */
function transform(take: Weights): Tensor[] {
  const basis = take('stft.forward_basis_buffer', 2 * BINS * FRAME_SAMPLES);
  return ['cosines', 'sines'].map((name, half) => {
    const columns = new Float32Array(FRAME_SAMPLES * BINS);
    for (let bin = 0; bin < BINS; bin++)
      for (let n = 0; n < FRAME_SAMPLES; n++)
        columns[n * BINS + bin] = basis[(half * BINS + bin) * FRAME_SAMPLES + n] as number;
    return floats(name, [FRAME_SAMPLES, BINS], columns);
  });
}

/** A convolution, padded by one frame on either side, as a matrix from all its frames to all that remain. */
function denseLayer(
  index: number,
  { name, channels, out, frames, stride }: (typeof CONVOLUTIONS)[number],
  take: Weights,
): { nodes: Node[]; constants: Tensor[] } {
  const kernel = take(`${name}.weight`, out * channels * KERNEL);
  const bias = take(`${name}.bias`, out);
  const left = Math.floor((frames - 1) / stride) + 1;
  const columns = left * out;
  const matrix = new Float32Array(frames * channels * columns);
  for (let to = 0; to < left; to++)
    for (let tap = 0; tap < KERNEL; tap++) {
      const from = to * stride + tap - 1;
      if (from < 0 || from >= frames) continue;
      for (let channel = 0; channel < channels; channel++)
        for (let each = 0; each < out; each++)
          matrix[(from * channels + channel) * columns + to * out + each] = kernel[
            (each * channels + channel) * KERNEL + tap
          ] as number;
    }
  const biases = Float32Array.from({ length: columns }, (_, column) => bias[column % out] as number);
  return {
    nodes: [
      node('Gemm', [`layer ${index}`, name, `${name} bias`], `sum ${index}`),
      node('Relu', [`sum ${index}`], `layer ${index + 1}`),
    ],
    constants: [floats(name, [frames * channels, columns], matrix), floats(`${name} bias`, [columns], biases)],
  };
}

/** PyTorch keeps the gates as input, forget, cell, output; ONNX has them as input, output, forget, cell. */
function lstm(take: Weights): Tensor[] {
  const gates = (name: string, of: number): Float32Array => {
    const values = take(`decoder.rnn.${name}`, 4 * of);
    return Float32Array.from([0, 3, 1, 2].flatMap((gate) => [...values.subarray(gate * of, (gate + 1) * of)]));
  };
  const biases = [...gates('bias_ih', UNITS), ...gates('bias_hh', UNITS)];
  return [
    floats('input weights', [1, 4 * UNITS, UNITS], gates('weight_ih', UNITS * UNITS)),
    floats('recurrent weights', [1, 4 * UNITS, UNITS], gates('weight_hh', UNITS * UNITS)),
    floats('gate biases', [1, 8 * UNITS], Float32Array.from(biases)),
  ];
}
