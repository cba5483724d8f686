// Writes small ONNX models: just enough of the format (onnx.proto, IR version 8) for the graphs that are made here and
// in the bench.

type Values = Float32Array | BigInt64Array;

export interface Tensor {
  name: string;
  dims: number[];
  values: Values;
}

export interface Port {
  name: string;
  type: 'float' | 'int64';
  /** A name means a variable dimension. */
  dims: Array<number | string>;
}

export interface Node {
  op: string;
  inputs: string[];
  outputs: string[];
  attributes?: Record<string, number | number[]>;
}

export interface Model {
  inputs: Port[];
  outputs: Port[];
  nodes: Node[];
  constants: Tensor[];
  metadata: Record<string, string | number>;
}

const OPSET = 13;
const IR_VERSION = 8;
const FLOAT = 1;
const INT64 = 7;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;

/** The bytes of a ModelProto. */
export function writeOnnx(model: Model): Buffer {
  const graph = Buffer.concat([
    ...model.nodes.map((node) => message(1, writeNode(node))),
    text(2, 'graph'),
    ...model.constants.map((tensor) => message(5, writeTensor(tensor))),
    ...model.inputs.map((port) => message(11, writePort(port))),
    ...model.outputs.map((port) => message(12, writePort(port))),
  ]);
  const entries = Object.entries(model.metadata);
  return Buffer.concat([
    integer(1, IR_VERSION),
    message(7, graph),
    message(8, integer(2, OPSET)),
    ...entries.map(([key, value]) => message(14, Buffer.concat([text(1, key), text(2, String(value))]))),
  ]);
}

function writeNode({ op, inputs, outputs, attributes = {} }: Node): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) => message(5, writeAttribute(name, value))),
  ]);
}

function writeAttribute(name: string, value: number | number[]): Buffer {
  return typeof value === 'number'
    ? Buffer.concat([text(1, name), integer(3, value), integer(20, ATTRIBUTE_INT)])
    : Buffer.concat([text(1, name), ...value.map((item) => integer(8, item)), integer(20, ATTRIBUTE_INTS)]);
}

function writeTensor({ name, dims, values }: Tensor): Buffer {
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return Buffer.concat([
    ...dims.map((dim) => integer(1, dim)),
    integer(2, values instanceof Float32Array ? FLOAT : INT64),
    text(8, name),
    message(9, raw),
  ]);
}

function writePort({ name, type, dims }: Port): Buffer {
  const shape = Buffer.concat(dims.map((dim) => message(1, typeof dim === 'number' ? integer(1, dim) : text(2, dim))));
  const tensor = Buffer.concat([integer(1, type === 'float' ? FLOAT : INT64), message(2, shape)]);
  return Buffer.concat([text(1, name), message(2, message(1, tensor))]);
}

function varint(value: number): Buffer {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 0x80 : low);
  } while (rest > 0n);
  return Buffer.from(bytes);
}

function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

function message(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

function text(field: number, value: string): Buffer {
  return message(field, Buffer.from(value));
}
