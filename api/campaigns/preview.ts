// Previews the spoken texts and the model's prompt of a campaign's call, without placing one.

import { destinationsIn } from '../../db/domain/numbers/transfer-destinations.ts';
import { fillPrompt, fillTemplate, missingNames, type TemplateNames } from '../../db/domain/template.ts';
import { getAgent } from '../../db/queries/businesses/agents.ts';
import { getBusiness } from '../../db/queries/businesses/businesses.ts';
import { listEngines } from '../../db/queries/engine/engines.ts';
import type { Db } from '../../db/schema.ts';
import { type PromptFacts, promptNames, systemPrompt } from '../../models/llm/chat/prompt.ts';
import { greetingText } from '../../models/llm/greeting.ts';
import type { DialogueBusiness } from '../../models/llm/llm.ts';
import { Receptionist } from '../../models/llm/receptionist/receptionist.ts';
import { businessRecord } from '../businesses/record.ts';
import type { ApiContext } from '../context.ts';
import { refused } from '../frame/errors.ts';
import type { CampaignPreview, CampaignPreviewBody } from './schema.ts';
import { liveCampaign } from './service.ts';

export async function previewCampaign(
  context: ApiContext,
  accountId: string,
  id: string,
  body: CampaignPreviewBody,
): Promise<CampaignPreview> {
  const { read } = context;
  const campaign = await liveCampaign(read, accountId, id);
  const agent = await getAgent(read, accountId, campaign.agentId);
  if (agent === undefined) throw refused('AGENT_DELETED', "The campaign's agent is deleted");
  const row = await getBusiness(read, accountId, campaign.businessId);
  if (row === undefined) throw refused('BUSINESS_DELETED', "The campaign's business is deleted");

  const greetingTemplate = campaign.greetingTemplate?.trim() ? campaign.greetingTemplate : row.greetingTemplate;
  const destinations = destinationsIn(campaign, row);
  const business: DialogueBusiness = { ...businessRecord(row), destinations, greetingTemplate };
  const facts: PromptFacts = {
    business,
    agentName: agent.name,
    language: agent.language,
    additionalLanguages: JSON.parse(agent.additionalLanguages) as string[],
    instructions: campaign.instructions,
    variables: body.variables ?? {},
    direction: body.direction ?? 'outbound',
    callerName: body.callerName ?? null,
    nowMs: context.now(),
  };
  const spoken: TemplateNames = { ...promptNames(facts), callerName: facts.callerName };
  const { instructions } = campaign;
  const voicemail = campaign.voicemailAction === 'leave_message' ? campaign.voicemailMessage : null;
  return {
    greeting: greetingText({
      ...spoken,
      template: greetingTemplate,
      direction: facts.direction,
      language: facts.language,
      invitation: await invitation(read, facts),
    }),
    voicemailMessage: voicemail === null ? null : fillTemplate(voicemail, spoken),
    instructions: instructions === null ? null : fillPrompt(instructions, promptNames(facts)),
    prompt: systemPrompt(facts, true),
    missing: missing(facts, spoken, voicemail),
  };
}

/** Names without a value in any of the texts, in the order of their first use. */
function missing(facts: PromptFacts, spoken: TemplateNames, voicemail: string | null): string[] {
  const names = promptNames(facts);
  const found = [
    ...missingNames(facts.business.greetingTemplate ?? '', spoken, 'spoken'),
    ...missingNames(voicemail ?? '', spoken, 'spoken'),
    ...missingNames(facts.instructions ?? '', names, 'prompt'),
    ...missingNames(facts.business.systemPrompt ?? '', names, 'prompt'),
  ];
  return [...new Set(found)];
}

/** The built-in receptionist's addition to the greeting, if it answers the calls. */
async function invitation(db: Db, facts: PromptFacts): Promise<string | null> {
  const [engine] = await listEngines(db);
  const { llm } = JSON.parse(engine?.models ?? '{}') as { llm?: string };
  const receptionist = new Receptionist();
  return llm === receptionist.name ? receptionist.invitation(facts) : null;
}
