// The cost of a call's codec: CPU time for each 20 ms frame of speech, encoded and decoded, plus the costs of a
// wideband codec (resampling for voice activity detection) and of encryption.
import { randomBytes } from 'node:crypto';
import type { VoiceCodecName } from '../../db/domain/trunk-defaults.ts';
import { renderSpeech, resampleWhole } from '../../engine/test-runs/caller/speech.ts';
import { FRAME_MS } from '../../media/frame.ts';
import { Resampler } from '../../media/resample.ts';
import { SrtpContext } from '../../media/rtp/srtp.ts';
import { CODEC_RATES, MAX_PACKET_SAMPLES, openVoiceCodec } from '../../media/rtp/voice-codec.ts';
import { table } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';

const USAGE = `usage: npm run bench -- codecs [--seconds N]
  N seconds of speech by each codec (default 120)`;

const SENTENCE = 'I would like to know when you are open on Saturday, and what a haircut costs for two children.';
const CODECS: readonly VoiceCodecName[] = ['PCMU', 'PCMA', 'G722', 'OPUS'];
const MAX_BYTES = 1_500;
const RTP_HEADER_BYTES = 12;
const G711_BYTES = 160;
/** A packet takes so little time that the compiler's work would distort it. */
const SRTP_REPEATS = 20;

/** Mean processor time of `work` over `frames` frames, µs. The first fifth is not counted: it is compiled there. */
function costUs(frames: number, work: (frame: number) => void): number {
  const warm = Math.ceil(frames / 5);
  for (let frame = 0; frame < warm; frame++) work(frame);
  const before = process.cpuUsage();
  for (let frame = 0; frame < frames; frame++) work(frame);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / frames;
}

interface CodecCost {
  codec: VoiceCodecName;
  kbps: number;
  encodeUs: number;
  decodeUs: number;
  /** Bringing the caller's frame to the rate of voice activity detection. */
  resampleUs: number;
  /** Of one core, for a call that speaks and listens all the time. */
  corePercent: number;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

async function measure(name: VoiceCodecName, narrow: Int16Array, frames: number): Promise<CodecCost> {
  const { sampleRateHz } = CODEC_RATES[name];
  const speech = resampleWhole(narrow, 8_000, sampleRateHz);
  const codec = await openVoiceCodec(name);
  const samples = (sampleRateHz * FRAME_MS) / 1_000;
  const inSpeech = Math.floor(speech.length / samples);
  const packets = Array.from({ length: inSpeech }, () => ({ packet: Buffer.alloc(MAX_BYTES), bytes: 0 }));
  const encodeUs = costUs(frames, (frame) => {
    const at = frame % inSpeech;
    const into = packets[at];
    if (into) into.bytes = codec.encode(speech.subarray(at * samples, (at + 1) * samples), into.packet, 0);
  });
  const heard = new Int16Array(MAX_PACKET_SAMPLES);
  const decodeUs = costUs(frames, (frame) => {
    const from = packets[frame % inSpeech];
    if (from) codec.decode(from.packet, 0, from.bytes, heard);
  });
  const toVad = sampleRateHz === 8_000 ? null : new Resampler(sampleRateHz, 8_000);
  const vadUs = toVad ? costUs(frames, () => toVad.process(heard.subarray(0, samples), heard.subarray(samples))) : 0;
  codec.close();
  const bytes = packets.reduce((sum, packet) => sum + packet.bytes, 0) / inSpeech;
  const corePercent = ((encodeUs + decodeUs + vadUs) / (FRAME_MS * 1_000)) * 100;
  return {
    codec: name,
    kbps: rounded((bytes * 8) / FRAME_MS),
    encodeUs: rounded(encodeUs),
    decodeUs: rounded(decodeUs),
    resampleUs: rounded(vadUs),
    corePercent: Math.round(corePercent * 100) / 100,
  };
}

/** A packet of G.711 each way, as SRTP. */
function measureSrtp(frames: number): { encryptUs: number; decryptUs: number } {
  const keySalt = randomBytes(30).toString('base64');
  const [near, far] = [new SrtpContext(keySalt), new SrtpContext(keySalt)];
  const all = Math.ceil(frames / 5) + frames;
  const packets: Buffer[] = Array.from({ length: all }, (_, sequence) => {
    const packet = randomBytes(RTP_HEADER_BYTES + G711_BYTES);
    packet.writeUInt16BE(sequence & 0xffff, 2);
    packet.writeUInt32BE(1, 8);
    return packet;
  });
  let at = 0;
  const encryptUs = costUs(frames, () => {
    packets[at] = near.protect(packets[at++] ?? Buffer.alloc(0), RTP_HEADER_BYTES);
  });
  at = 0;
  let refused = 0;
  const decryptUs = costUs(frames, () => {
    if (far.unprotect(packets[at++] ?? Buffer.alloc(0), RTP_HEADER_BYTES) === null) refused++;
  });
  if (refused > 0) throw new Error(`${refused} packets were not what was sent`);
  return { encryptUs: rounded(encryptUs), decryptUs: rounded(decryptUs) };
}

export default part(USAGE, { seconds: 120 }, async ({ seconds }) => {
  const speech = await renderSpeech(SENTENCE, 'flite-slt');
  const costs: CodecCost[] = [];
  for (const name of CODECS) costs.push(await measure(name, speech, (seconds * 1_000) / FRAME_MS));
  const srtp = measureSrtp((SRTP_REPEATS * seconds * 1_000) / FRAME_MS);
  const srtpPercent = Math.round(((srtp.encryptUs + srtp.decryptUs) / (FRAME_MS * 1_000)) * 10_000) / 100;
  const lines = table(
    ['codec', 'kbit/s', 'encode µs', 'decode µs', 'to 8 kHz µs', '% of a core'],
    [
      ...costs.map(({ codec, kbps, encodeUs, decodeUs, resampleUs, corePercent }) => [
        codec,
        kbps,
        encodeUs,
        decodeUs,
        resampleUs,
        corePercent,
      ]),
      ['SRTP beside it', '', srtp.encryptUs, srtp.decryptUs, '', srtpPercent],
    ],
  );
  return { title: 'What a codec costs one call, for each frame of 20 ms', lines, data: { costs, srtp } };
});
