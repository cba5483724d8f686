// An API with a campaign, an engine, and visitors of web sites who ask by a public key.
import assert from 'node:assert/strict';
import { beforeEach } from 'node:test';
import type { WidgetFacts, WidgetKeyRecord, WidgetMessage, WidgetThread } from '../../../api/widget/schema.ts';
import type { Tenant, TestApi } from '../../../bench/rig/api/api.ts';
import { eventually } from '../../../bench/rig/eventually.ts';
import { engineIs, type Setup, setUpCampaign } from './resources.ts';
import { useFreshApi } from './use-api.ts';

export const SITE = 'https://www.shop.example';

interface Told {
  status: number;
  headers: Record<string, unknown>;
  code: string | undefined;
  data: {
    callId: string;
    socketUrl: string;
    iceServers: Array<{ urls: string[] }>;
    visitor: string;
    message: WidgetMessage;
  } & WidgetThread &
    WidgetFacts;
}

interface WidgetLab {
  api: TestApi;
  set: Setup;
  /** Makes a key. */
  key(changes?: object, tenant?: Tenant): Promise<WidgetKeyRecord>;
  today(id: string): Promise<WidgetKeyRecord['today']>;
  /** A page of `origin` asks, from an address; `path` behind the key. */
  visit(key: string, path: string, body?: object, origin?: string | null, address?: string): Promise<Told>;
}

export function useWidget(environment: Record<string, string> = {}): WidgetLab {
  const api = useFreshApi({ environment });
  const set = {} as Setup;
  beforeEach(async () => {
    Object.assign(set, await setUpCampaign(api, api.tenant));
    assert.equal((await api.tenant.ask('POST', `/campaigns/${set.campaign.id}/start`)).status, 200);
    await engineIs(api, { maxCalls: 100 });
  });
  const key = async (changes: object = {}, tenant = api.tenant) => {
    const body = { campaignId: set.campaign.id, name: 'Shop', origins: [SITE], ...changes };
    const { status, text, json } = await tenant.ask('POST', '/widget-keys', body);
    assert.equal(status, 201, text);
    return json.data as WidgetKeyRecord;
  };
  return {
    ...{ api, set, key },
    today: async (id) =>
      (await api.tenant.ask('GET', `/widget-keys/${id}`)).json.data.today as WidgetKeyRecord['today'],
    visit: async (publicKey, path, body = {}, origin = SITE, remoteAddress = '127.0.0.1') => {
      const request = api.inject({
        method: 'POST',
        remoteAddress,
        url: `/api/v1/widget/${publicKey}${path}`,
        headers: { 'content-type': 'application/json', ...(origin === null ? {} : { origin }) },
        payload: JSON.stringify(body),
      });
      const { status, headers, json } = await (path === '/calls' ? withEngine(api, request) : request);
      return { status, headers, code: json.code, data: json.data as Told['data'] };
    },
  };
}

/** An engine opens the socket of each call at once; without one the API waits for it. */
async function withEngine<Answer>({ context, clock }: TestApi, request: Promise<Answer>): Promise<Answer> {
  let isAnswered = false;
  const answer = request.finally(() => {
    isAnswered = true;
  });
  await eventually(async () => {
    await context.db
      .updateTable('engineRequests')
      .set({ doneAt: clock.now })
      .where('kind', '=', 'web-call')
      .where('doneAt', 'is', null)
      .execute();
    return isAnswered;
  }, 'the answer to a visitor');
  return answer;
}
