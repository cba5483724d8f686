// Answers in writing in this engine: conversations get the model, documents and tools of calls, and no line.
import { TenantTools } from '../call/own-tools.ts';
import { createCallStore } from '../call/store.ts';
import { ModelBreakers } from '../dialogue/model-breakers.ts';
import { TextAnswers } from '../written/answers.ts';
import { textAnswer } from '../written/text-agent.ts';
import { vectorsOf } from './call-ports.ts';
import type { Media } from './media.ts';
import type { Storage } from './storage.ts';

export function createTextAnswers(storage: Storage, { dialogue, fleet, metrics }: Media): TextAnswers {
  const { read, writer, engineId, clock, log, outage, config, secretKey } = storage;
  const store = createCallStore(read, vectorsOf(storage));
  const deps = {
    ...{ read, secretKey, clock, log, writer, store, documents: store, llmTimeoutMs: config.llmTimeoutMs },
    get model() {
      return dialogue.model;
    },
    tools: new TenantTools({ secretKey, allowPrivate: config.webhookAllowPrivate, log }),
    // A model that fails here says nothing to callers.
    breakers: new ModelBreakers(clock),
    voices: () => fleet.description.tts.voices ?? [],
    modelUsed: (...used: Parameters<typeof metrics.modelUsed>) => metrics.modelUsed(...used),
  };
  return new TextAnswers({
    ...{ read, writer, engineId, clock, log, outage },
    answer: (conversation, signal) => textAnswer(deps, conversation, signal),
  });
}
