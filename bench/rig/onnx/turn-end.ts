// Generates a turn-end model in place of the real weights: with the inputs and outputs of Smart Turn v3, and arithmetic
// instead of a neural network. A turn is over when its last half second is lower than 1.4 kHz.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SMART_TURN } from '../../../models/install/weights.ts';
import { type Model, writeOnnx } from '../../../models/vad/onnx-writer.ts';
import { floats, ints, node } from './models.ts';

const FRAMES = 800;
const MELS = 80;
const LOW_MELS = 32;
const STEEPNESS = 50;

const model = (input: string): Model => ({
  inputs: [{ name: input, type: 'float', dims: ['batch', MELS, FRAMES] }],
  outputs: [{ name: 'logits', type: 'float', dims: ['batch', 1] }],
  nodes: [
    node('Slice', [input, 'last-half-second', 'to-the-end', 'axis-2'], 'ending'),
    node('Slice', ['ending', 'zero', 'low', 'axis-1'], 'low-mels'),
    node('Slice', ['ending', 'low', 'all', 'axis-1'], 'high-mels'),
    node('ReduceMean', ['low-mels'], 'low-level', { axes: [1, 2], keepdims: 0 }),
    node('ReduceMean', ['high-mels'], 'high-level', { axes: [1, 2], keepdims: 0 }),
    node('Sub', ['low-level', 'high-level'], 'difference'),
    node('Mul', ['difference', 'steepness'], 'score'),
    node('Sigmoid', ['score'], 'likelihood'),
    node('Reshape', ['likelihood', 'shape'], 'logits'),
  ],
  constants: [
    ints('last-half-second', [FRAMES - 50]),
    ints('to-the-end', [FRAMES]),
    ints('axis-1', [1]),
    ints('axis-2', [2]),
    ints('zero', [0]),
    ints('low', [LOW_MELS]),
    ints('all', [MELS]),
    ints('shape', [-1, 1]),
    floats('steepness', [], [STEEPNESS]),
  ],
  metadata: {},
});

/** Installs it under `dataDir`. `input`: another name makes it another model. */
export function writeTurnEndModel(dataDir: string, input = 'input_features'): void {
  const folder = join(dataDir, 'models', SMART_TURN.name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, SMART_TURN.file), writeOnnx(model(input)));
}
