// Vectors of texts by an OpenAI-compatible server (`POST /embeddings`), as whole numbers of a byte. The pool keeps its
// connections between the questions of a call.
import { Agent, request } from 'undici';

interface EmbeddingsOptions {
  /** Without `/embeddings`; null: OpenAI's. */
  baseUrl: string | null;
  apiKey: string | null;
  model: string;
  /** Asked for; a longer vector is cut. */
  dimensions: number;
}

type EmbeddingsFault = 'UNREACHABLE' | 'TIMEOUT' | 'RATE_LIMITED' | 'REFUSED' | 'UNUSABLE';

/** The message names no text that was sent. */
export class EmbeddingsError extends Error {
  readonly code: EmbeddingsFault;
  /** When the server wants to be asked again; null: it did not say. */
  readonly retryAfterMs: number | null;

  constructor(code: EmbeddingsFault, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = 'EmbeddingsError';
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

const VENDOR_URL = 'https://api.openai.com/v1';
const IDLE_CONNECTION_MS = 55_000;
const CONNECT_TIMEOUT_MS = 3_000;
/**
 * A vector of 4,096 dimensions as text; and what else an answer says. An engine parses it on the thread of its calls.
 */
const VECTOR_BYTES_MAX = 128 * 1024;
const FRAME_BYTES_MAX = 64 * 1024;
const RETRY_AFTER_MAX_MS = 3_600_000;

const pool = new Agent({ keepAliveTimeout: IDLE_CONNECTION_MS, connect: { timeout: CONNECT_TIMEOUT_MS } });

export class Embeddings {
  readonly #settings: EmbeddingsOptions;
  readonly #url: string;

  constructor(settings: EmbeddingsOptions) {
    this.#settings = settings;
    this.#url = `${settings.baseUrl ?? VENDOR_URL}/embeddings`;
  }

  /** A vector for each text, in their order. @throws {EmbeddingsError} */
  async of(texts: readonly string[], withinMs: number, signal?: AbortSignal): Promise<Int8Array[]> {
    const { apiKey, model, dimensions } = this.#settings;
    const deadline = AbortSignal.timeout(withinMs);
    const answer = await request(this.#url, {
      method: 'POST',
      dispatcher: pool,
      headers: {
        'content-type': 'application/json',
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, input: texts, dimensions, encoding_format: 'float' }),
      signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
    }).catch((error: unknown) => {
      throw unreachable(error, deadline, withinMs);
    });
    const { statusCode, headers, body } = answer;
    const text = await bounded(body, FRAME_BYTES_MAX + texts.length * VECTOR_BYTES_MAX).catch((error: unknown) => {
      throw error instanceof EmbeddingsError ? error : unreachable(error, deadline, withinMs);
    });
    if (statusCode === 429)
      throw new EmbeddingsError('RATE_LIMITED', 'the server wants fewer requests (429)', retryAfter(headers));
    if (statusCode < 200 || statusCode > 299)
      throw new EmbeddingsError('REFUSED', `the server answered ${statusCode}`, retryAfter(headers));
    return vectorsOf(text, texts.length, dimensions);
  }
}

function unreachable(error: unknown, deadline: AbortSignal, withinMs: number): EmbeddingsError {
  if (deadline.aborted) return new EmbeddingsError('TIMEOUT', `the server did not answer within ${withinMs} ms`);
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return new EmbeddingsError('UNREACHABLE', `the server cannot be reached${code}`);
}

async function bounded(body: AsyncIterable<Buffer>, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new EmbeddingsError('UNUSABLE', 'the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function retryAfter(headers: Record<string, string | string[] | undefined>): number | null {
  const value = headers['retry-after'];
  if (typeof value !== 'string' || !/^\d+(\.\d+)?$/.test(value.trim())) return null;
  return Math.min(Number(value) * 1_000, RETRY_AFTER_MAX_MS);
}

function vectorsOf(text: string, count: number, dimensions: number): Int8Array[] {
  const unusable = (why: string): EmbeddingsError => new EmbeddingsError('UNUSABLE', `the server answered ${why}`);
  let data: unknown;
  try {
    data = (JSON.parse(text) as { data?: unknown }).data;
  } catch {
    throw unusable('no JSON');
  }
  if (!Array.isArray(data) || data.length !== count) throw unusable('another number of vectors than texts');
  const vectors: Int8Array[] = new Array(count);
  for (const [place, entry] of data.entries()) {
    const { index, embedding } = (entry ?? {}) as { index?: unknown; embedding?: unknown };
    const at = index ?? place;
    // An array takes any whole number as its length, and is then walked to its end.
    if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at >= count || vectors[at] !== undefined)
      throw unusable('vectors for other texts');
    if (!Array.isArray(embedding) || !embedding.every((value) => Number.isFinite(value)))
      throw unusable('something else than numbers');
    if (embedding.length < dimensions)
      throw unusable(`vectors of ${embedding.length} numbers, fewer than EMBEDDINGS_DIMENSIONS (${dimensions})`);
    vectors[at] = quantised(embedding.slice(0, dimensions));
  }
  return vectors;
}

/** The largest number becomes 127: only the direction of a vector counts. */
function quantised(values: readonly number[]): Int8Array {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Int8Array.from(values, (value) => (largest === 0 ? 0 : Math.round((value / largest) * 127)));
}
