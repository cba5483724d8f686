// The business, agent and campaign of a call on the stage, as the database would give them.
import { DENTIST } from '../../../bench/rig/rows/businesses.ts';
import type { CallSetup } from '../../../db/rules/routing.ts';
import type { AgentTable } from '../../../db/schema/agents.ts';
import type { BusinessTable } from '../../../db/schema/businesses.ts';
import type { CampaignTable } from '../../../db/schema/campaigns.ts';

/** The differences from a dentist's practice. */
export interface SetupChange {
  agent?: Partial<AgentTable>;
  business?: Partial<BusinessTable>;
  campaign?: Partial<CampaignTable>;
}

export function setupOf({ agent = {}, business = {}, campaign = {} }: SetupChange): CallSetup {
  const { name, timezone, hours, services, faqs, transferNumber } = DENTIST;
  return {
    agent: {
      id: 'agt_1',
      name: 'Sam',
      voiceId: 'flite-slt',
      language: 'en-US',
      additionalLanguages: '[]',
      languages: '[]',
      conversation: '{}',
      ...agent,
    } as AgentTable,
    business: {
      id: 'biz_1',
      name,
      timezone,
      hours: JSON.stringify(hours),
      services: JSON.stringify(services),
      faqs: JSON.stringify(faqs),
      policies: '[]',
      transferNumber,
      destinations: '[]',
      resources: '[]',
      bufferMinutes: 0,
      greetingTemplate: null,
      fallbackMessage: null,
      dialogueFallback: null,
      businessContext: null,
      currency: null,
      voiceSettings: '{}',
      interruptionSensitivity: 0.5,
      maxCallDurationMinutes: 30,
      silenceThresholdMs: 600,
      silenceThresholdChosen: 0,
      redaction: null,
      ...business,
    } as BusinessTable,
    campaign: {
      id: 'cmp_1',
      recordingEnabled: 1,
      greetingTemplate: null,
      instructions: null,
      voicemailAction: 'hangup',
      voicemailMessage: null,
      destinations: '[]',
      ...campaign,
    } as CampaignTable,
    tools: [],
    headings: null,
  };
}
