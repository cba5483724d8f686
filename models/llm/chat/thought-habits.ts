// Whether a model's replies begin with thoughts that only a closing mark ends, as those do whose template opens the
// thoughts itself. Nobody can tell such a reply from another before the mark has come, so the next ones are held until
// then. It is forgotten after some minutes, and at the first reply that has no such mark.
const KEPT_MS = 10 * 60_000;
const MAX_MODELS = 200;

const untilOf = new Map<string, number>();
const keyOf = (server: string, model: string): string => `${server} ${model}`;

export function thinksAloud(server: string, model: string): boolean {
  return (untilOf.get(keyOf(server, model)) ?? 0) > Date.now();
}

/** A reply of the model closed thoughts that it had not opened, or did not. */
export function toldThoughts(server: string, model: string, hasThoughts: boolean): void {
  const key = keyOf(server, model);
  untilOf.delete(key);
  if (!hasThoughts) return;
  const [oldest] = untilOf.keys();
  if (untilOf.size >= MAX_MODELS && oldest !== undefined) untilOf.delete(oldest);
  untilOf.set(key, Date.now() + KEPT_MS);
}
