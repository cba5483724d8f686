// Peers that go dark at each step of a dialog, callers and callees side by side: all that is left to the service are
// its timers.
import { randomUUID } from 'node:crypto';
import type { Call } from '../../../api/dashboard/app/api-types.ts';
import { Phone, type Script } from '../../../engine/test-runs/caller/phone/phone.ts';
import type { PhoneCall } from '../../../engine/test-runs/caller/phone/phone-call.ts';
import { parseTarget } from '../../../engine/test-runs/caller/sip.ts';
import { renderSpeech } from '../../../engine/test-runs/caller/speech.ts';
import { pause } from '../conversation/scenario.ts';
import { addCampaign, addTrunk, type OutboundCampaign } from '../service/outbound-setup.ts';
import type { Fault } from './fault.ts';
import type { Scene } from './fault-run.ts';

/** Each caller takes its last step and goes dark. */
const CALLERS = {
  INVITE: (call) => call.goDark(),
  async CANCEL(call) {
    await call.got('1xx');
    call.hangUp();
    call.goDark();
  },
  '200 without ACK': (call) => call.goDarkAt('200'),
  async ACK(call) {
    await call.final();
    call.goDark();
  },
  async 're-INVITE'(call) {
    await call.final();
    await call.pause(500);
    call.reinvite();
    call.goDark();
  },
  async BYE(call) {
    await call.final();
    await call.pause(500);
    call.hangUp();
    call.goDark();
  },
  'BYE of the other side': (call) => call.goDarkAt('BYE'),
  'refresh of the other side': (call) => call.goDarkAt('UPDATE', 'INVITE'),
} satisfies Record<string, Script>;
type CallerStep = keyof typeof CALLERS;

const answered = async (call: PhoneCall): Promise<void> => {
  call.ring();
  call.answer();
  await call.got('ACK');
};

const CALLEES = {
  INVITE: (call) => call.goDark(),
  '100'(call) {
    call.ring(100);
    call.goDark();
  },
  '180'(call) {
    call.ring();
    call.goDark();
  },
  '183'(call) {
    call.ring(183);
    call.goDark();
  },
  '200'(call) {
    call.ring();
    call.answer();
    call.goDark();
  },
  async ACK(call) {
    await answered(call);
    call.goDark();
  },
  async 're-INVITE'(call) {
    await answered(call);
    await call.pause(500);
    call.reinvite();
    call.goDark();
  },
  async BYE(call) {
    await answered(call);
    await call.pause(500);
    call.hangUp();
    call.goDark();
  },
  'BYE of the other side'(call) {
    call.goDarkAt('BYE');
    void answered(call);
  },
  'CANCEL of the other side'(call) {
    call.goDarkAt('CANCEL');
    call.ring();
  },
} satisfies Record<string, Script>;
type CalleeStep = keyof typeof CALLEES;

const CALLEE_STEPS = Object.keys(CALLEES) as CalleeStep[];
const isOfCaller = (step: string): step is CallerStep => step in CALLERS;

/** 6 s, in samples: an agent hangs up on a silent caller. */
const SPEAKS_EVERY_SAMPLES = 48_000;

const callerOf = (index: number): string => `+1555028${1000 + index}`;
const calleeOf = (index: number): string => `+1202557${1000 + index}`;

/** The refresh comes at half of the shortest session timer, after 45 s. */
const SLOW_STEP: CallerStep = 'refresh of the other side';

async function eventually<T>(what: string, withinMs: number, pick: () => Promise<T | null>): Promise<T> {
  const until = performance.now() + withinMs;
  for (;;) {
    const found = await pick();
    if (found !== null) return found;
    if (performance.now() > until) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
    await pause(200);
  }
}

const readCall = ({ client }: Scene, id: string): Promise<Call> => client.must('GET', `/calls/${id}`);

/** The call from a number, once it is there. The load fills a page of 100 in a minute or so. */
const callFrom = ({ client }: Scene, number: string): Promise<Call> =>
  eventually(`a call from ${number}`, 10_000, async () => {
    const calls = await client.must('GET', '/calls?limit=100');
    return calls.find(({ fromNumber }) => fromNumber === number) ?? null;
  });

/** The other side may end the call now: it is acknowledged, or ringing if the peer only rings. */
const isReady = (call: PhoneCall | undefined): boolean =>
  call !== undefined && (call.state === 'ringing' || call.isAcknowledged);

/** Beside the load of a busy machine the API may ask a client to come back, who then does. */
async function placed({ client }: Scene, body: object): Promise<string> {
  const key = { 'Idempotency-Key': randomUUID() };
  const { id } = await eventually('a call is accepted', 30_000, () =>
    client.must('POST', '/calls', body, key).catch((error) => {
      if ((error as { status?: number }).status === 503) return null;
      throw error;
    }),
  );
  return id;
}

async function placeOutbound(scene: Scene, campaign: OutboundCampaign, callees: Phone): Promise<string[]> {
  const { client } = scene;
  return Promise.all(
    CALLEE_STEPS.map(async (step, index) => {
      const body = { campaignId: campaign.id, fromPhoneNumberId: campaign.numberId, toNumber: calleeOf(index) };
      const id = await placed(scene, body);
      if (step.endsWith('of the other side')) {
        await eventually(`${step}: the call is up`, 10_000, async () =>
          isReady(callees.callTo(calleeOf(index))) ? true : null,
        );
        await pause(300);
        await client.must('POST', `/calls/${id}/end`);
      }
      return id;
    }),
  );
}

interface DarkCaller {
  step: CallerStep;
  number: string;
  phone: Phone;
}

async function placeInbound(scene: Scene, callers: readonly DarkCaller[]): Promise<string[]> {
  const target = parseTarget(`sip:demo@${scene.sipAddress}`);
  return Promise.all(
    callers.map(async ({ step, number, phone }) => {
      phone.place({ target, from: number }, CALLERS[step]);
      const { id } = await callFrom(scene, number);
      if (step === 'BYE of the other side') {
        await eventually('the call is up', 10_000, async () =>
          (await readCall(scene, id)).status === 'IN_PROGRESS' ? true : null,
        );
        await scene.client.must('POST', `/calls/${id}/end`);
      }
      return id;
    }),
  );
}

async function goDark(
  scene: Scene,
  steps: readonly CallerStep[],
  { callees, campaign }: { callees: Phone; campaign: OutboundCampaign },
  forMs: number,
): Promise<void> {
  const voice = await renderSpeech('Are you open on Saturday?', 'flite-slt');
  const callers = await Promise.all(
    steps.map(async (step, index) => {
      const phone = await Phone.start({ talks: true });
      phone.audio.speak(voice, SPEAKS_EVERY_SAMPLES);
      return { step, number: callerOf(index), phone };
    }),
  );
  try {
    const ids = (await Promise.all([placeInbound(scene, callers), placeOutbound(scene, campaign, callees)])).flat();
    for (const id of ids) {
      await eventually(`the end of ${id}`, forMs, async () =>
        (await readCall(scene, id)).endedAt === null ? null : true,
      );
    }
    const isDark = (phone: Phone, number: string): boolean =>
      phone.calls.some((call) => call.isDark && [call.from, call.number].includes(number));
    const missed = [
      ...callers.filter(({ phone, number }) => !isDark(phone, number)).map(({ step }) => `caller at ${step}`),
      ...CALLEE_STEPS.filter((_, index) => !isDark(callees, calleeOf(index))).map((step) => `callee at ${step}`),
    ];
    if (missed.length > 0) throw new Error(`did not get as far as going dark: ${missed.join(', ')}`);
  } finally {
    for (const { phone } of callers) phone.stop();
  }
}

function darkFault(name: string, skipped: readonly CallerStep[]): Fault {
  const steps = Object.keys(CALLERS)
    .filter(isOfCaller)
    .filter((step) => !skipped.includes(step));
  return {
    name,
    // Until the last call has ended: 45 s of ringing, or 32 s of timer H or B after 20 s without audio.
    shortMs: 90_000,
    longMs: 180_000,
    obstacle: () => null,
    prepare: () => {
      let callees: Phone | null = null;
      let campaign: OutboundCampaign | null = null;
      return {
        async calm({ client }) {
          callees = await Phone.start({
            script: (call) => CALLEES[CALLEE_STEPS[Number(call.number.slice(-4)) - 1000] ?? 'INVITE'](call),
          });
          const trunkId = await addTrunk(client, callees.port, { maxConcurrentCalls: 50, callsPerSecond: 50 });
          campaign = await addCampaign(client, trunkId, '+12025550143');
        },
        async strike(scene, forMs) {
          if (callees === null || campaign === null) throw new Error('there are no callees');
          await goDark(scene, steps, { callees, campaign }, forMs);
        },
        release: () => callees?.stop(),
      };
    },
  };
}

/** Without the steps that take minutes. */
export const DARK_SHORT = darkFault('peers go dark', [SLOW_STEP]);
export const DARK_LONG = darkFault('peers go dark', []);
