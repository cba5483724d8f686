// The columns of an agent's fields, as clients send them and as versions keep them.
import { baseLanguage, type LanguageSettings } from '../domain/calls/languages.ts';
import type { AgentTable } from '../schema/agents.ts';
import type { ConversationSettings } from './resources.ts';

export interface AgentFields {
  name?: string;
  description?: string | null;
  voiceId?: string;
  language?: string;
  additionalLanguages?: string[];
  languages?: LanguageSettings[];
  conversation?: ConversationSettings;
  toolIds?: string[];
  isActive?: boolean;
}

/** Of the fields that are there. */
export function agentColumns(fields: AgentFields): Partial<AgentTable> {
  const { name, description, voiceId, language, additionalLanguages, languages, conversation, toolIds, isActive } =
    fields;
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(voiceId !== undefined && { voiceId }),
    ...(language !== undefined && { language, primaryLanguage: baseLanguage(language) }),
    ...(additionalLanguages !== undefined && { additionalLanguages: JSON.stringify(additionalLanguages) }),
    ...(languages !== undefined && { languages: JSON.stringify(languages) }),
    ...(conversation !== undefined && { conversation: JSON.stringify(conversation) }),
    ...(toolIds !== undefined && { toolIds: JSON.stringify(toolIds) }),
    ...(isActive !== undefined && { isActive: isActive ? 1 : 0 }),
  };
}
