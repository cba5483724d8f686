// The commands that act on calls: place one, say something, put the caller through, end it, play the recording.
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Campaign, PhoneNumber } from '../../typescript/types.ts';
import { byName } from '../by-name.ts';
import type { Command, Run } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { follow } from './tail.ts';

export const call: Command = {
  name: 'call',
  about: 'Places a call to NUMBER, and shows its words until it ends. Exit code 1: nobody answered.',
  args: [{ name: 'NUMBER', about: 'whom to call, in E.164: +12025550143' }],
  options: {
    campaign: { value: 'NAME', about: 'whose agent speaks; needed where there are several' },
    from: { value: 'NUMBER', about: 'the number to call from; default: the first of the campaign' },
    set: { value: 'NAME=VALUE,…', about: 'variables of the call, for {{NAME}} in its texts' },
    'no-follow': { about: 'ends once the call is accepted' },
  },
  examples: [
    'voicectl call +12025550143 --campaign Recall',
    'voicectl call +12025550143 --campaign Recall --set firstName=Ada,due=Monday --no-follow --json',
  ],
  async run(run) {
    const { client, args, options, output, has } = run;
    const toNumber = (args.NUMBER ?? '').replace(/[\s().-]/g, '');
    if (!/^\+[1-9]\d{6,14}$/.test(toNumber))
      throw new Failure(`${args.NUMBER} is no number in E.164, which begins with + and the country: +12025550143`);
    const campaign = await campaignOf(run);
    const from = await numberOf(run, campaign);
    const variables = options.set === undefined ? {} : { variables: pairs(options.set) };
    const placed = await client.calls.place({
      campaignId: campaign.id,
      toNumber,
      fromPhoneNumberId: from.id,
      ...variables,
    });
    if (has('no-follow')) {
      output.line(`${placed.id} ${placed.status}`);
      output.json(placed);
      return EXIT.done;
    }
    return (await follow(run, placed)) === 'FAILED' ? EXIT.negative : EXIT.done;
  },
};

async function campaignOf({ client, options }: Run): Promise<Campaign> {
  if (options.campaign !== undefined) return byName(client.campaigns.list(), options.campaign, 'campaign');
  const all = (await client.campaigns.list().all()).filter(({ phoneNumberIds }) => phoneNumberIds.length > 0);
  const [first] = all;
  if (first === undefined)
    throw new Failure('No campaign has a number to call from. The dashboard or voicectl push makes one.');
  if (all.length > 1) throw new Failure(`Say with --campaign which: ${all.map(({ name }) => name).join(', ')}`);
  return first;
}

async function numberOf({ client, options }: Run, { id, name }: Campaign): Promise<PhoneNumber> {
  const numbers = await client.phoneNumbers.list({ campaignId: id }).all();
  const wanted = options.from;
  const found =
    wanted === undefined
      ? numbers.find(({ isActive }) => isActive)
      : numbers.find((each) => each.phoneNumber === wanted);
  if (found !== undefined) return found;
  const known =
    numbers.length === 0 ? 'It has none' : `It has: ${numbers.map(({ phoneNumber }) => phoneNumber).join(', ')}`;
  throw new Failure(
    `${name} has no ${wanted === undefined ? 'active number' : `number ${wanted}`} to call from. ${known}.`,
  );
}

function pairs(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new Failure(`--set is NAME=VALUE, several with commas between, and not ${pair}`);
      return [pair.slice(0, at).trim(), pair.slice(at + 1)];
    }),
  );
}

const ID = { name: 'ID', about: 'the id of the call' };

export const say: Command = {
  name: 'calls say',
  about: 'The agent of a running call says TEXT as it is, in the next pause.',
  args: [ID, { name: 'TEXT', about: 'its words' }],
  options: { now: { about: 'in place of what it is saying' } },
  examples: ['voicectl calls say call_01h… "A colleague will be with you in a moment."'],
  async run({ client, args, output, has }) {
    output.json(await client.call(args.ID ?? '').say(args.TEXT ?? '', { when: has('now') ? 'now' : 'pause' }));
    output.line('Said.');
    return undefined;
  },
};

export const transfer: Command = {
  name: 'calls transfer',
  about: 'Puts the caller of a running call through.',
  args: [ID, { name: 'TO', about: 'a number in E.164, or sip:USERNAME of a softphone' }],
  examples: ['voicectl calls transfer call_01h… +12025550199'],
  async run({ client, args, output }) {
    output.json(await client.call(args.ID ?? '').transfer(args.TO ?? ''));
    output.line('The caller is being put through.');
    return undefined;
  },
};

export const end: Command = {
  name: 'calls end',
  about: 'Ends a running call at once, or cancels one that is scheduled.',
  args: [ID],
  examples: ['voicectl calls end call_01h…'],
  async run({ client, args, output }) {
    const ended = await client.call(args.ID ?? '').end();
    output.line(`${ended.id} ${ended.status}`);
    output.json(ended);
    return undefined;
  },
};

export const play: Command = {
  name: 'calls play',
  about: 'Plays the recording of a call, the caller left, the agent right; with --out it is written to a file.',
  args: [ID],
  options: { out: { value: 'FILE', about: 'where to write it; - is the standard output', isFile: true } },
  examples: [
    'voicectl calls play call_01h…',
    'voicectl calls play call_01h… --out call.mp3',
    'voicectl calls play call_01h… --out - | ffplay -',
  ],
  async run({ client, args, options, output, surroundings }) {
    const recording = await client.calls.getRecording(args.ID ?? '');
    if (recording.body === null) throw new Failure('The recording is empty');
    if (options.out === '-') {
      for await (const bytes of recording.body) await surroundings.write(bytes as Uint8Array);
      return undefined;
    }
    const type = recording.headers.get('content-type')?.includes('wav') ? 'wav' : 'mp3';
    const folder = options.out === undefined ? await mkdtemp(join(tmpdir(), 'voicectl-')) : null;
    const file = options.out ?? join(folder ?? '', `call.${type}`);
    try {
      await pipeline(Readable.fromWeb(recording.body as never), createWriteStream(file, { mode: 0o600 }));
      if (folder === null) output.line(`Wrote ${file}`);
      else if (!(await surroundings.play(file)))
        throw new Failure('No player of this machine can play it (ffplay, mpv, afplay, play): use --out FILE');
      output.json({ file: folder === null ? file : null, type });
    } finally {
      if (folder !== null) await rm(folder, { recursive: true });
    }
    return undefined;
  },
};
