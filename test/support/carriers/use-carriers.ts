// An API whose carriers are fakes, for the tests of the file that calls this: new for each test.
import assert from 'node:assert/strict';
import { afterEach, beforeEach } from 'node:test';
import { startApi, type TestApi, type TestApiOptions } from '../../../bench/rig/api/api.ts';
import { FakeCarriers } from './fake-carrier.ts';
import { FakePlivo } from './fake-plivo.ts';
import { FakeTelnyx } from './fake-telnyx.ts';
import { FakeTwilio } from './fake-twilio.ts';

export interface CarrierLab {
  api: TestApi;
  http: FakeCarriers;
  twilio: FakeTwilio;
  telnyx: FakeTelnyx;
  plivo: FakePlivo;
}

/** Where the service is reached, in the tests. */
const SIP_ENVIRONMENT = { EXTERNAL_IP: '203.0.113.20', SIP_TLS_PORT: '5061' };

export function useCarriers(options: TestApiOptions = {}): CarrierLab {
  const lab = {} as CarrierLab;
  beforeEach(async () => {
    const [twilio, telnyx, plivo] = [new FakeTwilio(), new FakeTelnyx(), new FakePlivo()];
    const all = [twilio, telnyx, plivo];
    const http = await FakeCarriers.start(
      all.flatMap(({ routes }) => routes),
      new Map(all.flatMap(({ authorizations }) => authorizations)),
    );
    const environment = { ...SIP_ENVIRONMENT, ...options.environment, CARRIER_API_BASE: http.url };
    Object.assign(lab, { twilio, telnyx, plivo, http, api: await startApi({ ...options, environment }) });
  });
  afterEach(async () => {
    await lab.api.close();
    await lab.http.close();
    assert.deepEqual(lab.http.faults, []);
  });
  return lab;
}

/** Connects an account at a carrier and returns its id. */
export async function connect({ admin }: TestApi, body: object): Promise<string> {
  const answer = await admin.ask('POST', '/admin/carriers', body);
  assert.equal(answer.status, 201, answer.text);
  return answer.json.data.id;
}
