// A dialogue model whose failures and successes on calls are told to the health of the models.
import { messageOf } from '../../db/domain/unexpected.ts';
import { type DialogueModel, LlmError } from '../../models/llm/llm.ts';
import type { ModelHealth } from './health.ts';

/** The model, with its failures and successes recorded. */
export function watchDialogue(model: DialogueModel, health: Pick<ModelHealth, 'failed' | 'worked'>): DialogueModel {
  const { complete } = model;
  return {
    name: model.name,
    async *reply(request, signal) {
      try {
        yield* model.reply(request, signal);
        if (!signal.aborted) health.worked('llm');
      } catch (error) {
        // A reply that nobody wants any more is no failure; one that the caller waited for in vain is.
        if (!signal.aborted) health.failed('llm', faultText(error));
        else if (signal.reason instanceof LlmError) health.failed('llm', faultText(signal.reason));
        throw error;
      }
    },
    complete: complete === null ? null : complete.bind(model),
    warm: (briefing) => model.warm?.(briefing),
    check: async () => (await model.check?.()) ?? [],
    onNotice: (listener) => model.onNotice?.(listener),
    invitation: (call) => model.invitation?.(call) ?? null,
  };
}

/** `LLM_REFUSED: 401 from api.example.com/v1`, `LLM_UNAVAILABLE: the model server cannot be reached at …`. */
function faultText(error: unknown): string {
  if (!(error instanceof LlmError)) return messageOf(error);
  const { status, url, vendorMessage } = error.details;
  const happened = status === undefined ? error.message : `${status}`;
  const where = url === undefined ? '' : ` ${status === undefined ? 'at' : 'from'} ${url}`;
  return `${error.code}: ${happened}${where}${vendorMessage === undefined ? '' : `: ${vendorMessage}`}`;
}
