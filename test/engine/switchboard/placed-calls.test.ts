// The place that a placed call takes in the engine: where the call cannot begin it is given back, once.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { createAdmission } from '../../../engine/load/admission.ts';
import { PlacedCalls, type PlacedOptions } from '../../../engine/switchboard/placed-calls.ts';
import { addTrunk, seedCall, setUpCampaign } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';
import { NO_OWN_TOOLS } from '../../support/no-tools.ts';

const api = useFreshApi();
let callId: string;
beforeEach(async () => {
  const { campaign, agent, business } = await setUpCampaign(api, api.tenant);
  const trunkId = await addTrunk(api);
  const of = { campaignId: campaign.id, agentId: agent.id, businessId: business.id, trunkId };
  callId = (await seedCall(api, api.tenant, { ...of, status: 'RINGING', endedAt: null, answeredAt: null })).id;
});

/** An engine with one running call, whose writer is away, and whose trunks are gone. */
function engine(changes: Partial<PlacedOptions> = {}) {
  const admission = createAdmission(10);
  admission.admit('inbound');
  const isAway = async () => {
    throw new Error('the database is away');
  };
  const options: PlacedOptions = {
    ...{ read: api.context.read, clock: new VirtualClock(api.clock.now), log: api.context.log as never },
    ...{ engineId: 'eng_1', admission, tools: NO_OWN_TOOLS, routeOf: () => [], paceOf: () => 0 },
    writer: { run: isAway, runDurably: isAway } as never,
    places: { take: (kind) => (admission.admit(kind) ? { engineId: 'eng_1', isOwn: true } : null) },
    ...changes,
  };
  return { admission, placed: new PlacedCalls(options, { conduct: () => assert.fail(), isDraining: () => false }) };
}

test('a call without a trunk that cannot be closed either gives its place back, and no other’s', async () => {
  const { admission, placed } = engine();
  const request = {
    ...{ id: 'req_1', accountId: api.tenant.accountId, callId, target: null, payload: '{}', createdAt: 0 },
    kind: 'dial' as const,
  };
  await assert.rejects(placed.beginRequested(request, {}), /the database is away/);
  assert.equal(admission.active, 1);
});

test('a call of a campaign that cannot be read gives back the place that it was claimed with', async () => {
  const gone = { selectFrom: () => assert.fail('the database is away') } as never;
  const { admission, placed } = engine({ read: gone });
  admission.admit('campaign');
  await assert.rejects(placed.dialClaimed(callId), /the database is away/);
  assert.equal(admission.active, 1);
});
