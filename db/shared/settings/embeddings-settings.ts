// The server that makes vectors of texts (embeddings): the API asks it for documents, the engine for questions.
import { ConfigError, type Environment, readInteger, readText, readUrl } from './environment.ts';

export interface EmbeddingsSettings {
  /** Without `/embeddings`; null: OpenAI's. */
  baseUrl: string | null;
  apiKey: string | null;
  model: string;
  /** Of a vector as it is kept: asked for, and cut to where a server answers more. */
  dimensions: number;
}

const DEFAULT_MODEL = 'text-embedding-3-small';

/** Null: no server is set, and words alone decide. @throws {ConfigError} */
export function readEmbeddings(environment: Environment): EmbeddingsSettings | null {
  const baseUrl = readUrl(environment, 'EMBEDDINGS_BASE_URL', null, ['http', 'https']);
  const apiKey = readText(environment, 'EMBEDDINGS_API_KEY', null);
  const model = readText(environment, 'EMBEDDINGS_MODEL', null);
  const dimensions = readInteger(environment, 'EMBEDDINGS_DIMENSIONS', 256, { min: 32, max: 1_024 });
  if (baseUrl === null && apiKey === null) {
    if (model !== null)
      throw new ConfigError('EMBEDDINGS_MODEL', 'has a meaning only beside EMBEDDINGS_BASE_URL or EMBEDDINGS_API_KEY');
    return null;
  }
  return { baseUrl, apiKey, model: model ?? DEFAULT_MODEL, dimensions };
}

/** Vectors of one model and size can be compared. */
export const vectorKind = ({ model, dimensions }: EmbeddingsSettings): string => `${model}/${dimensions}`;
