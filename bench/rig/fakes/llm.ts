// A dialogue model that answers at once with FAKE_LLM_REPLY, in which {n} counts the replies of the process {run}, or
// after FAKE_LLM_FIRST_TOKEN_MS at 30 tokens/s if that is set. FAKE_BLOCK_CONTROL_MS blocks the control thread for that
// long every 250 ms: audio must not be affected.
import type { DialogueModel } from '../../../models/llm/llm.ts';

const TOKENS_PER_SECOND = 30;

/** A process's number comes again once some ten thousand have been started: the time of its start does not. */
const RUN = String(Math.round(performance.timeOrigin) % 1_000_000_000);

export default async function createModel(environment: Record<string, string | undefined>): Promise<DialogueModel> {
  const firstTokenMs = Number(environment.FAKE_LLM_FIRST_TOKEN_MS ?? 0);
  const reply = environment.FAKE_LLM_REPLY ?? 'We are open from nine.';
  let replies = 0;
  const blockMs = Number(environment.FAKE_BLOCK_CONTROL_MS ?? 0);
  if (blockMs > 0) {
    setInterval(() => {
      const until = performance.now() + blockMs;
      while (performance.now() < until);
    }, 250).unref();
  }
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  return {
    name: 'fake',
    complete: null,
    async *reply(_request, signal) {
      if (firstTokenMs > 0) await wait(firstTokenMs);
      const text = reply.replaceAll('{n}', String(++replies)).replaceAll('{run}', RUN);
      for (const word of text.split(/(?<= )/)) {
        if (signal.aborted) return;
        yield { type: 'text', text: word };
        if (firstTokenMs > 0) await wait(1000 / TOKENS_PER_SECOND);
      }
    },
  };
}
