// Converts an agent to the values of its form, and back to a body; settings with their default are left out.
import type { Agent, ConversationSettings, CreateAgentBody, UpdateAgentBody, Voice } from '../../api-types.ts';
import type { LanguageSettings } from './language-rows.ts';

export interface AgentValues {
  name: string;
  description: string;
  voiceId: string;
  /** Empty: the voice's. */
  language: string;
  additionalLanguages: string[];
  languages: LanguageSettings[];
  isActive: boolean;
  conversation: ConversationSettings;
  toolIds: string[];
}

export const NEW_AGENT: AgentValues = {
  name: '',
  description: '',
  voiceId: '',
  language: '',
  additionalLanguages: [],
  languages: [],
  isActive: true,
  conversation: {},
  toolIds: [],
};

export function valuesOfAgent(agent: Agent): AgentValues {
  const { name, description, voiceId, language, additionalLanguages, languages, isActive, conversation, toolIds } =
    agent;
  const texts = { name, description: description ?? '' };
  return { ...texts, voiceId, language, additionalLanguages, languages, isActive, conversation, toolIds };
}

/** The settings without defaults; empty lists and empty texts are left out as well. */
export function conversationOf(settings: ConversationSettings): ConversationSettings {
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

export function createBodyOf(values: AgentValues): CreateAgentBody {
  const { name, description, voiceId, language, additionalLanguages, languages, isActive, conversation, toolIds } =
    values;
  return {
    name,
    voiceId,
    isActive,
    additionalLanguages,
    languages,
    toolIds,
    conversation: conversationOf(conversation),
    ...(description.trim() === '' ? {} : { description }),
    ...(language.trim() === '' ? {} : { language: language.trim() }),
  };
}

/** A saved agent always has a language: an emptied field means the voice's language. */
export function updateBodyOf(
  changes: Partial<AgentValues>,
  values: AgentValues,
  voices: readonly Voice[],
): UpdateAgentBody {
  const { description, language, conversation, ...rest } = changes;
  const ofVoice = voices.find(({ id }) => id === values.voiceId)?.language;
  const wanted = language === undefined || language.trim() !== '' ? language?.trim() : ofVoice;
  return {
    ...rest,
    ...(description === undefined ? {} : { description: description.trim() === '' ? null : description }),
    ...(wanted === undefined ? {} : { language: wanted }),
    ...(conversation === undefined ? {} : { conversation: conversationOf(conversation) }),
  };
}
