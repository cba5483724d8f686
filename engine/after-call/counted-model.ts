// A model whose text tasks are written down as uses of a call, for work that is done after its end.
import { modelUse, type Use, type UsePurpose } from '../../db/domain/cost/uses.ts';
import type { Writer } from '../../db/writing/writer.ts';
import type { DialogueModel } from '../../models/llm/llm.ts';
import type { Clock } from '../clock.ts';

interface Counting {
  writer: Pick<Writer, 'run'>;
  clock: Pick<Clock, 'nowMs'>;
  model: DialogueModel;
  callId: string;
  accountId: string;
  purpose: UsePurpose;
}

/** Has the work done with such a model, and writes down what it used, also where nothing came of it. */
export async function withCountedModel<T>(of: Counting, work: (model: DialogueModel) => Promise<T>): Promise<T> {
  const { writer, clock, model, callId: subjectId, accountId, purpose } = of;
  const uses: Use[] = [];
  try {
    return await work(counted(model, purpose, uses));
  } finally {
    // Nobody misses a line of a bill so much that the work should fail.
    if (uses.length > 0)
      await writer.run('addUses', { accountId, subjectId, uses, nowMs: clock.nowMs() }).catch(() => undefined);
  }
}

function counted(model: DialogueModel, purpose: UsePurpose, uses: Use[]): DialogueModel {
  const { complete, name } = model;
  if (!complete) return model;
  return {
    name,
    reply: (request, signal) => model.reply(request, signal),
    complete: (prompt, signal) =>
      complete(
        {
          ...prompt,
          onUsed: ({ model: asked, isEstimated, ...tokens }) => {
            const [engine = ''] = name.split(':');
            const estimated = isEstimated ? { isEstimated: true as const } : {};
            uses.push(modelUse({ kind: 'llm', engine, model: asked, purpose, requests: 1, ...tokens, ...estimated }));
          },
        },
        signal,
      ),
  };
}
