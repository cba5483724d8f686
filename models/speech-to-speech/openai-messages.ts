// Messages of OpenAI's Realtime API: items of the conversation, tokens, arguments, errors.
import { recordOf, unreachable } from '../../db/domain/unexpected.ts';
import { resultText, withoutAsides } from '../llm/asides.ts';
import type { LlmErrorCode } from '../llm/llm.ts';
import type { SpeechItem, SpeechSetup } from './speech-to-speech.ts';

/** The only rate of `audio/pcm`. */
export const PCM_RATE_HZ = 24_000;
/** Transcribes the caller; the conversation's model hears the sound itself. */
const TRANSCRIPTION_MODEL = 'gpt-4o-mini-transcribe';

/** `isTelephone`: samples are sent in µ-law, without resampling. `voice`: null: the vendor's default. */
export function sessionOf(setup: SpeechSetup, isTelephone: boolean, voice: string | null): Record<string, unknown> {
  const format = isTelephone ? { type: 'audio/pcmu' } : { type: 'audio/pcm', rate: PCM_RATE_HZ };
  const transcription = transcriptionIn(setup.language);
  return {
    type: 'realtime',
    output_modalities: ['audio'],
    instructions: setup.instructions,
    audio: {
      input: { format, noise_reduction: null, transcription, turn_detection: null },
      output: { format, ...(voice === null ? {} : { voice }) },
    },
    tools: setup.tools.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      parameters,
    })),
    tool_choice: 'auto',
  };
}

/** Of a session that stands. `voice`: null: it stays. */
export function languageOf(language: string, voice: string | null): Record<string, unknown> {
  return {
    type: 'realtime',
    audio: { input: { transcription: transcriptionIn(language) }, ...(voice === null ? {} : { output: { voice } }) },
  };
}

const transcriptionIn = (language: string) => ({ model: TRANSCRIPTION_MODEL, language: language.split('-')[0] });

export function itemOf(item: SpeechItem): Record<string, unknown> {
  switch (item.kind) {
    case 'note':
      return { type: 'message', role: 'system', content: [{ type: 'input_text', text: item.text }] };
    case 'caller':
      return { type: 'message', role: 'user', content: [{ type: 'input_text', text: withoutAsides(item.text) }] };
    case 'agent':
      return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: withoutAsides(item.text) }] };
    case 'tool-result':
      return { type: 'function_call_output', call_id: item.id, output: resultText(item.result) };
    default:
      return unreachable(item);
  }
}

/** Of `response.done`. */
export function tokensOf(usage: Record<string, unknown>): {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
} {
  return {
    inputTokens: Number(usage.input_tokens) || 0,
    outputTokens: Number(usage.output_tokens) || 0,
    cachedTokens: Number(recordOf(usage.input_token_details).cached_tokens) || 0,
  };
}

/** Arguments of a tool; null if they are no object. */
export function parsed(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json === '' ? '{}' : json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? recordOf(value) : null;
  } catch {
    return null;
  }
}

export function codeOf(error: Record<string, unknown>): string {
  const code = error.code ?? error.type;
  return typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) ? code : 'error';
}

/** An error in words for an operator, without any of the vendor's text. `model`: the one that was asked for. */
export function wordsOf(error: Record<string, unknown>, model: string): string {
  const code = codeOf(error);
  if (code === 'model_not_found' || code === 'invalid_model') return `it does not know the model ${model} (${code})`;
  // The path of what was sent: `session.audio.output.voice`.
  const { param } = error;
  const isPath = typeof param === 'string' && /^[a-z_]+(\.[a-z_]+|\[\d+\])+$/.test(param) && param.length <= 64;
  return isPath ? `it refuses ${param} (${code})` : code;
}

/** The code that the call gets for an error that ends the session. */
export function lossOf(code: string, type: string): LlmErrorCode {
  if (code === 'session_expired' || type === 'server_error') return 'LLM_UNAVAILABLE';
  return 'LLM_REFUSED';
}
