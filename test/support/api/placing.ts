// A tenant that may place calls, new for each test, and what its tests ask of the API.
import { beforeEach } from 'node:test';
import type { AnswerJson } from '../../../bench/rig/api/answers.ts';
import type { Answer, TestApi } from '../../../bench/rig/api/api.ts';
import type { EventTable } from '../../../db/schema/webhooks.ts';
import { addTrunk, engineIs, type Setup, setUpCampaign } from './resources.ts';
import { useFreshApi } from './use-api.ts';

export const CALLEE = '+14155552671';

interface Placing {
  api: TestApi;
  /** The tenant's campaign and all that it needs. */
  set: Setup;
  trunk: { id: string };
  /** Places a call; `changes` of the body of a request that is granted. */
  place(changes?: object, headers?: Record<string, string>): Promise<Answer<AnswerJson<'POST', '/calls'>>>;
  campaignIs(status: string): Promise<unknown>;
  /** The types of the events of a call, in their order. */
  eventsOf(callId: string): Promise<EventTable['type'][]>;
}

export function usePlacing(): Placing {
  const api = useFreshApi();
  const set = {} as Setup;
  const trunk = { id: '' };
  beforeEach(async () => {
    Object.assign(set, await setUpCampaign(api, api.tenant));
    trunk.id = await addTrunk(api);
    await engineIs(api);
  });
  return {
    api,
    set,
    trunk,
    place: (changes = {}, headers = {}) => {
      const granted = { campaignId: set.campaign.id, toNumber: CALLEE, fromPhoneNumberId: set.number.id };
      return api.tenant.ask('POST', '/calls', { ...granted, ...changes }, headers);
    },
    campaignIs: (status) =>
      api.context.db
        .updateTable('campaigns')
        .set({ status: status as 'PAUSED' })
        .where('id', '=', set.campaign.id)
        .execute(),
    eventsOf: async (callId) => {
      const rows = await api.context.read
        .selectFrom('events')
        .select('type')
        .where('subjectId', '=', callId)
        .orderBy('seq')
        .execute();
      return rows.map(({ type }) => type);
    },
  };
}
