// The system prompt: the agent's role, the facts of the business, the rules of speaking on a telephone, and the
// campaign's instructions. Providers cache the beginning of a prompt: text that all calls of a business share comes
// first, then text that a campaign's calls share, and text with the variables of one call last. Other facts of one call
// or one minute are in the messages (chat-messages.ts).

import { fillPrompt, type TemplateNames, variesByCall } from '../../../db/domain/template.ts';
import type { DialogueBusiness, DialogueRequest } from '../llm.ts';
import { canHandOver } from '../persons.ts';
import { phrasesFor } from '../phrases/languages.ts';
import { fill, type Phrases } from '../phrases/phrases.ts';
import { type Policy, policiesOf } from '../policies.ts';
import { languageName, listText, priceText } from '../spoken.ts';

/** Destinations have hours; a business without any has nobody at all. */
function nobodyText({ business, language }: Pick<PromptFacts, 'business' | 'language'>): string {
  const { handover, model } = phrasesFor(language);
  return business.destinations?.length ? handover.nobodyNow : model.noTransfer;
}

/** Longest section of facts; a longer one is cut. */
const MAX_SECTION_CHARS = 4_000;

export type PromptFacts = Pick<
  DialogueRequest,
  | 'business'
  | 'agentName'
  | 'language'
  | 'additionalLanguages'
  | 'languages'
  | 'instructions'
  | 'variables'
  | 'direction'
  | 'callerName'
  | 'isWritten'
  | 'nowMs'
>;

/**
 * The business's own prompt comes first, unless it has variables of the call. The rules of speaking follow it, so that
 * they take precedence.
 */
export function systemPrompt(request: PromptFacts, hasTools: boolean): string {
  const { business, agentName, language, instructions } = request;
  const { model } = phrasesFor(language);
  const businessName = business.name;
  const named = business.industry ? `${businessName} (${business.industry})` : businessName;
  const names = promptNames(request);
  const own = business.systemPrompt ?? fill(model.identity, { agentName, businessName });
  const isOwnLast = business.systemPrompt !== null && variesByCall(own, names);
  const asked = instructions === null ? '' : fillPrompt(instructions, names);
  const ofCampaign = asked === '' ? null : `${model.instructions}\n${asked}`;
  const areInstructionsLast = ofCampaign !== null && variesByCall(instructions ?? '', names);
  const filled = business.systemPrompt === null ? own : fillPrompt(own, names);
  const sections = [
    isOwnLast ? null : filled,
    fill(model.name, { agentName, businessName: named }),
    factsText(business, language, model),
    [
      ...rulesOf(request, model).map((rule) => fill(rule, { price: priceText(language, 45, business.currency) })),
      ...(hasTools ? toolRulesOf(request, model) : [model.noTools]),
    ].join('\n'),
    languageText(request, model),
    hasTools && !request.isWritten && !canHandOver(business, request.nowMs) ? nobodyText(request) : null,
    areInstructionsLast ? null : ofCampaign,
    isOwnLast ? filled : null,
    areInstructionsLast ? ofCampaign : null,
  ];
  return sections.filter((section) => section !== null && section !== '').join('\n\n');
}

/** The first ones are about speaking. */
const rulesOf = ({ isWritten }: PromptFacts, { rules, written }: Phrases['model']): string[] =>
  isWritten ? [...written.rules, ...rules.slice(written.rules.length)] : rules;

/** The last one is about the end of a call. */
const toolRulesOf = ({ isWritten }: PromptFacts, { toolRules, written }: Phrases['model']): string[] =>
  isWritten ? [...toolRules.slice(0, -1), written.toolRule] : toolRules;

/**
 * The values of the prompts' placeholders. An inbound caller's name comes unverified from the line: prompts never
 * contain it, and the messages quote it.
 */
export function promptNames({ business, agentName, direction, callerName, variables }: PromptFacts): TemplateNames {
  return {
    businessName: business.name,
    agentName,
    callerName: direction === 'outbound' ? callerName : null,
    variables,
  };
}

function languageText({ language, languages = [], additionalLanguages }: PromptFacts, model: Phrases['model']): string {
  const speak = fill(model.speak, { language: languageName(language, language) });
  const isOther = (other: string) => other !== language;
  const switched = languages.filter(isOther);
  const mixed = additionalLanguages.filter((other) => isOther(other) && !languages.includes(other));
  const rule = (phrase: string, others: readonly string[]): string | null => {
    const names = others.map((other) => languageName(language, other));
    return others.length === 0 ? null : fill(phrase, { languages: listText(language, names, 'disjunction') });
  };
  const rules = [speak, rule(model.switchLanguage, switched), rule(model.alsoSpeak, mixed)];
  return rules.filter((text) => text !== null).join(' ');
}

function factsText(business: DialogueBusiness, language: string, model: Phrases['model']): string {
  const line = (phrase: string, text: string | null) => (text ? fill(phrase, { text }) : null);
  const lines = [
    line(model.about, business.description),
    line(model.address, business.address),
    line(model.phone, business.phone),
    line(model.email, business.email),
    line(model.hours, business.hours.map((h) => `${h.day} ${h.open}-${h.close}`).join('; ')),
    line(
      model.services,
      business.services.map((service) => serviceText(service, business, language, model)).join('; '),
    ),
    ...business.faqs.map((faq) => fill(model.question, faq)),
    line(model.policies, policiesOf(business.policies).map(policyText).join('; ')),
    business.businessContext && line(model.furtherContext, JSON.stringify(business.businessContext)),
  ];
  return lines
    .filter((text) => typeof text === 'string')
    .map((text) => (text.length > MAX_SECTION_CHARS ? `${text.slice(0, MAX_SECTION_CHARS)}…` : text))
    .join('\n');
}

function serviceText(
  service: DialogueBusiness['services'][number],
  { currency }: DialogueBusiness,
  language: string,
  model: Phrases['model'],
): string {
  const parts = [
    service.duration === null ? null : fill(model.duration, { minutes: service.duration }),
    service.price === null ? null : priceText(language, service.price, currency),
  ].filter((part) => part !== null);
  return parts.length > 0 ? `${service.name} (${parts.join(', ')})` : service.name;
}

const policyText = ({ title, text }: Policy): string =>
  title === null || text.toLowerCase().startsWith(title.toLowerCase()) ? text : `${title}: ${text}`;
