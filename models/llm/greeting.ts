// What the agent says first: the business's own text, else a default. It does not come from the dialogue model, so it can be
// synthesised while the phone rings.
import { fillTemplate } from './template.ts';

export interface GreetingFacts {
  /** The business's `greetingTemplate`. */
  template: string | null;
  businessName: string;
  agentName: string;
  callerName: string | null;
  direction: 'inbound' | 'outbound';
}

const DEFAULT_TEMPLATES = {
  inbound: 'Thank you for calling {{businessName}}, this is {{agentName}}. How can I help you?',
  outbound: 'Hello, this is {{agentName}} from {{businessName}}.',
};

/** The greeting as text for the voice; a template that comes out empty counts as none. */
export function greetingText({ template, direction, businessName, agentName, callerName }: GreetingFacts): string {
  const names = { businessName, agentName, callerName };
  const own = template === null ? '' : fillTemplate(template, names);
  return own === '' ? fillTemplate(DEFAULT_TEMPLATES[direction], names) : own;
}
