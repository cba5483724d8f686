// Adapts a dialogue model of the bench to the peer's interface.
import { APIConnectionError, DEFAULT_API_CONNECT_OPTIONS, llm } from '@livekit/agents';
import { type DialogueModel, type DialogueRequest, LlmError, type Message } from '../../models/llm/llm.ts';
import { dialogueRequest } from '../rig/conversation/dialogue-request.ts';

export class Dialogue extends llm.LLM {
  readonly #model: DialogueModel;
  readonly #number: string;

  /** `number`: the caller's. */
  constructor(model: DialogueModel, number: string) {
    super();
    this.#model = model;
    this.#number = number;
  }

  label(): string {
    return 'bench.LLM';
  }

  chat({ chatCtx, connOptions = DEFAULT_API_CONNECT_OPTIONS }: llm.ChatOptions): llm.LLMStream {
    const request = requestOf(this.#number, chatCtx);
    return new DialogueStream(this, { chatCtx, connOptions }, this.#model, request);
  }
}

class DialogueStream extends llm.LLMStream {
  readonly #model: DialogueModel;
  readonly #request: DialogueRequest;

  constructor(
    owner: llm.LLM,
    options: ConstructorParameters<typeof llm.LLMStream>[1],
    model: DialogueModel,
    request: DialogueRequest,
  ) {
    super(owner, options);
    this.#model = model;
    this.#request = request;
  }

  protected async run(): Promise<void> {
    try {
      for await (const chunk of this.#model.reply(this.#request, this.abortController.signal)) {
        if (this.queue.closed) return;
        if (chunk.type === 'text') this.queue.put({ id: 'reply', delta: { role: 'assistant', content: chunk.text } });
      }
    } catch (error) {
      // The peer retries after this error.
      if (error instanceof LlmError) throw new APIConnectionError({ message: error.message });
      throw error;
    }
  }
}

function requestOf(callerNumber: string, { items }: llm.ChatContext): DialogueRequest {
  const messages = items.flatMap(({ type, role, textContent: text = '' }): Message[] => {
    if (type !== 'message') return [];
    if (role === 'user') return [{ role: 'caller', text, understood: true }];
    return role === 'assistant' ? [{ role: 'agent', text, interrupted: false }] : [];
  });
  return dialogueRequest({ agentName: 'Sam', callerNumber, messages, tools: [], nowMs: Date.now() });
}
