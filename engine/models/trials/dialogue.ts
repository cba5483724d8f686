// One question to a dialogue model, in a test of its settings.
import type { TrialOutcome } from '../../../db/domain/model-trial.ts';
import { messageOf } from '../../../db/domain/unexpected.ts';
import type { Environment } from '../../../db/shared/settings/environment.ts';
import { loadDialogueModel } from '../../../models/engines.ts';
import { type DialogueRequest, FIRST_WORD_MS, LlmError } from '../../../models/llm/llm.ts';

/** More of an answer tells nothing new. */
const MAX_CHARS = 300;

/** A business that says little: the test is about the server. */
const REQUEST: Omit<DialogueRequest, 'nowMs'> = {
  business: {
    name: 'Test',
    industry: null,
    description: null,
    timezone: 'UTC',
    address: null,
    phone: null,
    email: null,
    hours: [{ day: 'monday', open: '09:00', close: '17:00' }],
    services: [],
    currency: 'USD',
    faqs: [],
    policies: [],
    systemPrompt: null,
    greetingTemplate: null,
    fallbackMessage: null,
    transferNumber: null,
    businessContext: null,
  },
  agentName: 'Test',
  callerNumber: null,
  callerName: null,
  direction: 'inbound',
  language: 'en-US',
  additionalLanguages: [],
  instructions: null,
  variables: {},
  messages: [{ role: 'caller', text: 'What are your opening hours?', understood: true }],
  tools: [],
  memory: null,
  firstWordWithinMs: FIRST_WORD_MS,
};

export async function askDialogue(engine: string, environment: Environment, outer: AbortSignal): Promise<TrialOutcome> {
  const model = await loadDialogueModel(engine, environment);
  const startedMs = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - startedMs);
  const late = AbortSignal.timeout(FIRST_WORD_MS);
  const patience = new AbortController();
  const giveUp = (): void => patience.abort();
  outer.addEventListener('abort', giveUp);
  late.addEventListener('abort', giveUp);
  let firstMs: number | null = null;
  let text = '';
  const outcome = (error: string | null): TrialOutcome => ({
    engine: model.name,
    error,
    firstMs,
    totalMs: error === null ? elapsedMs() : null,
    text: text === '' ? null : text.slice(0, MAX_CHARS),
    audioBytes: null,
  });
  try {
    for await (const chunk of model.reply({ ...REQUEST, nowMs: Date.now() }, patience.signal)) {
      if (chunk.type !== 'text') continue;
      if (firstMs === null) {
        firstMs = elapsedMs();
        late.removeEventListener('abort', giveUp);
      }
      text += chunk.text;
    }
    return outcome(text.trim() === '' ? 'it answered without words' : null);
  } catch (error) {
    return outcome(late.aborted && firstMs === null ? `no word within ${FIRST_WORD_MS / 1_000} s` : plainWords(error));
  } finally {
    outer.removeEventListener('abort', giveUp);
    late.removeEventListener('abort', giveUp);
  }
}

/** The error as an operator would say it. */
function plainWords(error: unknown): string {
  if (!(error instanceof LlmError)) return messageOf(error);
  const { status, url, vendorMessage, vendorCode } = error.details;
  const where = url ?? 'the server';
  const said = vendorMessage === undefined ? '' : `: ${vendorMessage}`;
  if (status === 401 || status === 403) return `${where} does not accept the key (${status})${said}`;
  if (status === 404) return `${where} has no such path or model (404)${said}`;
  if (status !== undefined) return `${where} answered ${status}${said}`;
  if (vendorCode !== undefined) return `${where} cannot be reached (${vendorCode})`;
  return `${error.message}${url === undefined ? '' : ` (${url})`}${said}`;
}
