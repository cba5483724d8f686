// Fields by the names that other services of this kind have for them, and where they stand here: somebody who moves an
// agent from there learns it from the refusal of their first request.

interface Elsewhere {
  /** Of other services, in small letters and without marks between words. */
  theirs: readonly string[];
  /** Ours, the most fitting first: named where the schema at fault has it. */
  ours: readonly string[];
  /** Said where the schema has none of them; null: the name says too little for that. */
  place: string | null;
}

const NAMES: readonly Elsewhere[] = [
  {
    theirs: [
      'from',
      'fromnumber',
      'fromphonenumber',
      'callerid',
      'phonenumberid',
      'fromnumberid',
      'agentphonenumberid',
    ],
    ours: ['fromPhoneNumberId'],
    place: null,
  },
  {
    theirs: ['to', 'tonumber', 'phonenumber', 'customer', 'customernumber', 'destinationnumber'],
    ours: ['toNumber', 'phoneNumber', 'number'],
    place: null,
  },
  {
    theirs: ['assistant', 'assistantid', 'agent', 'agentid', 'overrideagentid', 'pathwayid', 'squadid'],
    ours: ['agentId', 'campaignId'],
    place: 'a campaign joins an agent and a business',
  },
  {
    theirs: ['prompt', 'systemprompt', 'generalprompt', 'systemmessage', 'task', 'instructions'],
    ours: ['systemPrompt', 'instructions'],
    place: 'the prompt is systemPrompt of the business, and a campaign adds its instructions',
  },
  {
    theirs: ['firstmessage', 'firstsentence', 'beginmessage', 'greeting', 'welcomemessage', 'welcomegreeting'],
    ours: ['greetingTemplate'],
    place: 'the first sentence is greetingTemplate of the business or the campaign',
  },
  {
    theirs: ['dynamicvariables', 'retellllmdynamicvariables', 'requestdata', 'variablevalues', 'assistantoverrides'],
    ours: ['variables'],
    place: 'values for one call are variables of POST /calls and of contacts',
  },
  {
    theirs: ['model', 'llm', 'llmid', 'llmmodel', 'temperature'],
    ours: ['conversation'],
    place: 'the model is conversation.model of the agent',
  },
  {
    theirs: ['webhook', 'webhookurl', 'server', 'serverurl', 'statuscallback', 'callstatushook'],
    ours: [],
    place: 'events are subscribed to by POST /webhooks',
  },
  {
    theirs: ['tools', 'functions', 'toolids', 'generaltools'],
    ours: ['toolIds'],
    place: 'tools are made by POST /tools and named in toolIds of agent, business or campaign',
  },
  {
    theirs: ['transferphonenumber', 'forwardingphonenumber', 'transferto'],
    ours: ['transferNumber', 'destinations'],
    place: 'transfers go to transferNumber or destinations of the business',
  },
  {
    theirs: ['maxduration', 'maxdurationseconds', 'maxcalldurationms'],
    ours: ['maxCallDurationMinutes'],
    place: 'the longest call is maxCallDurationMinutes of the business',
  },
];

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

const BY_NAME = new Map(NAMES.flatMap((each) => each.theirs.map((name) => [name, each] as const)));

/** The known name that is the same but for its writing, `voice_id` for `voiceId`. */
export const writtenOtherwise = (name: string, known: readonly string[]): string | null =>
  known.find((each) => plain(each) === plain(name)) ?? null;

/** Our name for another service's: one of the schema at fault, or a sentence; null: nobody's name. */
export function calledElsewhere(name: string, known: readonly string[]): { name: string } | { place: string } | null {
  const found = BY_NAME.get(plain(name));
  if (found === undefined) return null;
  const ours = found.ours.find((each) => known.includes(each));
  if (ours !== undefined) return { name: ours };
  return found.place === null ? null : { place: found.place };
}
