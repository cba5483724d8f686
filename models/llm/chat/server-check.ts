// Requests a model server's list of models once at the start, and reports in one line which variable is wrong: the
// operator should find a typing error, not the first caller.

import { LlmError, type ModelNotice } from '../llm.ts';
import type { ChatServer } from './chat-server.ts';
import { Deadline } from './deadline.ts';

/** The environment variables that configure a model server. */
export interface ServerVariables {
  baseUrl: string;
  apiKey: string;
  model: string;
}

const CHECK_TIMEOUT_MS = 5_000;
const MAX_NAMED_MODELS = 5;

/** The faults of a server; empty if there are none or none can be detected. */
export async function checkServer(
  server: ChatServer,
  model: string,
  variables: ServerVariables,
): Promise<ModelNotice[]> {
  const deadline = new Deadline(new AbortController().signal);
  deadline.armTotal(CHECK_TIMEOUT_MS);
  try {
    const finding = await findFault(server, model, variables, deadline.signal);
    return finding === null ? [] : [finding];
  } catch (error) {
    const details = error instanceof LlmError ? error.details : {};
    const why = deadline.reason === null ? (details.vendorCode ?? 'no answer') : `no answer in ${CHECK_TIMEOUT_MS} ms`;
    return [warning(`${variables.baseUrl}: ${server.place} cannot be reached (${why})`, details)];
  } finally {
    deadline.clear();
  }
}

async function findFault(
  server: ChatServer,
  model: string,
  { baseUrl, apiKey, model: modelVariable }: ServerVariables,
  signal: AbortSignal,
): Promise<ModelNotice | null> {
  const { status, body } = await server.models(signal);
  const details = { url: `${server.place}/models`, status };
  if (status === 401 || status === 403) {
    const fault = server.hasKey ? 'refuses the key' : 'wants a key, and none is set';
    return warning(`${apiKey}: ${server.place} ${fault} (HTTP ${status})`, details);
  }
  const models = modelsIn(body);
  if (status < 200 || status > 299 || models === null) {
    const isBelow = modelsIn(await bodyBelow(server, signal)) !== null;
    if (isBelow)
      return warning(`${baseUrl}: it lacks /v1: ${server.place}/v1 answers, ${server.place} does not`, details);
    // Some working servers have no list.
    const hint = server.place.endsWith('/v1') ? '' : ', and most base URLs end in /v1';
    return warning(`${baseUrl}: ${server.place}/models is no list of models (HTTP ${status})${hint}`, details);
  }
  if (models.length === 0 || models.includes(model) || models.includes(`${model}:latest`)) return null;
  const some = models.slice(0, MAX_NAMED_MODELS).join(', ');
  const more = models.length > MAX_NAMED_MODELS ? ', …' : '';
  return warning(`${modelVariable}: ${server.place} does not list ${model}, but ${some}${more}`, details);
}

async function bodyBelow(server: ChatServer, signal: AbortSignal): Promise<unknown> {
  if (server.place.endsWith('/v1')) return null;
  return (await server.models(signal, '/v1').catch(() => null))?.body ?? null;
}

/** The ids of `{data: [{id}]}`; null for anything else. */
function modelsIn(body: unknown): string[] | null {
  const { data } = (typeof body === 'object' && body !== null ? body : {}) as { data?: unknown };
  if (!Array.isArray(data)) return null;
  return data.flatMap((entry: { id?: unknown } | null) => (typeof entry?.id === 'string' ? [entry.id] : []));
}

function warning(text: string, details: ModelNotice['details']): ModelNotice {
  return { level: 'warn', text, details };
}
