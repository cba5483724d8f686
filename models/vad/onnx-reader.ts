// Reads the weights of one branch of an ONNX model (onnx.proto): those that a branch of an `If` keeps as constants. Of
// the format it knows only the way to them.

/** Field numbers on that way. */
const MODEL_GRAPH = 7;
const GRAPH_NODE = 1;
const NODE_ATTRIBUTE = 5;
const ATTRIBUTE = { name: 1, tensor: 5, graph: 6 } as const;
const TENSOR = { name: 8, raw: 9 } as const;

/** By their names in the model. The branch is one of the first level. Empty where the file has no such branch. */
export function weightsOfBranch(model: Buffer, branch: 'then_branch' | 'else_branch'): Map<string, Float32Array> {
  const found = new Map<string, Float32Array>();
  for (const node of messages(messages([model], MODEL_GRAPH), GRAPH_NODE)) {
    for (const attribute of messages([node], NODE_ATTRIBUTE)) {
      if (textOf(attribute, ATTRIBUTE.name) !== branch) continue;
      const constants = messages(messages(messages([attribute], ATTRIBUTE.graph), GRAPH_NODE), NODE_ATTRIBUTE);
      for (const tensor of messages(constants, ATTRIBUTE.tensor)) {
        const [raw] = messages([tensor], TENSOR.raw);
        const name = textOf(tensor, TENSOR.name);
        // A copy, because the bytes in the file are not aligned.
        if (raw && name !== '') found.set(name, new Float32Array(Uint8Array.from(raw).buffer));
      }
    }
  }
  return found;
}

const textOf = (message: Buffer, field: number): string => String(messages([message], field)[0] ?? '');

/** The values of a field of these messages, each a message, a text or raw bytes. */
function messages(of: readonly Buffer[], field: number): Buffer[] {
  return of.flatMap((message) => [...fields(message)].flatMap(([number, value]) => (number === field ? [value] : [])));
}

/** Fields with a length; numbers are passed over. */
function* fields(message: Buffer): Generator<[number: number, value: Buffer]> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let weight = 1; at < message.length; weight *= 128) {
      const byte = message[at++] as number;
      value += (byte & 0x7f) * weight;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < message.length) {
    const tag = varint();
    switch (tag & 7) {
      case 0:
        varint();
        break;
      case 1:
        at += 8;
        break;
      case 5:
        at += 4;
        break;
      case 2: {
        const length = varint();
        yield [tag >>> 3, message.subarray(at, at + length)];
        at += length;
        break;
      }
      default:
        throw new Error('not an ONNX model');
    }
  }
}
