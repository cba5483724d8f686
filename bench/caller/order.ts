// The command line of `npm run caller`, checked before the call is placed: nothing is found wrong after it.
import { lookup } from 'node:dns/promises';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { VoiceCodecName } from '../../db/domain/trunk-defaults.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { SipTarget } from '../../engine/test-runs/caller/phone/phone-call.ts';
import { parseTarget } from '../../engine/test-runs/caller/sip.ts';
import { resampleWhole } from '../../engine/test-runs/caller/speech.ts';
import { callerVoices, isOwnVoice } from '../../engine/test-runs/caller/voice.ts';
import { CODEC_RATES } from '../../media/rtp/voice-codec.ts';
import { decodeWav } from '../../media/wav.ts';

export const USAGE = `usage: npm run caller -- SIP-ADDRESS [options]
       npm run caller -- scenario FILE SIP-ADDRESS [--seed N]
       npm run caller -- conformance SIP-ADDRESS [options; --help]
       npm run caller -- benchmark SIP-ADDRESS --out DIR
       npm run caller -- callee --out DIR [options]
  SIP-ADDRESS          e.g. sip:demo@127.0.0.1:5060
  --say TEXT           speak this after the greeting; give it several times for several turns
  --wav FILE           speak a WAV file (any rate, mono or stereo)
  --voice ID           voice of --say (default flite-slt, different from the agent's)
  --digits 12#         press these keys after the greeting
  --barge-in-ms N      begin to speak N ms after the agent began, over its voice
  --record FILE        write the audio (left: the caller, right: the agent)
  --codec NAME         pcmu (default), pcma, g722 or opus: the only offered codec
  --from NUMBER        number to call from (default +15550199001)
  --seconds N          hang up after at most N seconds (default 60)
  --json               print one JSON object in place of lines
  --help               this text
  conformance          some 30 cases of SIP and RTP against any agent, each passed, failed or refused
  benchmark            measures any SIP address (docs/benchmark.md)
  callee               answers calls as a voicemail or a person, and tells what the caller did
  scenario FILE        plays a conversation (docs/conversation.md) and prints the agent's reaction to each cue
  exit code            0: the call was answered and ended properly, 1: it was not, 2: the command is not understood`;

export interface Order {
  /** With an address for its host. */
  target: SipTarget;
  say: readonly string[];
  /** Samples at 8 kHz. */
  wav: { label: string; samples: Int16Array } | null;
  voice: string;
  digits: string | null;
  bargeInMs: number | null;
  record: string | null;
  codec: VoiceCodecName;
  from: string;
  seconds: number;
  json: boolean;
}

/** Told in one line. */
export class WrongOrder extends Error {}

const OPTIONS = {
  say: { type: 'string', multiple: true },
  wav: { type: 'string' },
  voice: { type: 'string', default: 'flite-slt' },
  digits: { type: 'string' },
  'barge-in-ms': { type: 'string' },
  record: { type: 'string' },
  codec: { type: 'string', default: 'pcmu' },
  from: { type: 'string', default: '+15550199001' },
  seconds: { type: 'string', default: '60' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

interface Surroundings {
  environment: Record<string, string | undefined>;
  /** An IPv4 address of that host. */
  lookUp(host: string): Promise<string>;
}

const REAL: Surroundings = {
  environment: process.env,
  lookUp: async (host) => (await lookup(host, 4)).address,
};

/** Null where help is asked for. @throws {WrongOrder} */
export async function readOrder(args: readonly string[], around: Surroundings = REAL): Promise<Order | null> {
  const { values, positionals } = parsed(args);
  if (values.help) return null;
  const [address, ...more] = positionals;
  if (address === undefined)
    throw new WrongOrder('which address is to be called? For instance sip:demo@127.0.0.1:5060; see --help');
  if (more.length > 0)
    throw new WrongOrder(`"${more.join(' ')}" follows the address ${address}: put texts of several words in quotes`);
  const seconds = Number(values.seconds);
  if (!(seconds > 0)) throw new WrongOrder(`--seconds: "${values.seconds}" is no number above 0`);
  const bargeInMs = values['barge-in-ms'] === undefined ? null : Number(values['barge-in-ms']);
  if (bargeInMs !== null && !(bargeInMs >= 0))
    throw new WrongOrder(`--barge-in-ms: "${values['barge-in-ms']}" is no number of milliseconds`);
  if (values.digits !== undefined && !/^[0-9*#A-D]+$/i.test(values.digits))
    throw new WrongOrder(`--digits: "${values.digits}" has other keys than 0-9 * # A-D`);
  if (!/^[+\w.*#~-]{1,64}$/.test(values.from))
    throw new WrongOrder(`--from: "${values.from}" is no number such as +15550199001, nor a name without spaces`);
  return {
    say: values.say ?? [],
    voice: knownVoice(values.voice, around.environment),
    digits: values.digits ?? null,
    bargeInMs,
    record: values.record === undefined ? null : writable(values.record),
    codec: knownCodec(values.codec),
    from: values.from,
    seconds,
    json: values.json,
    wav: values.wav === undefined ? null : readWav(values.wav),
    target: await reached(address, around),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  } catch (error) {
    // Node adds how an argument is written that begins with a dash.
    throw new WrongOrder(`${messageOf(error).split('. To specify')[0]}; see --help`);
  }
}

function knownCodec(name: string): VoiceCodecName {
  const codec = Object.keys(CODEC_RATES).find((each): each is VoiceCodecName => each === name.toUpperCase());
  if (codec === undefined) throw new WrongOrder(`--codec: "${name}" is none of pcmu, pcma, g722, opus`);
  return codec;
}

function knownVoice(id: string, environment: Surroundings['environment']): string {
  const voices = callerVoices(environment);
  if (voices.includes(id) || isOwnVoice(id, environment)) return id;
  throw new WrongOrder(
    `--voice: there is no "${id}" here, but ${voices.join(', ')}; npm run models -- list has others to download`,
  );
}

function writable(path: string): string {
  const folder = dirname(resolve(path));
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new WrongOrder(`--record: there is no folder ${folder}`);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new WrongOrder(`--record: ${path} is a folder`);
  return path;
}

function readWav(path: string): NonNullable<Order['wav']> {
  try {
    const wav = decodeWav(readFileSync(path));
    const mono = wav.channelsSamples[0] ?? new Int16Array(0);
    return { label: path, samples: resampleWhole(mono, wav.sampleRateHz, 8_000) };
  } catch (error) {
    throw new WrongOrder(`--wav ${path}: ${messageOf(error)}`);
  }
}

async function reached(address: string, { lookUp }: Surroundings): Promise<SipTarget> {
  const target = readTarget(address);
  if (isIP(target.host) === 4) return target;
  if (isIP(target.host) === 6) throw new WrongOrder(`${target.host}: the simulated caller speaks IPv4 only`);
  try {
    return { ...target, host: await lookUp(target.host) };
  } catch (error) {
    throw new WrongOrder(`${target.host} has no IPv4 address: ${messageOf(error)}`);
  }
}

function readTarget(address: string): SipTarget {
  try {
    return parseTarget(address);
  } catch (error) {
    throw new WrongOrder(messageOf(error));
  }
}
