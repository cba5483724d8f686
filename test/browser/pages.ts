// Every page of the dashboard by its address, over a service in which something of everything exists.
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import type { Call } from '../../api/dashboard/app/api-types.ts';
import { startReceiver, TEST_AUTHORITY } from '../../bench/rig/service/receiver.ts';
import type { Rest } from '../../bench/rig/service/rest.ts';
import type { Service } from '../../bench/rig/service/service.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { greeted } from '../support/conversation.ts';
import { useService } from '../support/use-service.ts';
import { skip } from './browser.ts';

export interface PageAddress {
  /** Of its pictures. */
  name: string;
  /** Behind the hash. */
  address: string;
  /** Its heading. */
  heading: string | RegExp;
  isPublic?: boolean;
}

type Ids = Record<
  | 'agentId'
  | 'businessId'
  | 'campaignId'
  | 'demoId'
  | 'callId'
  | 'webhookId'
  | 'numberId'
  | 'portOrderId'
  | 'trunkId'
  | 'carrierId'
  | 'softphoneId'
  | 'toolId'
  | 'serverId'
  | 'suiteId'
  | 'testRunId'
  | 'conversationId'
  | 'alertId',
  string
>;

const FIND_ORDER = (url: string) => ({
  name: 'find_order',
  description: 'Finds an order by its number. Use it when the caller asks where an order is.',
  url,
  headers: { Authorization: 'Bearer of-the-shop' },
  parameters: {
    type: 'object',
    properties: {
      number: { type: 'string', description: 'As it stands on the receipt' },
      what: { type: 'string', enum: ['status', 'price'] },
    },
    required: ['number'],
  },
  sayWhile: 'I am looking that up.',
  assign: { plan: 'customer.plan' },
  when: ['where is my order'],
});

const TESTED = (name: string, said: string) => ({
  name,
  definition: { turns: [{ say: 'What are your opening hours?', checks: [{ said }] }] },
});

const TERMS = '# How long is the warranty?\n\nTwo years from the day of purchase.\n';

const WISHES = {
  outputs: [
    { name: 'reason', schema: { type: 'string', enum: ['booking', 'question'] }, description: 'Why the caller called' },
    { name: 'guests', schema: { type: 'integer', minimum: 1 }, description: 'How many come' },
  ],
  criteria: [{ name: 'offered_appointment', question: 'Did the agent offer an appointment?' }],
};

const FAILED_CALLS = {
  ...{ name: 'Failed calls', metric: 'failed_share', comparison: 'above', value: 0.2, windowMinutes: 60 },
  to: [{ by: 'mail', to: 'owner@example.com' }],
  quiet: { from: '21:00', to: '07:00' },
};

/** From before the calls, which are reckoned by them. */
const PRICES = [
  { kind: 'llm', model: 'gpt-4.1*', perMillionInput: '0.40', perMillionCached: '0.10', perMillionOutput: '1.60' },
  { kind: 'stt', perMinute: '0.0043' },
  { kind: 'tts', perThousandCharacters: '0.03' },
  { kind: 'trunk', direction: 'outbound', prefix: '+44', perMinute: '0.012', increment: '60/60' },
];

/** Seeds the demo, a call to it, and one of everything else. */
export async function seed(service: Service, rest: Rest, receiver: string): Promise<Ids> {
  const first = async (path: '/campaigns' | '/agents' | '/businesses'): Promise<string> =>
    (await rest.must('GET', path))[0]?.id ?? '';
  const make = async (path: string, body: unknown): Promise<string> =>
    ((await rest.must('POST', path, body)) as { id: string }).id;
  const demoId = await first('/campaigns');
  const agentId = await first('/agents');
  const businessId = await first('/businesses');
  const toolId = await make('/tools', FIND_ORDER(receiver));
  await make(`/businesses/${businessId}/documents`, { name: 'Terms', kind: 'markdown', text: TERMS });
  await rest.must('PATCH', `/businesses/${businessId}`, {
    ...WISHES,
    notify: [
      { on: 'call_missed', by: 'mail', to: 'owner@example.com', quiet: { from: '21:00', to: '07:00' } },
      { on: 'call_ended', by: 'slack', to: receiver, when: 'daily' },
    ],
    toolIds: [toolId],
    lookup: { url: receiver, headers: { Authorization: 'Bearer of-the-crm' } },
  });
  const validFrom = '2026-01-01T00:00:00.000Z';
  for (const price of PRICES) await make('/admin/prices', { ...price, currency: 'GBP', validFrom });
  const call = await conversation(service, rest);
  const campaignId = await make('/campaigns', {
    name: 'Check-up reminders',
    agentId,
    businessId,
    greetingTemplate: 'Hello {{firstName}}, this is {{agentName}} from {{businessName}}.',
  });
  await make(`/campaigns/${campaignId}/contacts`, {
    contacts: [
      { phoneNumber: '+442079460143', name: 'Jamie Rivera', variables: { firstName: 'Jamie' } },
      { phoneNumber: '+442079460144', name: 'Alex Kim' },
    ],
  });
  await make('/widget-keys', { campaignId, name: 'Shop', origins: ['https://www.example.com'] });
  await make('/do-not-call', { phoneNumber: '+442079460145', reason: 'Asked by mail' });
  await make('/auth/tokens', { name: 'Nightly import' });
  await make('/admin/inventory', { from: '+442079460100', to: '+442079460109', monthlyCost: 1.5 });
  await rest.request('GET', '/phone-numbers/search?country=GB');
  const suiteId = await make('/test-suites', { name: 'Front desk', agentId, businessId });
  await make(`/test-suites/${suiteId}/cases`, TESTED('Says the hours', 'open'));
  await make(`/test-suites/${suiteId}/cases`, TESTED('Is wrong', 'closed for ever'));
  const testRunId = await make(`/test-suites/${suiteId}/runs`, {});
  await rest.eventually(
    'the run of the tests',
    async () => (await rest.must('GET', `/test-runs/${testRunId}`)).endedAt,
  );
  const conversationId = await make('/conversations', { campaignId: demoId });
  await make(`/conversations/${conversationId}/messages`, { text: 'What are your opening hours?' });
  await rest.eventually('the answer', async () => {
    const { lastMessage } = await rest.must('GET', `/conversations/${conversationId}`);
    return lastMessage?.author === 'agent' ? lastMessage : undefined;
  });
  const alertId = await make('/alert-rules', FAILED_CALLS);
  return {
    alertId,
    conversationId,
    suiteId,
    testRunId,
    toolId,
    // It is none: the page shows why its catalogue could not be read.
    serverId: await make('/tools', { name: 'crm', description: 'Our customers', kind: 'mcp', url: receiver }),
    agentId,
    businessId,
    campaignId,
    demoId,
    callId: call.id,
    webhookId: await make('/webhooks', { url: receiver, events: ['call.ended'] }),
    numberId: await make('/phone-numbers/purchase', { phoneNumber: '+442079460100', campaignId }),
    portOrderId: await make('/phone-numbers/port-in', {
      phoneNumber: '+442079460150',
      loaSignedAt: '2026-01-05',
      accountHolder: 'Willow Hair Studio',
    }),
    trunkId: await make('/admin/trunks', { name: 'Provider', host: 'sip.example.com', username: 'alice' }),
    carrierId: await make('/admin/carriers', { kind: 'telnyx', key: 'KEY0123456789ABCDEF0123456789' }),
    softphoneId: await make('/admin/sip-accounts', { username: 'reception', displayName: 'Front desk' }),
  };
}

/** A caller who asks for the opening hours and hangs up after the answer. */
async function conversation(service: Service, rest: Rest): Promise<Call> {
  const { caller, number } = await greeted(service);
  const askedAt = await caller.call.speak(await renderSpeech('What are your opening hours?', 'flite-slt'));
  await caller.agentSound(askedAt);
  await caller.agentQuiet(900);
  await caller.hangUp();
  return rest.endedCall(number);
}

const at = (name: string, address: string, heading: string | RegExp): PageAddress => ({ name, address, heading });

const pagesOf = (ids: Ids): readonly PageAddress[] => [
  { name: 'sign-in', address: '/sign-in', heading: 'Sign in', isPublic: true },
  { name: 'register', address: '/register', heading: 'Create an account', isPublic: true },
  { name: 'forgot-password', address: '/forgot-password', heading: 'Forgot your password?', isPublic: true },
  at('overview', '/', 'Overview'),
  at('start', '/start', 'Set up your telephone'),
  at('live', '/live', /Live/),
  at('talk', `/talk?campaignId=${ids.demoId}`, /Talk/),
  at('calls', '/calls', 'Calls'),
  at('call-new', '/calls/new', /./),
  at('call', `/calls/${ids.callId}`, /./),
  at('call-events', `/calls/${ids.callId}?tab=events`, /./),
  at('agents', '/agents', 'Agents'),
  at('agent', `/agents/${ids.agentId}`, /./),
  at('agent-new', '/agents/new', 'New agent'),
  at('businesses', '/businesses', 'Businesses'),
  at('business-new', '/businesses/new', /New business/),
  at('business', `/businesses/${ids.businessId}`, /./),
  at('business-hours', `/businesses/${ids.businessId}?tab=hours`, /./),
  at('business-appointments', `/businesses/${ids.businessId}?tab=appointments`, /./),
  at('business-knowledge', `/businesses/${ids.businessId}?tab=knowledge`, /./),
  at('business-documents', `/businesses/${ids.businessId}?tab=documents`, /./),
  at('business-tools', `/businesses/${ids.businessId}?tab=tools`, /./),
  at('business-results', `/businesses/${ids.businessId}?tab=results`, /./),
  at('business-notices', `/businesses/${ids.businessId}?tab=notices`, /./),
  at('business-behaviour', `/businesses/${ids.businessId}?tab=behaviour`, /./),
  at('business-context', `/businesses/${ids.businessId}?tab=context`, /./),
  at('business-versions', `/businesses/${ids.businessId}?tab=versions`, /./),
  at('business-changes', `/businesses/${ids.businessId}?tab=changes`, /./),
  at('campaigns', '/campaigns', 'Campaigns'),
  at('campaign-new', '/campaigns/new', /New campaign/),
  at('campaign', `/campaigns/${ids.campaignId}`, /./),
  at('campaign-contacts', `/campaigns/${ids.campaignId}?tab=contacts`, /./),
  at('campaign-preview', `/campaigns/${ids.campaignId}?tab=preview`, /./),
  at('campaign-website', `/campaigns/${ids.campaignId}?tab=website`, /./),
  at('campaign-settings', `/campaigns/${ids.campaignId}?tab=settings`, /./),
  at('messages', '/messages', 'Messages'),
  at('message', `/messages/${ids.conversationId}`, 'Trial in the browser'),
  at('person', `/people/${encodeURIComponent('+442079460143')}`, 'Jamie Rivera'),
  at('appointments', '/appointments', 'Appointments'),
  at('do-not-call', '/do-not-call', 'Do not call'),
  at('phone-numbers', '/phone-numbers', 'Phone numbers'),
  at('phone-number', `/phone-numbers/${ids.numberId}`, /./),
  at('phone-number-buy', '/phone-numbers/buy?country=GB', /./),
  at('phone-numbers-porting', '/phone-numbers?tab=port-in', /./),
  at('port-order', `/phone-numbers/port-in/${ids.portOrderId}`, /./),
  at('port-order-new', '/phone-numbers/port-in/new', /./),
  at('tools', '/tools', 'Tools'),
  at('tool-new', '/tools/new', 'New tool'),
  at('tool', `/tools/${ids.toolId}`, 'find_order'),
  at('tool-try', `/tools/${ids.toolId}?tab=try`, 'find_order'),
  at('tool-server', `/tools/${ids.serverId}`, 'crm'),
  at('tests', '/tests', 'Tests'),
  at('test-suite-new', '/tests/new', 'New suite'),
  at('test-suite', `/tests/${ids.suiteId}`, 'Front desk'),
  at('test-suite-runs', `/tests/${ids.suiteId}?tab=runs`, 'Front desk'),
  at('test-suite-settings', `/tests/${ids.suiteId}?tab=settings`, 'Front desk'),
  at('test-run', `/tests/runs/${ids.testRunId}`, /Run of/),
  at('alerts', '/alerts', 'Alerts'),
  at('alert-new', '/alerts/new', 'New alert'),
  at('alert', `/alerts/${ids.alertId}`, 'Failed calls'),
  at('alert-settings', `/alerts/${ids.alertId}?tab=settings`, 'Failed calls'),
  at('webhooks', '/webhooks', 'Webhooks'),
  at('webhook-new', '/webhooks/new', 'New webhook'),
  at('webhook', `/webhooks/${ids.webhookId}`, /./),
  at('webhook-settings', `/webhooks/${ids.webhookId}?tab=settings`, /./),
  at('api-keys', '/api-keys', 'API keys'),
  at('audit-log', '/audit-log', 'Audit log'),
  at('settings', '/settings', 'Settings'),
  at('settings-team', '/settings?tab=team', 'Settings'),
  at('settings-security', '/settings?tab=security', 'Settings'),
  at('billing', '/billing', 'Billing'),
  at('status', '/admin/status', 'Status'),
  at('carriers', '/admin/carriers', 'Carriers'),
  at('carrier-new', '/admin/carriers/new', 'Connect a carrier'),
  at('carrier', `/admin/carriers/${ids.carrierId}`, 'Telnyx'),
  at('trunks', '/admin/trunks', 'Trunks'),
  at('trunk-new', '/admin/trunks/new', /./),
  at('trunk', `/admin/trunks/${ids.trunkId}`, /./),
  at('softphones', '/admin/softphones', 'Softphones'),
  at('softphone', `/admin/softphones/${ids.softphoneId}`, /./),
  at('softphone-new', '/admin/softphones/new', /./),
  at('models', '/admin/models', 'Models'),
  at('models-language', '/admin/models?tab=language&language=de', 'Models'),
  at('inventory', '/admin/inventory', 'Inventory'),
  at('port-orders', '/admin/port-orders', 'Port orders'),
  at('accounts', '/admin/accounts', 'Accounts'),
  at('costs', '/costs', 'Costs'),
  at('installation-costs', '/admin/costs', 'Costs'),
  at('prices', '/admin/costs?tab=prices', 'Costs'),
  at('limits', '/admin/limits', 'Limits'),
  at('refused-calls', '/admin/refused-calls', 'Refused calls'),
  at('installation-audit-log', '/admin/audit-log?resource=trunk', 'Audit log'),
  at('components', '/components', 'Components'),
  at('missing', '/no-such-page', 'Page not found'),
];

/** A service with something of everything for the tests of the file that calls this, and every page of it. */
export async function usePages(): Promise<{ service: Service; every(): Promise<readonly PageAddress[]> }> {
  const receiver = await startReceiver();
  receiver.behave('/hooks', (response) => response.end('{"received":true}'));
  after(() => receiver.close());
  let pages: Promise<readonly PageAddress[]> = Promise.resolve([]);
  const { service, rest } = useService(
    { WEBHOOK_ALLOW_PRIVATE: '1', NODE_EXTRA_CA_CERTS: TEST_AUTHORITY },
    {
      skip,
      prepare: async () => {
        pages = seed(service, rest, receiver.url('/hooks')).then(pagesOf);
      },
    },
  );
  return { service, every: () => pages };
}

export async function openPage(page: Page, service: Service, { address, heading }: PageAddress): Promise<void> {
  await page.goto(`${service.apiUrl}/#${address}`);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}
