// A service under attack, and everybody else beside it: callers in mid conversation, others who call again and again,
// an ADMIN who signs in, and a monitor that asks `/healthz`.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Phone, rings } from '../../../engine/test-runs/caller/phone/phone.ts';
import { Caller, INSTANT, pause, withService } from '../conversation/scenario.ts';
import type { HealthProbe } from '../faults/health-probe.ts';
import { usageOfTree } from '../measure/process-usage.ts';
import { reservePort } from '../network/reserved-port.ts';
import { type PhoneFigures, Phones } from '../phone/phones.ts';
import { addTrunk } from '../service/outbound-setup.ts';
import { Rest } from '../service/rest.ts';
import { ADMIN, type Service } from '../service/service.ts';
import { type Attack, type Gain, must, type Target, type Tenant } from './attack.ts';

/**
 * None that the system gives to a socket which asks for any port: what is sent to all of them meets RTP only. Two
 * services that are besieged at once need two ranges.
 */
const RTP_PORTS = { min: 31_000, max: 31_198 };
const V1 = '/api/v1';
const PASSWORD = 'correct horse battery staple';

export interface Siege {
  service: Service;
  target: Target;
  /** Callers that talk all the time; null where none were wanted. */
  talkers: Phones | null;
}

interface SiegeOptions {
  models: 'instant' | 'built-in';
  /** Calls in mid conversation, whose audio is measured by callers written in C. */
  talkers: number;
  rtpPorts?: Target['rtpPorts'];
}

/** The effects that everybody else noticed. */
interface Others {
  /** From INVITE to 200. */
  answersMs: number[];
  failedCalls: string[];
  healthMs: number[];
  signIns: { tried: number; refused: number };
  talkers: PhoneFigures | null;
  /** How much the service's processes grew. */
  grownMb: number;
}

export interface Outcome extends Others {
  attack: string;
  gain: Gain;
}

/** A service as its users start it, with a trunk, a softphone, and an account that somebody registered. */
export async function withSiege<T>(options: SiegeOptions, run: (siege: Siege) => Promise<T>): Promise<T> {
  const mediaPort = await reservePort();
  const rtpPorts = options.rtpPorts ?? RTP_PORTS;
  const trunk = await Phone.start({ script: rings });
  const environment = {
    ...(options.models === 'instant' ? INSTANT : {}),
    MAX_CALLS: '60',
    MEDIA_WS_PORT: String(mediaPort),
    RTP_PORT_MIN: String(rtpPorts.min),
    RTP_PORT_MAX: String(rtpPorts.max),
    RATE_LIMIT_PER_MINUTE: '600',
    SIP_INBOUND_ALLOW: '127.0.0.1/32',
    // Servers that tenants let the service ask stand on this machine.
    WEBHOOK_ALLOW_PRIVATE: '1',
  };
  try {
    return await withService(environment, async (service) => {
      // The dashboard is bundled, and every first time is over.
      await pause(5_000);
      const target = await prepare(service, trunk.port, mediaPort, rtpPorts);
      const talkers =
        options.talkers > 0
          ? await Phones.start({ sipAddress: service.sipAddress, sentences: ['What are your opening hours?'] })
          : null;
      try {
        await talkers?.begin(options.talkers, 200);
        if (talkers) await pause(5_000);
        return await run({ service, target, talkers });
      } finally {
        await talkers?.stop();
      }
    });
  } finally {
    trunk.stop();
  }
}

async function prepare(
  service: Service,
  trunkPort: number,
  mediaPort: number,
  rtpPorts: Target['rtpPorts'],
): Promise<Target> {
  const { apiUrl, sipAddress, dataDir } = service;
  const phone = { username: 'desk', password: '' };
  const nobody: Tenant = { token: '', campaignId: '', businessId: '', numberId: '', phoneNumber: '' };
  const target: Target = {
    apiUrl,
    sipAddress,
    dataDir,
    mediaPort,
    rtpPorts,
    phone,
    tenant: nobody,
    secondTenant: nobody,
    thirdTenant: nobody,
  };
  const admin = new Rest(service);
  const trunkId = await addTrunk(admin, trunkPort);
  // A search reserves what it offers, so each has an area code of its own.
  const tenants = { mallory: '+12025550142', trudy: '+14155550143', oscar: '+13125550144' };
  const numbers = Object.values(tenants).map((phoneNumber) => ({ phoneNumber, monthlyCost: 0 }));
  await admin.must('POST', '/admin/inventory', { numbers, trunkId });
  const made = await admin.must('POST', '/admin/sip-accounts', { username: phone.username, callsTo: 'demo' });
  phone.password = made.password;
  target.tenant = await registerTenant(target, 'mallory', tenants.mallory);
  target.secondTenant = await registerTenant(target, 'trudy', tenants.trudy);
  target.thirdTenant = await registerTenant(target, 'oscar', tenants.oscar);
  return target;
}

/** Registers a stranger by a mail address: a session, an agent, a business, a number, a campaign. */
async function registerTenant(target: Target, name: string, phoneNumber: string): Promise<Tenant> {
  const user = { email: `${name}@example.com`, password: PASSWORD };
  const post = <T>(path: string, body: unknown) => must<T>(target, { method: 'POST', path: V1 + path, body });
  await post('/auth/register', user);
  await post('/auth/verify-email', { token: await mailedToken(target.dataDir, user.email) });
  const { token } = await post<{ token: string }>('/auth/login', user);
  const rest = new Rest({ apiUrl: target.apiUrl, login: async () => token });
  const [voice] = await rest.must('GET', '/voices');
  const agent = await rest.must('POST', '/agents', { name, voiceId: voice?.id });
  const business = await rest.must('POST', '/businesses', {
    name: `${name} and daughters`,
    industry: 'salon',
    timezone: 'UTC',
  });
  await rest.must('GET', `/phone-numbers/search?areaCode=${phoneNumber.slice(2, 5)}`);
  const number = await rest.must('POST', '/phone-numbers/purchase', { phoneNumber });
  const campaign = await rest.must('POST', '/campaigns', {
    name: 'Siege',
    agentId: agent.id,
    businessId: business.id,
    phoneNumberIds: [number.id],
  });
  await rest.must('POST', `/campaigns/${campaign.id}/start`);
  return { token, campaignId: campaign.id, businessId: business.id, numberId: number.id, phoneNumber };
}

/** The link of the verification mail, which is a file where no mail server is set. */
async function mailedToken(dataDir: string, email: string): Promise<string> {
  for (let tries = 0; tries < 50; tries++) {
    const files = readdirSync(join(dataDir, 'outbox')).map((name) =>
      readFileSync(join(dataDir, 'outbox', name), 'utf8'),
    );
    const mail = files.find((text) => text.includes(email));
    const token = /\?token=(?:3D)?([\w-]+)/.exec(mail?.replaceAll('=\r\n', '') ?? '')?.[1];
    if (token) return token;
    await pause(100);
  }
  throw new Error(`no mail to ${email} in ${join(dataDir, 'outbox')}`);
}

export async function besiege(siege: Siege, attack: Attack, forMs: number): Promise<Outcome> {
  const untilMs = performance.now() + forMs;
  const [others, gain] = await Promise.all([watchOthers(siege, forMs), attack.strike(siege.target, untilMs)]);
  return { attack: attack.name, gain, ...others };
}

/** The same without an attack. */
export async function inPeace(siege: Siege, forMs: number): Promise<Outcome> {
  const others = await watchOthers(siege, forMs);
  return { attack: 'nobody', gain: { words: '', succeeded: false }, ...others };
}

async function watchOthers({ service, talkers }: Siege, forMs: number): Promise<Others> {
  const pid = service.process.pid ?? 0;
  const before = usageOfTree(pid)?.rssBytes ?? 0;
  await talkers?.figures();
  const workerData: HealthProbe = { url: `${service.apiUrl}/healthz`, forMs };
  const probe = new Worker(new URL('../faults/health-probe.ts', import.meta.url), { workerData });
  const probed = once(probe, 'message');
  const untilMs = performance.now() + forMs;
  const [calls, signIns] = await Promise.all([callRepeatedly(service, untilMs), signInRepeatedly(service, untilMs)]);
  const [healthMs] = (await probed) as [number[]];
  await probe.terminate();
  const figures = talkers === null ? null : await talkers.figures();
  const grownMb = Math.round(((usageOfTree(pid)?.rssBytes ?? 0) - before) / 1e6);
  return { ...calls, signIns, healthMs, talkers: figures, grownMb };
}

async function callRepeatedly(
  { sipAddress }: Service,
  untilMs: number,
): Promise<Pick<Others, 'answersMs' | 'failedCalls'>> {
  const answersMs: number[] = [];
  const failedCalls: string[] = [];
  for (let index = 0; performance.now() < untilMs; index++) {
    const caller = new Caller(sipAddress, index);
    const placedAt = performance.now();
    try {
      await caller.answered();
      answersMs.push(performance.now() - placedAt);
      await caller.agentSound(0);
      await pause(500);
    } catch (error) {
      failedCalls.push(error instanceof Error ? error.message : String(error));
    }
    await caller.hangUp();
  }
  return { answersMs, failedCalls };
}

async function signInRepeatedly({ apiUrl }: Service, untilMs: number): Promise<Others['signIns']> {
  const signIns = { tried: 0, refused: 0 };
  while (performance.now() < untilMs) {
    const response = await fetch(`${apiUrl}${V1}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ADMIN),
    }).catch(() => null);
    signIns.tried++;
    if (response?.status !== 200) signIns.refused++;
    await response?.arrayBuffer();
    await pause(500);
  }
  return signIns;
}
