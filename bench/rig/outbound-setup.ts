// Sets up outbound calls through the API, like an operator: a trunk, a number from its inventory, a campaign.

export interface ApiAnswer<T> {
  status: number;
  body: { success: boolean; data: T; error?: string };
}

export interface ApiClient {
  request<T>(method: string, path: string, body?: unknown): Promise<ApiAnswer<T>>;
}

async function must<T>(client: ApiClient, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await client.request<T>(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

export interface OutboundCampaign {
  id: string;
  numberId: string;
  phoneNumber: string;
}

export async function addTrunk(client: ApiClient, port: number, fields: Record<string, unknown> = {}): Promise<string> {
  const trunk = await must<{ id: string }>(client, 'POST', '/admin/trunks', {
    name: `Callee at ${port}`,
    host: '127.0.0.1',
    port,
    ...fields,
  });
  return trunk.id;
}

/** A campaign with its own number, routed by `trunkId`; agent and business are the demo's. */
export async function addCampaign(
  client: ApiClient,
  trunkId: string,
  phoneNumber: string,
  fields: Record<string, unknown> = {},
): Promise<OutboundCampaign> {
  await must(client, 'POST', '/admin/inventory', { numbers: [{ phoneNumber, monthlyCost: 0 }], trunkId });
  const offered = await must<Array<{ phoneNumber: string }>>(
    client,
    'GET',
    `/phone-numbers/search?areaCode=${phoneNumber.slice(2, 5)}`,
  );
  if (!offered.some((offer) => offer.phoneNumber === phoneNumber)) throw new Error(`${phoneNumber} is not on offer`);
  const number = await must<{ id: string }>(client, 'POST', '/phone-numbers/purchase', { phoneNumber });
  const [agent] = await must<Array<{ id: string }>>(client, 'GET', '/agents');
  const [business] = await must<Array<{ id: string }>>(client, 'GET', '/businesses');
  const campaign = await must<{ id: string }>(client, 'POST', '/campaigns', {
    name: `Outbound by ${phoneNumber}`,
    agentId: agent?.id,
    businessId: business?.id,
    phoneNumberIds: [number.id],
    // Always open, whatever the local time of the machine.
    callingWindow: {
      timezone: 'UTC',
      days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
      start: '00:00',
      end: '23:59',
    },
    ...fields,
  });
  return { id: campaign.id, numberId: number.id, phoneNumber };
}
