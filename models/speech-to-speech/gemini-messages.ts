// Messages of the Gemini Live API: the setup of a session, and turns of the conversation.
import { unreachable } from '../../db/domain/unexpected.ts';
import { aside, resultText, withoutAsides } from '../llm/asides.ts';
import type { SpeechItem, SpeechSetup } from './speech-to-speech.ts';

/** `voice`: null: the vendor's default. `handle`: of the conversation that goes on; null: a new one. */
export function setupOf(
  { language, instructions, tools, temperature }: SpeechSetup,
  { model, voice, handle }: { model: string; voice: string | null; handle: string | null },
): Record<string, unknown> {
  const voiceConfig = voice === null ? {} : { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } };
  // The agent says nothing of a tool before its result.
  const functionDeclarations = tools.map(({ name, description, parameters }) => ({
    ...{ name, description, parametersJsonSchema: parameters, behavior: 'BLOCKING' },
  }));
  return {
    model: `models/${model.replace(/^models\//, '')}`,
    generationConfig: {
      responseModalities: ['AUDIO'],
      ...(temperature === null ? {} : { temperature }),
      speechConfig: { languageCode: language, ...voiceConfig },
    },
    systemInstruction: { parts: [{ text: instructions }] },
    ...(tools.length === 0 ? {} : { tools: [{ functionDeclarations }] }),
    realtimeInputConfig: {
      automaticActivityDetection: { disabled: true },
      activityHandling: 'NO_INTERRUPTION',
      turnCoverage: 'TURN_INCLUDES_ONLY_ACTIVITY',
    },
    inputAudioTranscription: {},
    outputAudioTranscription: {},
    // A connection lasts some ten minutes, and a conversation without compression fifteen.
    sessionResumption: handle === null ? {} : { handle },
    contextWindowCompression: { slidingWindow: {} },
  };
}

/** Only user and model have turns; a note is in brackets, as in other models' conversations. */
export function turnOf(item: SpeechItem): Record<string, unknown> {
  switch (item.kind) {
    case 'note':
      return { role: 'user', parts: [{ text: aside(item.text) }] };
    case 'caller':
      return { role: 'user', parts: [{ text: withoutAsides(item.text) }] };
    case 'agent':
      return { role: 'model', parts: [{ text: withoutAsides(item.text) }] };
    case 'tool-result':
      return { role: 'user', parts: [{ text: aside(`${item.name}: ${resultText(item.result)}`) }] };
    default:
      return unreachable(item);
  }
}
