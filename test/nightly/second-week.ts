// The second week of an operator, played against services as their users start them: models that are slow, dead or
// refuse, mistakes in the environment, a copied installation, webhooks, other languages and engines, transfers, and a
// restart under calls. Prints what it saw; not part of `npm test`.
//
//   node supervise.mjs run test/nightly/second-week.ts [PART]
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generate } from 'otplib';
import type { Call } from '../../api/dashboard/app/api-types.ts';
import { Caller, INSTANT, pause, withService } from '../../bench/rig/conversation/scenario.ts';
import { SpeechServer } from '../../bench/rig/fakes/speech-server.ts';
import { addCampaign, addTrunk } from '../../bench/rig/service/outbound-setup.ts';
import { startReceiver, TEST_AUTHORITY } from '../../bench/rig/service/receiver.ts';
import { Rest, saidBy } from '../../bench/rig/service/rest.ts';
import { ADMIN, freshEnvironment, startService } from '../../bench/rig/service/service.ts';
import { readNumber } from '../../db/domain/numbers/phone.ts';
import { Phone, rings } from '../../engine/test-runs/caller/phone/phone.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { greeted } from '../support/conversation.ts';
import { type FakeAnswer, FakeOpenAi } from '../support/models/fake-openai.ts';
import { askForPerson, transferToPerson, withPerson } from '../support/sip/transfers.ts';
import { expect, runTrial, saw, type TrialPart } from './trial.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const QUESTION = 'What are your opening hours?';

/** Calls, asks the question, listens until the agent has been quiet for a while. */
async function ask(service: Parameters<typeof greeted>[0], quietMs = 6_000): Promise<{ call: Call; firstMs: number }> {
  const { caller, number } = await greeted(service);
  const sentAt = await caller.call.speak(await renderSpeech(QUESTION, 'flite-slt'));
  const firstMs = Math.round((await caller.agentSound(sentAt + 200)) - sentAt);
  await caller.agentQuiet(quietMs);
  await caller.hangUp();
  return { call: await new Rest(service).endedCall(number), firstMs };
}

const told = ({ outcome, fallbacks, waits, latency }: Call): string =>
  JSON.stringify({ outcome, fallbacks, waits, p50Ms: latency?.p50Ms ?? null });

async function slowModel(): Promise<void> {
  for (const seconds of [1, 3, 5, 7, 9]) {
    const answer: FakeAnswer = { type: 'text', pieces: ['We open at nine.'], afterMs: seconds * 1_000 };
    const model = await FakeOpenAi.start([answer]);
    await withService({ LLM: 'openai', OPENAI_BASE_URL: model.baseUrl, MAX_CALLS: '10' }, async (service) => {
      const { call, firstMs } = await ask(service, 9_000);
      const said = saidBy(call, 'agent').slice(1).join(' | ');
      saw(`first word after ${seconds} s: something heard after ${firstMs} ms; "${said}"; ${told(call)}`);
      expect(firstMs <= 2_500, `nothing heard for ${firstMs} ms`);
      expect(seconds > 8 || /We open at nine/.test(said), 'an answer within 8 s was thrown away');
    });
    await model.stop();
  }
}

async function deadModel(): Promise<void> {
  const refusals: Record<string, FakeAnswer> = {
    'refuses connections': { type: 'reset' },
    'answers 500': { type: 'status', status: 500 },
    'answers 429 twice': { type: 'status', status: 429, headers: { 'retry-after': '1' } },
  };
  for (const [name, answer] of Object.entries(refusals)) {
    const model = await FakeOpenAi.start([answer]);
    await withService({ LLM: 'openai', OPENAI_BASE_URL: model.baseUrl, MAX_CALLS: '10' }, async (service) => {
      const { call } = await ask(service);
      const said = saidBy(call, 'agent').slice(1).join(' | ');
      saw(`a model that ${name}: "${said}"; ${told(call)}`);
      expect(/open/.test(said), 'the receptionist did not answer');
      const { body } = await new Rest(service).request('GET', '/admin/status');
      saw(`status: ${JSON.stringify(body.data).slice(0, 400)}`);
    });
    await model.stop();
  }
}

async function mistakes(): Promise<void> {
  const tries: Array<[Record<string, string>, RegExp]> = [
    [{ OPENAI_APIKEY: 'x' }, /OPENAI_API_KEY/],
    [{ STT_URL: 'http://127.0.0.1:1' }, /STT_BASE_URL/],
    [{ LLM_FALLBACK_BASE_URL: 'http://127.0.0.1:1' }, /LLM_FALLBACK_\*/],
    [{ DATA_DIR: '/proc/nope' }, /DATA_DIR/],
    [{ LLM: 'gpt4' }, /LLM/],
    [{ SIP_PORT: 'abc' }, /SIP_PORT/],
  ];
  for (const [environment, names] of tries) {
    const dataDir = mkdtempSync(join(tmpdir(), 'voice-'));
    const line = await firstLine({ ...freshEnvironment(dataDir), ...environment }, names);
    saw(`${JSON.stringify(environment)}: ${line?.slice(0, 220) ?? 'not a word'}`);
    rmSync(dataDir, { recursive: true, force: true });
    expect(line !== undefined, `${JSON.stringify(environment)} is silent`);
  }
}

/** The first line of a starting service's output that matches; undefined where none comes within a minute. */
async function firstLine(environment: Record<string, string>, names: RegExp): Promise<string | undefined> {
  const child = spawn(process.execPath, ['supervise.mjs', 'start'], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
  });
  const ended = once(child, 'exit');
  let output = '';
  const found = () => output.split('\n').find((line) => names.test(line));
  const matched = new Promise<void>((resolve) => {
    const read = (data: Buffer): void => {
      output += data.toString();
      if (found() !== undefined) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
  });
  await Promise.race([matched, ended, pause(60_000)]);
  child.kill();
  await ended;
  return found();
}

/** A team with two factors moves to another machine. */
async function copiedInstallation(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'voice-copy-'));
  const archive = join(folder, 'backup.tar.gz');
  let secret = '';
  const admin = (dataDir: string, ...args: string[]) =>
    execFileSync(process.execPath, ['supervise.mjs', 'run', 'api/admin-cli/main.ts', ...args], {
      cwd: ROOT,
      env: { ...process.env, DATA_DIR: dataDir },
    });
  try {
    await withService(INSTANT, async (service) => {
      await ask(service, 1_000);
      const rest = new Rest(service);
      secret = (await rest.must('POST', '/auth/2fa/setup')).secret;
      await rest.must('POST', '/auth/2fa/enable', { code: await generate({ secret }) });
      admin(service.dataDir, 'backup', archive, '--recordings');
    });
    const restored = join(folder, 'data');
    admin(restored, 'restore', archive);
    const copy = await startService(INSTANT, restored);
    try {
      const post = async (path: string, body: unknown) =>
        (await (
          await fetch(`${copy.apiUrl}/api/v1${path}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
        ).json()) as { data?: { pendingToken?: string; token?: string }; error?: string };
      const first = await post('/auth/login', ADMIN);
      saw(`sign-in on the copy asks for the second factor: ${first.data?.pendingToken !== undefined}`);
      // A code counts once, also on the copy: the next step's is taken.
      await pause(31_000);
      const code = await generate({ secret });
      const second = await post('/auth/verify-2fa', { pendingToken: first.data?.pendingToken, code });
      expect(second.data?.token !== undefined, `the second factor was refused: ${second.error}`);
      const rest = new Rest({ apiUrl: copy.apiUrl, login: async () => second.data?.token ?? '' });
      const calls = await rest.must('GET', '/calls');
      saw(`${calls.length} call there, its recording ${(await rest.bytes(`/calls/${calls[0]?.id}/audio`)).status}`);
      expect(calls.length === 1, 'the call is not there');
    } finally {
      await copy.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function webhooks(): Promise<void> {
  const receiver = await startReceiver();
  const environment = { ...INSTANT, WEBHOOK_ALLOW_PRIVATE: '1', NODE_EXTRA_CA_CERTS: TEST_AUTHORITY };
  try {
    await withService(environment, async (service) => {
      const rest = new Rest(service);
      const hook = await rest.must('POST', '/webhooks', { url: receiver.url('/hook'), events: ['call.ended'] });
      await ask(service, 1_000);
      await receiver.until(() => receiver.at('/hook').length === 1);
      const sent = receiver.at('/hook')[0];
      saw(`delivered ${sent?.type}, ${Date.now() - Date.parse(sent?.createdAt ?? '')} ms ago`);
      const list = () => rest.must('GET', `/webhooks/${hook.id}/deliveries`);
      const [delivery] = await rest.eventually('the delivery is listed', async () => {
        const found = await list();
        return found.length > 0 && found;
      });
      await rest.must('POST', `/webhooks/${hook.id}/deliveries/${delivery?.id}/replay`);
      await receiver.until(() => receiver.at('/hook').length === 2);
      const [one, two] = receiver.at('/hook');
      expect(one?.body === two?.body, 'a replay sends other bytes');
      saw('replayed, the same bytes');
    });
  } finally {
    await receiver.close();
  }
}

async function engineByUrl(): Promise<void> {
  const server = await new SpeechServer({ apiKey: 'k', text: 'Wann haben Sie geöffnet?' }).start();
  const speech = { STT: 'openai', STT_BASE_URL: `${server.origin}/v1`, STT_API_KEY: 'k' };
  const voice = { TTS: 'openai', TTS_BASE_URL: `${server.origin}/v1`, TTS_API_KEY: 'k' };
  try {
    await withService({ ...speech, ...voice, MAX_CALLS: '10' }, async (service) => {
      const rest = new Rest(service);
      const [agent] = await rest.must('GET', '/agents');
      await rest.must('PATCH', `/agents/${agent?.id}`, { language: 'de-DE' });
      const { call, firstMs } = await ask(service, 2_000);
      saw(`a German agent by URL: "${saidBy(call, 'caller').join(' | ')}" was heard, answered after ${firstMs} ms:`);
      saw(`"${saidBy(call, 'agent').join(' | ')}"`);
      expect(/geöffnet|Öffnungszeiten|Uhr/.test(saidBy(call, 'agent').slice(1).join(' ')), 'no German answer');
    });
  } finally {
    await server.stop();
  }
}

async function transfers(): Promise<void> {
  await withService({ MAX_CALLS: '10', LLM: 'receptionist' }, async (service) => {
    const rest = new Rest(service);
    await transferToPerson(rest);
    const wish = await renderSpeech('Can I speak to a person please?', 'flite-slt');
    for (const pickup of ['answer', 'busy'] as const) {
      await withPerson(rest, pickup, async (person) => {
        const { caller, number } = await greeted(service);
        await askForPerson(rest, caller, number, wish);
        await rest.eventually('the person is called', async () => person.calls.length > 0);
        // The person hears first who is waiting.
        await pause(15_000);
        await caller.hangUp();
        const call = await rest.endedCall(number);
        saw(`the person's phone: ${pickup}; outcome ${call.outcome}; "${saidBy(call, 'agent').at(-1)}"`);
        expect((call.outcome === 'transferred') === (pickup === 'answer'), `outcome ${call.outcome}`);
      });
    }
  });
}

const FORMATS: ReadonlyArray<[country: string, written: string, e164: string]> = [
  ['US', '(212) 555-0123', '+12125550123'],
  ['GB', '020 7946 0958', '+442079460958'],
  ['DE', '030 / 90 18 20', '+4930901820'],
  ['FR', '01 42 68 53 00', '+33142685300'],
  ['IT', '06 6982', '+39066982'],
  ['ES', '91 123 45 67', '+34911234567'],
  ['AU', '(02) 9374 4000', '+61293744000'],
  ['IN', '098450 12345', '+919845012345'],
  ['BR', '(11) 96123-4567', '+5511961234567'],
  ['JP', '03-3224-5000', '+81332245000'],
];

async function phoneFormats(): Promise<void> {
  const trunk = await Phone.start({ script: rings });
  try {
    await withService(INSTANT, async (service) => {
      const rest = new Rest(service);
      const destinations = { countries: FORMATS.map(([country]) => country) };
      const trunkId = await addTrunk(rest, trunk.port, { destinations });
      const campaign = await addCampaign(rest, trunkId, '+12025550142');
      const path = `/campaigns/${campaign.id}/contacts`;
      for (const [country, written, e164] of FORMATS) {
        // As the dashboard reads a list whose country was chosen.
        const phoneNumber = readNumber(written, country);
        const { status, body } = await rest.request('POST', path, { contacts: [{ phoneNumber }] });
        saw(`${country} ${written}: ${phoneNumber}, ${status}`);
        expect(phoneNumber === e164 && status < 300, `${written} is not ${e164}: ${JSON.stringify(body)}`);
      }
      const contacts = await rest.must('GET', `/campaigns/${campaign.id}/contacts?limit=100`);
      expect(contacts.length === FORMATS.length, `${contacts.length} contacts`);
    });
  } finally {
    trunk.stop();
  }
}

/** The service is told to end in mid call, as by an upgrade; a new one takes its data folder. */
async function upgrade(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'voice-upgrade-'));
  try {
    const old = await startService({ ...INSTANT, DRAIN_SECONDS: '30' }, dataDir);
    const caller = new Caller(old.sipAddress, 1);
    await caller.answered();
    await caller.agentSound(0);
    const ended = old.stop();
    await pause(4_000);
    saw(`4 s after SIGTERM the call is ${caller.ended ? 'cut' : 'up'}`);
    expect(!caller.ended, 'the call was cut');
    await caller.hangUp();
    saw(`the old one ended with ${await ended}`);
    const next = await startService(INSTANT, dataDir);
    const [call] = await new Rest(next).must('GET', '/calls');
    saw(`the new one, ready after ${Math.round(next.readyMs)} ms, has the call: ${call?.status}, ${call?.endReason}`);
    expect(call?.status === 'COMPLETED', `the call is ${call?.status}`);
    await next.stop();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const parts: Array<TrialPart<null>> = [
  { name: 'slow-model', run: slowModel },
  { name: 'dead-model', run: deadModel },
  { name: 'mistakes', run: mistakes },
  { name: 'copied-installation', run: copiedInstallation },
  { name: 'webhooks', run: webhooks },
  { name: 'engine-by-url', run: engineByUrl },
  { name: 'transfers', run: transfers },
  { name: 'phone-formats', run: phoneFormats },
  { name: 'upgrade', run: upgrade },
];
process.exit((await runTrial(parts, null, process.argv[2])) === 0 ? 0 : 1);
