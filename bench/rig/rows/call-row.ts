// A row of `calls` for tests and fixtures: a new call with overrides.
import { type CallTable, ringingCall } from '../../../db/schema/call-columns.ts';
import { newId } from '../../../db/shared/id.ts';

export function callRow({
  createdAt,
  ...differs
}: Partial<CallTable> & Pick<CallTable, 'accountId' | 'createdAt'>): CallTable {
  const begun = ringingCall({
    id: newId('call'),
    accountId: differs.accountId,
    businessId: 'biz_1',
    campaignId: 'cmp_1',
    agentId: 'agt_1',
    phoneNumberId: 'pn_1',
    contactId: null,
    direction: 'inbound',
    medium: 'sip',
    forwardedFrom: null,
    fromNumber: '+14155552671',
    toNumber: '+14155550123',
    callerName: null,
    variables: '{}',
    metadata: '{}',
    trunkId: null,
    engineId: null,
    nowMs: createdAt,
  });
  return { ...begun, ...differs };
}
