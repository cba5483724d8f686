// Port orders at a carrier with an interface of its own: handed over once whatever dies in between, moved by what the
// carrier says, and cancelled there.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { CarrierError, type CarrierPortState, type CarrierPorts } from '../../../api/carriers/carrier.ts';
import { followPortOrders } from '../../../api/port-in/at-carrier.ts';
import { MINUTE_MS } from '../../../db/domain/hours/durations.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

const api = useFreshApi();

/** A carrier that keeps what it is given. */
class Ports implements CarrierPorts {
  readonly created: string[] = [];
  readonly documents = new Map<string, string>();
  readonly cancelled: string[] = [];
  state: CarrierPortState | null = null;
  asked = 0;
  /** The next of these calls is carried out, and its answer is lost. */
  losing: 'create' | 'addDocument' | 'cancel' | null = null;
  refusing: string | null = null;

  async create({ reference }: { reference: string }): Promise<void> {
    if (this.refusing !== null) throw new CarrierError('CARRIER_PORT_REFUSED', this.refusing);
    if (!this.created.includes(reference)) this.created.push(reference);
    this.#answer('create');
  }

  async addDocument(reference: string, document: Parameters<CarrierPorts['addDocument']>[1]): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of document.body) chunks.push(chunk as Buffer);
    this.documents.set(`${reference} ${document.kind}`, Buffer.concat(chunks).toString('latin1'));
    this.#answer('addDocument');
  }

  async status(): Promise<CarrierPortState | null> {
    this.asked++;
    return this.state;
  }

  async cancel(reference: string): Promise<void> {
    if (!this.cancelled.includes(reference)) this.cancelled.push(reference);
    this.#answer('cancel');
  }

  #answer(call: Ports['losing']): void {
    if (this.losing !== call) return;
    this.losing = null;
    throw new CarrierError('CARRIER_UNAVAILABLE', 'the connection broke');
  }
}

let ports: Ports;
beforeEach(() => {
  ports = new Ports();
  api.context.carrier = { ...api.context.carrier, name: 'their-api', ports };
});

async function upload(id: string, kind: 'loa' | 'bill', text: string): Promise<void> {
  const part = (about: string, value: string) => `--b\r\nContent-Disposition: form-data; ${about}\r\n\r\n${value}\r\n`;
  const answer = await api.inject({
    method: 'POST',
    url: `/api/v1/phone-numbers/port-in/${id}/documents`,
    headers: { authorization: `Bearer ${api.tenant.token}`, 'content-type': 'multipart/form-data; boundary=b' },
    payload: `${part('name="kind"', kind)}${part('name="file"; filename="a.pdf"', `%PDF-${text}`)}--b--\r\n`,
  });
  assert.equal(answer.status, 201, answer.text);
}

async function submitted(phoneNumber = '+12125550177'): Promise<string> {
  const body = { phoneNumber, loaSignedAt: '2026-11-01', accountHolder: 'Ada Ltd' };
  const { id } = (await api.tenant.ask('POST', '/phone-numbers/port-in', body)).json.data;
  await upload(id, 'loa', 'letter');
  await upload(id, 'bill', 'bill');
  return id;
}

const order = async (id: string) => (await api.tenant.ask('GET', `/phone-numbers/port-in/${id}`)).json.data;
const later = async (ms: number): Promise<void> => {
  api.clock.advance(ms);
  await followPortOrders(api.context);
};

test('a submitted order is handed over once with its documents, whichever answer is lost', async () => {
  const id = await submitted();
  for (const call of ['create', 'addDocument'] as const) {
    ports.losing = call;
    await later(MINUTE_MS);
    assert.equal(ports.asked, 0, 'not all of it is there');
  }
  await later(MINUTE_MS);
  assert.deepEqual(ports.created, [id]);
  assert.deepEqual(
    [...ports.documents],
    [
      [`${id} loa`, '%PDF-letter'],
      [`${id} bill`, '%PDF-bill'],
    ],
  );
  // A better copy follows.
  await upload(id, 'bill', 'clearer');
  await later(MINUTE_MS);
  assert.equal(ports.documents.get(`${id} bill`), '%PDF-clearer');
  assert.deepEqual(ports.created, [id]);
});

test('the order follows the carrier step by step, and the number comes with its end', async () => {
  const id = await submitted();
  await later(MINUTE_MS);
  await later(MINUTE_MS);
  assert.equal((await order(id)).status, 'SUBMITTED', 'the carrier says nothing yet');
  ports.state = { status: 'FOC_SCHEDULED', focDate: '2026-12-10' };
  await later(6 * MINUTE_MS);
  const scheduled = await order(id);
  assert.equal(scheduled.focDate, '2026-12-10');
  assert.deepEqual(
    scheduled.statusHistory.map(({ status }) => status),
    ['DRAFT', 'SUBMITTED', 'IN_REVIEW', 'FOC_SCHEDULED'],
  );
  await later(6 * MINUTE_MS);
  assert.equal((await order(id)).statusHistory.length, 4, 'nothing is new');
  ports.state = { status: 'FOC_SCHEDULED', focDate: '2026-12-12' };
  await later(6 * MINUTE_MS);
  assert.equal((await order(id)).focDate, '2026-12-12');
  ports.state = { status: 'COMPLETED' };
  await later(6 * MINUTE_MS);
  assert.equal((await order(id)).status, 'COMPLETED');
  const numbers = (await api.tenant.ask('GET', '/phone-numbers')).json.data;
  assert.deepEqual(
    numbers.map(({ phoneNumber }) => phoneNumber),
    ['+12125550177'],
  );
  const { asked } = ports;
  await later(60 * MINUTE_MS);
  assert.equal(ports.asked, asked, 'it is over');
});

test('a refusal rejects the order with the reason of the carrier', async () => {
  const id = await submitted();
  ports.refusing = 'The bill is older than 30 days';
  await later(MINUTE_MS);
  const { status, statusHistory } = await order(id);
  assert.equal(status, 'REJECTED');
  assert.equal(statusHistory.at(-1)?.reason, 'The bill is older than 30 days');
});

test('a cancellation is told until the carrier has taken it', async () => {
  const id = await submitted();
  // The process died between the carrier's answer and its note.
  ports.losing = 'addDocument';
  await later(MINUTE_MS);
  await api.tenant.ask('POST', `/phone-numbers/port-in/${id}/cancel`);
  ports.losing = 'cancel';
  await later(MINUTE_MS);
  ports.cancelled.length = 0;
  await later(MINUTE_MS);
  assert.deepEqual(ports.cancelled, [id]);
  ports.cancelled.length = 0;
  await later(10 * MINUTE_MS);
  assert.deepEqual(ports.cancelled, []);
});

test('an order that another carrier has is left to it', async () => {
  const id = await submitted();
  await later(MINUTE_MS);
  const other = new Ports();
  other.state = { status: 'REJECTED', reason: 'unknown' };
  api.context.carrier = { ...api.context.carrier, name: 'another', ports: other };
  await later(10 * MINUTE_MS);
  assert.equal(other.asked, 0);
  assert.equal((await order(id)).status, 'SUBMITTED');
});
