// Vectors of questions by a local server, several asked for at once as by several calls, and vectors of passages.
import { Embeddings } from '../../models/knowledge/embeddings.ts';
import { questionsOf } from '../knowledge/questions.ts';
import { summarise } from '../rig/measure/statistics.ts';
import { MINILM } from './engines.ts';

const WITHIN_MS = 60_000;
const PASSAGES = 16;

export interface Asked {
  atOnce: number;
  p50: number;
  p95: number;
}

/** Times of a question's vector, and how many passages a second are made. */
export async function askForVectors(
  base: string,
  { atOnce, each, boundMs }: { atOnce: readonly number[]; each: number; boundMs: number },
): Promise<{ rounds: Asked[]; passagesASecond: number }> {
  const server = new Embeddings({ baseUrl: base, apiKey: null, model: 'local', dimensions: MINILM.dimensions });
  const questions = questionsOf('heat-pump').map(({ text }) => text);
  const rounds: Asked[] = [];
  for (const count of atOnce) {
    const times: number[] = [];
    const ask = async (from: number): Promise<void> => {
      for (let n = 0; n < each; n++) {
        const startedAt = performance.now();
        await server.of([questions[(from + n) % questions.length] ?? ''], WITHIN_MS);
        times.push(performance.now() - startedAt);
      }
    };
    await Promise.all(Array.from({ length: count }, (_, index) => ask(index * each)));
    const { p50, p95 } = summarise(times);
    rounds.push({ atOnce: count, p50, p95 });
    if (p95 > boundMs) break;
  }
  const passage = questions.slice(0, 8).join(' ');
  const startedAt = performance.now();
  await server.of(new Array<string>(PASSAGES).fill(passage), WITHIN_MS);
  return { rounds, passagesASecond: (PASSAGES * 1_000) / (performance.now() - startedAt) };
}
