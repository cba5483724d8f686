// The 50 messages of RFC 4475, each over UDP and TCP: handled as the RFC says, without errors on our side and without
// leftovers. The number beside each name is the RFC's section; where it allows a choice, this file records ours.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SipLab } from '../../../../support/sip/sip-lab.ts';

/** `accepted`: the call is answered; a number: that final status; `ignored`: nothing is sent back. */
type Fate = 'accepted' | 'ignored' | number;

const folder = new URL('../../../../fixtures/rfc4475/', import.meta.url);

const fates: Record<string, [section: string, udp: Fate, tcp?: Fate]> = {
  // 3.1.1 Valid messages. wsinv has a To tag, so it belongs to a dialog that does not exist here (RFC 3261 12.2.2).
  wsinv: ['3.1.1.1', 481],
  intmeth: ['3.1.1.2', 501],
  esc01: ['3.1.1.3', 'accepted'],
  escnull: ['3.1.1.4', 405],
  esc02: ['3.1.1.5', 501],
  lwsdisp: ['3.1.1.6', 200],
  longreq: ['3.1.1.7', 'accepted'],
  dblreq: ['3.1.1.8', 405],
  semiuri: ['3.1.1.9', 200],
  transports: ['3.1.1.10', 200],
  mpart01: ['3.1.1.11', 405],
  unreason: ['3.1.1.12', 'ignored'],
  noreason: ['3.1.1.13', 'ignored'],
  // 3.1.2 Invalid messages.
  badinv01: ['3.1.2.1', 400],
  clerr: ['3.1.2.2', 400],
  ncl: ['3.1.2.3', 400],
  scalar02: ['3.1.2.4', 400],
  scalarlg: ['3.1.2.5', 'ignored'],
  quotbal: ['3.1.2.6', 400],
  ltgtruri: ['3.1.2.7', 400],
  lwsruri: ['3.1.2.8', 400],
  lwsstart: ['3.1.2.9', 400],
  trws: ['3.1.2.10', 400],
  // "An element could choose to be liberal in what it accepts, and ignore the escaped headers."
  escruri: ['3.1.2.11', 'accepted'],
  baddate: ['3.1.2.12', 400],
  regbadct: ['3.1.2.13', 400],
  badaspec: ['3.1.2.14', 400],
  baddn: ['3.1.2.15', 400],
  badvers: ['3.1.2.16', 505],
  mismatch01: ['3.1.2.17', 400],
  mismatch02: ['3.1.2.18', 400],
  bigcode: ['3.1.2.19', 'ignored'],
  // 3.2 Transaction layer semantics.
  badbranch: ['3.2.1', 200],
  // 3.3 Application layer semantics. REGISTER is 405 throughout: this is no registrar.
  insuf: ['3.3.1', 400],
  unkscm: ['3.3.2', 416],
  novelsc: ['3.3.3', 416],
  unksm2: ['3.3.4', 405],
  bext01: ['3.3.5', 420],
  invut: ['3.3.6', 415],
  regaut01: ['3.3.7', 405],
  multi01: ['3.3.8', 400],
  mcl01: ['3.3.9', 400],
  bcast: ['3.3.10', 'ignored'],
  zeromf: ['3.3.11', 200],
  cparam01: ['3.3.12', 405],
  cparam02: ['3.3.13', 405],
  regescrt: ['3.3.14', 405],
  sdp01: ['3.3.15', 406],
  // 3.4 Backward compatibility. It has no Content-Length, without which a stream has no next message (RFC 3261 20.14).
  inv2543: ['3.4.1', 'accepted', 400],
  test: ['none', 'ignored'],
};

interface Result {
  statuses: number[];
  rang: number;
  lab: SipLab;
  leftTransactions: number;
  leftDialogs: number;
}

const service = { address: '10.0.0.1', port: 5060 };

async function play(bytes: Buffer, over: 'udp' | 'tcp'): Promise<Result> {
  const lab = new SipLab();
  const endpoint = await lab.endpoint(service.address);
  let rang = 0;
  endpoint.onInvite((leg) => {
    rang++;
    leg.onEvent(() => {});
    leg.answer({ address: service.address, port: 20_000 });
  });
  const statuses: number[] = [];
  const take = (answer: Buffer) => {
    for (const match of answer.toString('latin1').matchAll(/^SIP\/2\.0 (\d{3})/gm)) statuses.push(Number(match[1]));
  };
  if (over === 'udp') {
    lab.network.bind({ address: '10.0.0.9', port: 4_000 }, take).send(bytes, service, () => {});
  } else {
    const stream = lab.network.connect('10.0.0.9', service);
    stream.handle({ connected: () => stream.write(bytes), data: take, closed() {} });
  }
  await lab.run(12_000, 100);
  // Long enough for every timer: an unacknowledged call ends after 32 s and its BYE after 32 more.
  await lab.run(110_000, 500);
  return { statuses, rang, lab, leftTransactions: endpoint.counts.transactions, leftDialogs: endpoint.counts.dialogs };
}

test('all 50 messages of the archive are here', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.dat'));
  assert.equal(files.length, 50);
  assert.deepEqual(files.map((name) => name.slice(0, -4)).sort(), Object.keys(fates).sort());
});

for (const [name, [section, udp, tcp]] of Object.entries(fates)) {
  for (const over of ['udp', 'tcp'] as const) {
    const fate = over === 'udp' ? udp : (tcp ?? udp);
    test(`${name} (${section}) over ${over}: ${fate}`, async () => {
      const result = await play(readFileSync(new URL(`${name}.dat`, folder)), over);
      const final = result.statuses.find((status) => status >= 200);
      if (fate === 'ignored') assert.deepEqual(result.statuses, []);
      else if (fate === 'accepted') {
        assert.equal(final, 200);
        assert.equal(result.rang, 1);
      } else assert.equal(final, fate);
      assert.deepEqual(result.lab.errors, []);
      assert.equal(result.leftTransactions, 0);
      assert.equal(result.leftDialogs, 0);
    });
  }
}
