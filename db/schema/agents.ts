// Agents: the voice and the languages of a campaign.
import type { Flag, Json } from './columns.ts';

export interface AgentTable {
  id: string;
  accountId: string;
  name: string;
  description: string | null;
  voiceId: string;
  language: string;
  primaryLanguage: string;
  additionalLanguages: Json; // string[]
  /** More about its languages. */
  languages: Json; // LanguageSettings[]
  conversation: Json; // ConversationSettings
  /** Tools that it brings to a call, in order. */
  toolIds: Json; // string[]
  isActive: Flag;
  createdAt: number;
  deletedAt: number | null;
  /** Of what stands here (schema/versions.ts). */
  version: number;
}
