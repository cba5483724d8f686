// Placeholders in the business's own texts: {{businessName}}, {{agentName}}, {{callerName}}.

export interface TemplateNames {
  businessName: string;
  agentName: string;
  callerName: string | null;
}

/**
 * Fills `{{name}}`, also written `{name}` or `${name}`, in any case and with any separators. An unknown or empty name is left
 * out, together with the comma and the space before it.
 */
export function fillTemplate(template: string, { businessName, agentName, callerName }: TemplateNames): string {
  const values: Record<string, string> = {
    businessname: businessName,
    business: businessName,
    agentname: agentName,
    agent: agentName,
    callername: callerName ?? '',
    name: callerName ?? '',
  };
  return template
    .replace(
      /\$?\{\{?\s*([\w.\s]+?)\s*\}?\}/g,
      (_, name: string) => values[name.replace(/[^a-z]/gi, '').toLowerCase()] ?? '',
    )
    .replace(/\s+([,.!?])/g, '$1')
    .replace(/,(?=[.!?])/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
