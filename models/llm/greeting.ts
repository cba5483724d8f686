// The agent's first words: the campaign's or business's own text, else a default. They do not come from the dialogue
// model, so they can be synthesised while the phone rings.

import { fillTemplate } from '../../db/domain/template.ts';
import { phrasesFor } from './phrases/languages.ts';

interface GreetingFacts {
  /** The `greetingTemplate` of the campaign, else of the business. */
  template: string | null;
  businessName: string;
  agentName: string;
  callerName: string | null;
  variables?: Readonly<Record<string, string>>;
  direction: 'inbound' | 'outbound';
  language: string;
  /** Spoken after the greeting, in place of the default's question; see `DialogueModel.invitation`. */
  invitation?: string | null;
}

const APPOINTMENT = /\{\s?appointment\s?\}/i;

/** The greeting as text for the voice; a template with an empty result counts as none. */
export function greetingText(facts: GreetingFacts): string {
  const { template, direction, language, invitation = null } = facts;
  const { call } = phrasesFor(language);
  const reminder = direction === 'outbound' && facts.variables?.appointment ? fillTemplate(call.reminder, facts) : '';
  // A text for callers, or for other calls, does not say what a reminder is about.
  const isFitting = template !== null && (reminder === '' || APPOINTMENT.test(template));
  const own = isFitting ? fillTemplate(template, facts) : '';
  if (own !== '') return invitation === null ? own : `${own} ${invitation}`;
  const hello = fillTemplate(direction === 'inbound' ? call.greetingInbound : call.greetingOutbound, facts);
  const question = reminder || (invitation ?? (direction === 'inbound' ? call.howCanIHelp : ''));
  return `${hello} ${question}`.trim();
}
