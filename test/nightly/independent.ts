// The service against programs that others wrote, where they are installed: baresip as a softphone of the house,
// Kamailio as the registrar and proxy of a trunk. Prints what it saw; not part of `npm test`.
//
//   node supervise.mjs run test/nightly/independent.ts [PART]
import type { NewSipAccount } from '../../api/dashboard/app/api-types.ts';
import { skipWithoutKamailio, startKamailioWith } from '../../bench/rig/network/kamailio.ts';
import { Rest } from '../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../bench/rig/service/service.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { decodeWav } from '../../media/wav.ts';
import { greeted } from '../support/conversation.ts';
import { BaresipPhone, waitFor } from '../support/sip/baresip-phone.ts';
import { missingPeer } from '../support/sip/peers.ts';
import { frontConfiguration } from './kamailio-registrar.ts';
import { runTrial, saw, type TrialPart } from './trial.ts';

const DEMO_NUMBER = '+12025550100';
const CARRIER_NUMBER = '+12125550177';

interface House {
  service: Service;
  rest: Rest;
}

const parts: Array<TrialPart<House>> = [
  { name: 'baresip-udp', missing: missingPeer('baresip'), run: (house) => softphone(house, 'udp') },
  { name: 'baresip-tcp', missing: missingPeer('baresip'), run: (house) => softphone(house, 'tcp') },
  { name: 'baresip-transfer', missing: missingPeer('baresip'), run: transferred },
  { name: 'kamailio', missing: missingPeer('baresip') || skipWithoutKamailio, run: trunkBehindKamailio },
];

async function addPhone({ rest }: House, username: string): Promise<NewSipAccount> {
  const body = { username, displayName: `Phone ${username}`, callsTo: 'demo' };
  const { status, body: answer } = await rest.request('POST', '/admin/sip-accounts', body);
  if (status !== 201) throw new Error(JSON.stringify(answer));
  return answer.data;
}

async function isRegistered({ rest }: House, id: string): Promise<NewSipAccount['registration']> {
  return (await rest.request('GET', `/admin/sip-accounts/${id}`)).body.data.registration;
}

/** Seconds of sound in what a phone heard. */
function soundSeconds(wav: Buffer | undefined): number {
  if (wav === undefined) return 0;
  const {
    channelsSamples: [samples = new Int16Array(0)],
    sampleRateHz,
  } = decodeWav(wav);
  let loud = 0;
  for (const sample of samples) if (Math.abs(sample) > 300) loud++;
  return Math.round((loud / sampleRateHz) * 10) / 10;
}

async function softphone(house: House, transport: 'udp' | 'tcp'): Promise<void> {
  const { rest, service } = house;
  const username = `bare-${transport}`;
  const account = await addPhone(house, username);
  const phone = await BaresipPhone.start({
    address: `${username}@${service.sipAddress}`,
    transport,
    password: account.password,
  });
  try {
    await phone.event('REGISTER_OK');
    await waitFor('the registration is shown', async () => (await isRegistered(house, account.id)) !== null);
    saw(`registered: ${JSON.stringify(await isRegistered(house, account.id))}`);
    await phone.command('dial', `sip:anything@${service.sipAddress};transport=${transport}`);
    await phone.event('CALL_ESTABLISHED');
    await waitFor('the call is listed', async () => (await rest.callsFrom(username)).length > 0);
    const [call] = await rest.callsFrom(username);
    saw(`calls the demo: ${call?.direction} call from ${call?.fromNumber}`);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    for (const command of ['hold', 'resume']) {
      await phone.command(command);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    saw(`after hold and resume: ${(await phone.command('listcalls')).replace(/\s+/g, ' ').trim()}`);
    for (const digit of '12') await phone.command('sndcode', digit);
    const path = `/calls/${call?.id}/transcript`;
    const digits = async () => JSON.stringify((await rest.request('GET', path)).body.data).includes('"12"');
    const areHeard = await waitFor('the digits are in the transcript', digits, 10_000).then(
      () => true,
      () => false,
    );
    saw(`digits 12 ${areHeard ? 'are in the transcript' : 'are not in the transcript'}`);
    await phone.command('transfer', 'sip:elsewhere@127.0.0.1');
    const refused = await phone.event('TRANSFER_FAILED');
    saw(`REFER of the phone: ${refused.param}, and the call goes on`);
    await phone.command('hangup');
    const ended = await rest.endedCall(username);
    saw(`ended ${ended.status}, ${ended.endReason}, ${ended.durationSeconds} s`);
    await waitFor('the recording', () => soundSeconds(phone.heard()[0]) > 0);
    saw(`the phone heard ${soundSeconds(phone.heard()[0])} s of sound`);
  } finally {
    await phone.stop();
  }
  await waitFor('it unregisters', async () => (await isRegistered(house, account.id)) === null);
  saw('unregistered when it quit');
}

async function transferred(house: House): Promise<void> {
  const { rest, service } = house;
  const account = await addPhone(house, 'person');
  const phone = await BaresipPhone.start({
    address: `person@${service.sipAddress}`,
    password: account.password,
    answersItself: true,
  });
  try {
    await phone.event('REGISTER_OK');
    const businesses = await rest.request('GET', '/businesses');
    const path = `/businesses/${businesses.body.data[0]?.id}`;
    const changed = await rest.request('PATCH', path, { transferNumber: 'sip:person' });
    if (changed.status !== 200) throw new Error(JSON.stringify(changed.body));
    const wish = await renderSpeech('Can I speak to a person please?', 'flite-slt');
    const { caller, number } = await greeted(service);
    const isCalled = () => phone.events.some(({ type }) => type === 'CALL_ESTABLISHED');
    for (let attempt = 0; attempt < 3 && !isCalled(); attempt++) {
      await caller.call.speak(wish);
      await waitFor('the phone is called', isCalled, 15_000).catch(() => {});
    }
    const established = await phone.event('CALL_ESTABLISHED');
    saw(`the agent's transfer reached the phone: call from ${established.peeruri}`);
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    await phone.command('hangup');
    await caller.until('the call ends with the person', () => caller.ended, 20_000);
    const call = await rest.endedCall(number);
    saw(`the caller's call: ${call.status}, ${call.outcome}, ${call.endReason}`);
    await waitFor('the recording', () => soundSeconds(phone.heard()[0]) > 0);
    saw(`the phone heard ${soundSeconds(phone.heard()[0])} s of sound`);
    if (call.outcome !== 'transferred') throw new Error(`the outcome is ${call.outcome}`);
  } finally {
    await phone.stop();
  }
}

async function trunkBehindKamailio({ service, rest }: House): Promise<void> {
  const carrier = await BaresipPhone.start({ address: `${CARRIER_NUMBER}@127.0.0.1`, answersItself: true });
  const front = { username: 'voice', password: 'of-the-trunk', carrierPort: carrier.port };
  const proxy = await startKamailioWith(frontConfiguration(front));
  const added = await rest.request('POST', '/admin/trunks', {
    name: 'Kamailio',
    host: '127.0.0.1',
    port: proxy.port,
    username: front.username,
    password: front.password,
    register: true,
  });
  const path = `/admin/trunks/${added.body.data.id}` as const;
  try {
    const state = async () => (await rest.request('GET', path)).body.data;
    await waitFor('the trunk is registered', async () => (await state()).registration.state === 'registered');
    saw(
      `registered by digest: ${JSON.stringify(await state().then(({ registration, health }) => ({ registration, health })))}`,
    );

    const campaigns = await rest.request('GET', '/campaigns');
    const numbers = await rest.request('GET', '/phone-numbers');
    const placed = await rest.request('POST', '/calls', {
      campaignId: campaigns.body.data[0]?.id,
      fromPhoneNumberId: numbers.body.data[0]?.id,
      toNumber: CARRIER_NUMBER,
    });
    if (placed.status !== 201) throw new Error(JSON.stringify(placed.body));
    const out = await carrier.event('CALL_ESTABLISHED');
    saw(`outbound call by Kamailio: the far side sees ${out.peeruri}`);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    await carrier.command('hangup');
    const call = async () => (await rest.request('GET', `/calls/${placed.body.data.id}`)).body.data;
    await waitFor('the call ends', async () => (await call()).endedAt !== null);
    saw(`ended ${(await call()).status}, ${(await call()).endReason}`);

    const before = carrier.events.length;
    await carrier.command('dial', `sip:${DEMO_NUMBER}@127.0.0.1:${proxy.port}`);
    await carrier.event('CALL_ESTABLISHED', before);
    await waitFor('the call is listed', async () => (await rest.callsFrom(CARRIER_NUMBER)).length > 0);
    const [inbound] = await rest.callsFrom(CARRIER_NUMBER);
    saw(`inbound call over the registration: from ${inbound?.fromNumber}, ${inbound?.direction}`);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    await carrier.command('hangup');
    const ended = await rest.endedCall(CARRIER_NUMBER);
    saw(`ended ${ended.status}, ${ended.endReason}, ${ended.durationSeconds} s`);
    await waitFor('two recordings', () => carrier.heard().length === 2);
    saw(`the far side heard ${carrier.heard().map(soundSeconds).join(' s and ')} s of sound`);
  } finally {
    await rest.request('DELETE', path);
    await carrier.stop();
    await proxy.stop();
  }
  if (service.output().includes('"level":"error"')) saw('the service logged errors');
}

const service = await startService({ MAX_CALLS: '10', LLM: 'receptionist' });
const failed = await runTrial(parts, { service, rest: await new Rest(service).login() }, process.argv[2]);
await service.stop();
process.exit(failed === 0 ? 0 : 1);
