// Sets up outbound calls through the API, like an operator: a trunk, a number from its inventory, a campaign.

import { ALWAYS_OPEN } from '../rows/always-open.ts';
import type { Rest } from './rest.ts';

export interface OutboundCampaign {
  id: string;
  numberId: string;
  phoneNumber: string;
}

export async function addTrunk(rest: Rest, port: number, fields: Record<string, unknown> = {}): Promise<string> {
  const trunk = await rest.must('POST', '/admin/trunks', {
    name: `Callee at ${port}`,
    host: '127.0.0.1',
    port,
    ...fields,
  });
  return trunk.id;
}

/** A campaign with its own number, routed by `trunkId`; agent and business are the demo's. */
export async function addCampaign(
  rest: Rest,
  trunkId: string,
  phoneNumber: string,
  fields: Record<string, unknown> = {},
): Promise<OutboundCampaign> {
  await rest.must('POST', '/admin/inventory', { numbers: [{ phoneNumber, monthlyCost: 0 }], trunkId });
  const offered = await rest.must('GET', `/phone-numbers/search?areaCode=${phoneNumber.slice(2, 5)}`);
  if (!offered.some((offer) => offer.phoneNumber === phoneNumber)) throw new Error(`${phoneNumber} is not on offer`);
  const number = await rest.must('POST', '/phone-numbers/purchase', { phoneNumber });
  const [agent] = await rest.must('GET', '/agents');
  const [business] = await rest.must('GET', '/businesses');
  const campaign = await rest.must('POST', '/campaigns', {
    name: `Outbound by ${phoneNumber}`,
    agentId: agent?.id,
    businessId: business?.id,
    phoneNumberIds: [number.id],
    callingWindow: ALWAYS_OPEN,
    ...fields,
  });
  return { id: campaign.id, numberId: number.id, phoneNumber };
}
