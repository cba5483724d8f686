// The contract of the telephony port as a test suite for every adapter; a factory supplies the adapter. The far side is
// an embedded endpoint on loopback, so the suite needs nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../bench/rig/eventually.ts';
import { type Harness, type RecordedLeg, recordLeg, startHarness } from '../../../bench/rig/phone/sip-harness.ts';
import type {
  DialRequest,
  InboundLeg,
  SipBinding,
  SoftphoneRegistrar,
  StoredDialog,
  Telephony,
  TrunkState,
} from '../../../engine/sip/telephony.ts';
import { trunkConfig } from './sip-lab.ts';

export interface Adapter {
  telephony: Telephony & { registrar: SoftphoneRegistrar };
  /** host:port at which it accepts calls after its start. */
  address(): string;
  /** Its audio goes through a media server: peers see that server's ports, not ours. */
  isRelayed?: boolean;
}

type AdapterFactory = () => Promise<Adapter>;

interface Scene {
  adapter: Adapter;
  far: Harness;
  legs: RecordedLeg<InboundLeg>[];
  /** Calls the adapter from the far side. */
  callIn(more?: Partial<DialRequest>): RecordedLeg<ReturnType<Telephony['dial']>>;
  /** Calls the far side from the adapter. */
  callOut(more?: Partial<DialRequest>): RecordedLeg<ReturnType<Telephony['dial']>>;
}

const nearAudio = { address: '127.0.0.1', port: 42_000 };
const farAudio = { address: '127.0.0.1', port: 43_000 };

function answer(leg: InboundLeg) {
  return leg.answer(nearAudio);
}

function types(leg: { events: readonly { type: string }[] }) {
  return leg.events.map(({ type }) => type).filter((type) => type !== 'dialog-stored');
}

/** Defines the tests of the contract for one adapter. */
export function telephonyContract(name: string, make: AdapterFactory): void {
  const scene = (
    title: string,
    near: (leg: InboundLeg) => void,
    far: (leg: InboundLeg) => void,
    run: (scene: Scene) => Promise<void>,
  ) =>
    test(`${name}: ${title}`, { timeout: 30_000 }, async () => {
      const adapter = await make();
      const legs: RecordedLeg<InboundLeg>[] = [];
      adapter.telephony.onInvite((leg) => {
        legs.push(recordLeg(leg));
        near(leg);
      });
      const peer = await startHarness(far);
      const request = (to: string, audio: DialRequest['audio']): DialRequest => ({
        trunkIds: [],
        to,
        from: '+15550001111',
        fromName: 'Ann',
        audio,
        ringTimeoutMs: 15_000,
      });
      try {
        await run({
          adapter,
          far: peer,
          legs,
          callIn: (more = {}) =>
            recordLeg(peer.telephony.dial({ ...request(`sip:demo@${adapter.address()}`, farAudio), ...more })),
          callOut: (more = {}) =>
            recordLeg(adapter.telephony.dial({ ...request(`sip:far@127.0.0.1:${peer.port}`, nearAudio), ...more })),
        });
      } finally {
        await peer.telephony.stop();
        await adapter.telephony.stop();
      }
    });
  const nobody = () => {};

  scene('an inbound leg says who is called and who calls, answers, and ends once', answer, nobody, async (it) => {
    const caller = it.callIn();
    const { audio } = await caller.next('answered');
    assert.deepEqual([audio.codec, audio.direction], ['PCMU', 'sendrecv']);
    if (!it.adapter.isRelayed) assert.equal(audio.remotePort, nearAudio.port);
    const [leg] = it.legs;
    assert.ok(leg);
    assert.equal(leg.leg.direction, 'inbound');
    assert.equal(leg.leg.called, 'demo');
    assert.deepEqual(leg.leg.caller, { number: '+15550001111', name: 'Ann' });
    const near = await leg.next('answered');
    if (!it.adapter.isRelayed) assert.equal(near.audio.remotePort, farAudio.port);
    caller.leg.hangUp();
    assert.equal((await leg.next('ended')).end.by, 'remote');
    leg.leg.hangUp();
    leg.leg.hangUp();
    assert.deepEqual(types(leg), ['answered', 'ended']);
  });

  scene(
    'ringing is heard, and the caller who gives up ends the leg',
    (leg) => leg.ring(),
    nobody,
    async (it) => {
      const caller = it.callIn();
      assert.equal((await caller.next('ringing')).status, 180);
      caller.leg.hangUp();
      const { end } = await (it.legs[0] ?? assert.fail()).next('ended');
      assert.deepEqual([end.by, end.sipStatus], ['remote', 487]);
    },
  );

  scene(
    'early media goes out with 183',
    (leg) => leg.ring(nearAudio),
    nobody,
    async (it) => {
      const { status, earlyAudio } = await it.callIn().next('ringing');
      assert.equal(status, 183);
      assert.notEqual(earlyAudio, null);
      if (!it.adapter.isRelayed) assert.equal(earlyAudio?.remotePort, nearAudio.port);
    },
  );

  scene(
    'a rejection reaches the caller as the status that was given',
    (leg) => leg.reject(486),
    nobody,
    async (it) => {
      const { end } = await it.callIn().next('ended');
      assert.deepEqual([end.by, end.sipStatus, end.rang], ['remote', 486, false]);
      assert.equal((await (it.legs[0] ?? assert.fail()).next('ended')).end.by, 'local');
    },
  );

  scene('events that come before the listener are kept for it', answer, nobody, async (it) => {
    const late: InboundLeg[] = [];
    it.adapter.telephony.onInvite((leg) => {
      late.push(leg);
      leg.answer(nearAudio);
    });
    await it.callIn().next('answered');
    // The near side's audio waits for the ACK. Once a call that came later has got its own, the first has had it, too.
    await it.callIn().next('answered');
    await recordLeg(late[1] ?? assert.fail()).next('answered');
    const leg = recordLeg(late[0] ?? assert.fail());
    assert.ok(types(leg).includes('answered'));
  });

  scene('no admission: 503, and no leg', answer, nobody, async (it) => {
    it.adapter.telephony.setAdmission(() => 'capacity');
    assert.equal((await it.callIn().next('ended')).end.sipStatus, 503);
    assert.equal(it.legs.length, 0);
  });

  scene('draining: new calls 503, running ones go on', answer, nobody, async (it) => {
    const running = it.callIn();
    await running.next('answered');
    it.adapter.telephony.drain();
    assert.equal((await it.callIn().next('ended')).end.sipStatus, 503);
    assert.deepEqual(types(running), ['answered']);
  });

  const farAnswers = (leg: InboundLeg) => {
    leg.ring();
    leg.answer(farAudio);
  };

  scene(
    'an outbound leg rings, is answered, and ends once; its dialog was durable first',
    nobody,
    farAnswers,
    async (it) => {
      const stored: Array<[StoredDialog['state'], number]> = [];
      const leg = it.callOut({
        beforeInvite: async ({ state }) => {
          stored.push([state, it.far.legs.length]);
        },
      });
      await leg.next('answered');
      assert.deepEqual(stored, [['inviting', 0]]);
      assert.ok(leg.events.some((event) => event.type === 'dialog-stored' && event.dialog.state === 'confirmed'));
      leg.leg.hangUp();
      assert.equal((await (it.far.legs[0] ?? assert.fail()).next('ended')).end.by, 'remote');
      assert.deepEqual(types(leg), ['ringing', 'answered', 'ended']);
    },
  );

  scene('a dialog that cannot be stored is not dialled', nobody, farAnswers, async (it) => {
    const leg = it.callOut({ beforeInvite: () => Promise.reject(new Error('disk full')) });
    assert.equal((await leg.next('ended')).end.by, 'network');
    assert.equal(it.far.legs.length, 0);
  });

  scene(
    'busy, and the ring time-out',
    nobody,
    (leg) => (leg.called === 'busy' ? leg.reject(486) : leg.ring()),
    async (it) => {
      const busy = await it.callOut({ to: `sip:busy@127.0.0.1:${it.far.port}` }).next('ended');
      assert.deepEqual([busy.end.by, busy.end.sipStatus], ['remote', 486]);
      const silent = await it.callOut({ ringTimeoutMs: 1_000 }).next('ended');
      assert.deepEqual([silent.end.by, silent.end.rang], ['local', true]);
      assert.equal((await (it.far.legs.at(-1) ?? assert.fail()).next('ended')).end.sipStatus, 487);
    },
  );

  scene('digits by INFO arrive in their order', nobody, farAnswers, async (it) => {
    const leg = it.callOut();
    await leg.next('answered');
    const far = it.far.legs[0] ?? assert.fail();
    await far.next('answered');
    leg.leg.sendInfoDigits('12#');
    const digits = () => far.events.flatMap((event) => (event.type === 'digit' ? [event.digit] : []));
    while (digits().length < 3) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(digits(), ['1', '2', '#']);
  });

  scene('a stored dialog is ended without the leg that made it', nobody, farAnswers, async (it) => {
    const leg = it.callOut();
    await leg.next('answered');
    const far = it.far.legs[0] ?? assert.fail();
    await far.next('answered');
    const stored = leg.events.flatMap((event) => (event.type === 'dialog-stored' ? [event.dialog] : [])).at(-1);
    await it.adapter.telephony.endStored(stored ?? assert.fail());
    assert.equal((await far.next('ended')).end.by, 'remote');
  });

  scene('who answers SIP is reached, and nobody is not', nobody, nobody, async (it) => {
    assert.equal(await it.adapter.telephony.reaches(`sip:127.0.0.1:${it.far.port}`, 1_000), true);
    assert.equal(await it.adapter.telephony.reaches('sip:127.0.0.1:9', 1_000), false);
  });

  scene(
    'dialling without a trunk, by an unknown one, or to nonsense is an error with a code',
    nobody,
    nobody,
    async (it) => {
      assert.throws(() => it.callOut({ to: '+15551112222' }), { code: 'NO_TRUNK' });
      assert.throws(() => it.callOut({ to: '+15551112222', trunkIds: ['none'] }), { code: 'TRUNK_UNKNOWN' });
      assert.throws(() => it.callOut({ to: 'nonsense', trunkIds: ['none'] }), { code: 'BAD_TARGET' });
    },
  );

  scene('a trunk registers and is up; a call over it proves the password', nobody, farAnswers, async (it) => {
    const account = { id: 'sip_1', accountId: 'acc_1', username: 'ann', displayName: null, password: 'secret-1' };
    it.far.telephony.registrar.setSipAccounts([account]);
    const states: TrunkState[] = [];
    it.adapter.telephony.onTrunkState((state) => states.push(state));
    const trunk = trunkConfig('trunk', '127.0.0.1', { port: it.far.port, register: true, username: 'ann' });
    it.adapter.telephony.setTrunks([{ ...trunk, password: 'secret-1', callerIdHeader: 'pai' }]);
    const isReady = (state: TrunkState | undefined) =>
      state?.registration.state === 'registered' && state.health.state === 'up';
    await eventually(() => isReady(states.at(-1)));
    const leg = it.callOut({ to: '+15551112222', trunkIds: ['trunk'] });
    await leg.next('answered');
    const far = it.far.legs[0]?.leg;
    assert.deepEqual([far?.sipAccountId, far?.called], ['sip_1', '+15551112222']);
    leg.leg.hangUp();
  });

  scene('a trunk with a wrong password is not registered, and says so', nobody, farAnswers, async (it) => {
    const account = { id: 'sip_1', accountId: 'acc_1', username: 'ann', displayName: null, password: 'secret-1' };
    it.far.telephony.registrar.setSipAccounts([account]);
    const states: TrunkState[] = [];
    it.adapter.telephony.onTrunkState((state) => states.push(state));
    const trunk = trunkConfig('trunk', '127.0.0.1', { port: it.far.port, register: true, username: 'ann' });
    it.adapter.telephony.setTrunks([{ ...trunk, password: 'wrong' }]);
    await eventually(() => states.at(-1)?.registration.state === 'failed');
    assert.match(states.at(-1)?.lastError ?? '', /registration/);
  });

  const phone = (it: Scene, password: string) =>
    trunkConfig('line', '127.0.0.1', {
      ...{ port: Number(it.adapter.address().split(':')[1]), register: true, username: 'ann', password },
      callerIdHeader: 'pai',
    });
  const account = { id: 'sip_1', accountId: 'acc_1', username: 'ann', displayName: 'Ann Lee', password: 'secret-1' };

  scene('a softphone registers, is called, calls as its account, and leaves', answer, farAnswers, async (it) => {
    const { telephony } = it.adapter;
    const bindings: Array<SipBinding | null> = [];
    telephony.registrar.onBinding((_, binding) => bindings.push(binding));
    telephony.registrar.setSipAccounts([account]);
    assert.throws(() => it.callOut({ to: 'sip:ann', accountId: 'acc_1' }), { code: 'NOT_REGISTERED' });
    it.far.telephony.setTrunks([phone(it, 'secret-1')]);
    await eventually(() => bindings.length > 0);
    assert.deepEqual([bindings[0]?.port, bindings[0]?.transport], [it.far.port, 'udp']);
    const called = it.callOut({ to: 'sip:ann', accountId: 'acc_1' });
    await called.next('answered');
    called.leg.hangUp();
    assert.equal((await (it.far.legs[0] ?? assert.fail()).next('ended')).end.by, 'remote');
    assert.throws(() => it.callOut({ to: 'sip:ann', accountId: 'acc_2' }), { code: 'BAD_TARGET' });
    const calling = it.callIn({ to: '+15551112222', trunkIds: ['line'] });
    await calling.next('answered');
    const { leg } = it.legs[0] ?? assert.fail();
    assert.deepEqual([leg.sipAccountId, leg.caller], ['sip_1', { number: 'ann', name: 'Ann Lee' }]);
    leg.hangUp();
    await calling.next('ended');
    it.far.telephony.setTrunks([]);
    await eventually(() => bindings.at(-1) === null);
  });

  scene('a softphone with a wrong password is not registered', answer, nobody, async (it) => {
    const states: TrunkState[] = [];
    it.far.telephony.onTrunkState((state) => states.push(state));
    it.adapter.telephony.registrar.setSipAccounts([account]);
    it.far.telephony.setTrunks([phone(it, 'wrong')]);
    await eventually(() => states.at(-1)?.registration.state === 'failed');
    assert.throws(() => it.callOut({ to: 'sip:ann', accountId: 'acc_1' }), { code: 'NOT_REGISTERED' });
  });

  scene('a transfer that the peer refuses is reported with its status', answer, nobody, async (it) => {
    const caller = it.callIn();
    await caller.next('answered');
    const leg = it.legs[0] ?? assert.fail();
    await leg.next('answered');
    leg.leg.refer('+15553334444');
    const progress = await leg.next('refer-progress');
    assert.equal(progress.status, 603);
    assert.ok(!types(caller).includes('ended'), 'the call goes on');
  });

  scene('twenty calls at once, each its own', answer, nobody, async (it) => {
    const callers = Array.from({ length: 20 }, () => it.callIn());
    await Promise.all(callers.map((caller) => caller.next('answered')));
    assert.equal(it.legs.length, 20);
    assert.equal(new Set(it.legs.map(({ leg }) => leg.sipCallId)).size, 20);
    for (const caller of callers) caller.leg.hangUp();
    await Promise.all(it.legs.map((leg) => leg.next('ended')));
  });
}
