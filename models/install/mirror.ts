// Weights from another address than their publishers': MODELS_MIRROR, for machines that reach only their own network.
// It has the paths of the publishers behind it: /k2-fsa/sherpa-onnx/releases/download/….
import { withoutTrailingSlashes } from '../../db/shared/net/base-url.ts';

interface Located {
  url: string;
  checksumUrl: string;
}

/** The model as it is fetched here. */
export function mirrored<M extends Located>(model: M, environment: Record<string, string | undefined>): M {
  const mirror = withoutTrailingSlashes(environment.MODELS_MIRROR?.trim() ?? '');
  if (!mirror) return model;
  const there = (url: string): string => `${mirror}${new URL(url).pathname}`;
  return { ...model, url: there(model.url), checksumUrl: there(model.checksumUrl) };
}
