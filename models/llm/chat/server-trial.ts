// A trial of a model's server: a small request of fixed words, without any part of a tenant or a caller. Its refusal
// says something about the server, where the refusal of a call's request may only repeat what a tenant has written.
import { type FailureDetails, LlmError } from '../llm.ts';
import { type Accepted, acceptedAtFirst, learnedFrom, tokenLimit } from './accepted-parameters.ts';
import { type ChatServer, readText, ServerError } from './chat-server.ts';
import { readReply } from './chat-stream.ts';
import type { Deadline } from './deadline.ts';

/** A reply in a call, or a task of text. */
export type TrialForm = 'reply' | 'task';

interface Found {
  /** The parameters that the trial was about. */
  accepted: Partial<Accepted>;
  refused: Array<{ parameter: string; details: FailureDetails }>;
}

export const TRIAL_WORDS = 'This is a trial of the connection. Answer with {} as JSON.';
const TRIAL_TOKENS = 16;
const TRIAL_CHARS_MAX = 20_000;
/** One for each parameter that there is. */
const MAX_REQUESTS = 8;
const CHUNK_TIMEOUT_MS = 20_000;
const TOOL = {
  name: 'end_trial',
  description: 'Ends the trial.',
  parameters: { type: 'object', properties: { reason: { type: 'string' } } },
};

/** @throws {LlmError} where it came to no end: nothing is certain then */
export async function tryServer(
  server: ChatServer,
  model: string,
  form: TrialForm,
  deadline: Deadline,
): Promise<Found> {
  let accepted = acceptedAtFirst(server.isVendor);
  const refused: Found['refused'] = [];
  for (let requests = 0; requests < MAX_REQUESTS; requests++) {
    try {
      await ask(server, trialBody(model, form, accepted), { form, model }, deadline);
      break;
    } catch (error) {
      const learned = error instanceof ServerError ? learnedFrom(accepted, error.refusal) : null;
      if (learned === null || !(error instanceof ServerError)) throw error;
      refused.push({ parameter: learned.parameter, details: error.details });
      accepted = learned.accepted;
    }
  }
  const { tools, streamUsage, jsonFormat, ...both } = accepted;
  return { accepted: form === 'reply' ? { ...both, tools, streamUsage } : { ...both, jsonFormat }, refused };
}

function trialBody(model: string, form: TrialForm, accepted: Accepted): object {
  const isReply = form === 'reply';
  return {
    model,
    ...(isReply && accepted.tools ? { tools: [{ type: 'function', function: TOOL }] } : {}),
    messages: [
      ...(accepted.systemRole ? [{ role: 'system', content: 'You are an assistant.' }] : []),
      { role: 'user', content: TRIAL_WORDS },
    ],
    ...(isReply ? { stream: true } : {}),
    ...(isReply && accepted.streamUsage ? { stream_options: { include_usage: true } } : {}),
    ...tokenLimit(accepted, TRIAL_TOKENS),
    ...(accepted.temperature ? { temperature: 0.4 } : {}),
    ...(!isReply && accepted.jsonFormat ? { response_format: { type: 'json_object' } } : {}),
  };
}

async function ask(
  server: ChatServer,
  body: object,
  { form, model }: { form: TrialForm; model: string },
  deadline: Deadline,
): Promise<void> {
  const response = await server.complete(body, deadline.signal);
  if (form === 'task') return void (await readText(response.body, TRIAL_CHARS_MAX));
  const options = { chunkTimeoutMs: CHUNK_TIMEOUT_MS, model, request: { messages: [], tools: [] } };
  try {
    for await (const _ of readReply(server, response, deadline, options));
  } catch (error) {
    // It has taken the request; a reply that is all thoughts is none of its parameters' fault.
    if (!(error instanceof LlmError) || error.code !== 'LLM_GARBAGE') throw error;
  }
}
