// baresip as an independent softphone: a WAV is its microphone, what it hears is recorded.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resampleWhole } from '../../bench/caller/speech.ts';
import { encodeWav } from '../../media/wav.ts';
import { spawnPeer } from './peers.ts';

export interface BaresipCall {
  /** Seconds until baresip quits; it hangs up first. */
  seconds: number;
  target: string;
  /** PCM16 at 8 kHz, played after `leadMs` of silence. */
  microphone: Int16Array;
  leadMs: number;
  /** User part of its address; `tester` if left out. */
  user?: string;
  /** The only codec that it offers; PCMU if left out. */
  codec?: BaresipCodec;
}

export type BaresipCodec = 'PCMU' | 'G722' | 'OPUS';

/** As baresip names them, and the format that it wants of its microphone. */
const CODECS: Record<BaresipCodec, { account: string; module: string; rateHz: number; channels: number }> = {
  PCMU: { account: 'PCMU/8000/1', module: 'g711', rateHz: 8_000, channels: 1 },
  G722: { account: 'G722/16000/1', module: 'g722', rateHz: 16_000, channels: 1 },
  OPUS: { account: 'opus/48000/2', module: 'opus', rateHz: 48_000, channels: 2 },
};

export interface BaresipResult {
  output: string;
  /** The WAV that baresip decoded from the agent; null if there was none. */
  heard: Buffer | null;
}

const MICROPHONE_HZ = 8_000;

/** Calls `target`, speaks, hangs up after `seconds`. */
export async function callWithBaresip(call: BaresipCall): Promise<BaresipResult> {
  const folder = mkdtempSync(join(tmpdir(), 'baresip-'));
  const recordings = join(folder, 'rec');
  mkdirSync(recordings);
  const { account, module, rateHz, channels } = CODECS[call.codec ?? 'PCMU'];
  const speech = resampleWhole(call.microphone, MICROPHONE_HZ, rateHz);
  const lead = Math.round((call.leadMs / 1000) * rateHz);
  const tail = Math.max(0, call.seconds * rateHz - lead - speech.length);
  const samples = new Int16Array((lead + speech.length + tail) * channels);
  for (let n = 0; n < speech.length * channels; n++) {
    samples[lead * channels + n] = speech[Math.floor(n / channels)] as number;
  }
  writeFileSync(join(folder, 'mic.wav'), encodeWav({ channels, sampleRateHz: rateHz }, samples));
  writeFileSync(
    join(folder, 'config'),
    [
      'module_path /usr/lib/baresip/modules',
      'sip_listen 127.0.0.1:0',
      'audio_player aubridge,nil',
      `audio_source aufile,${join(folder, 'mic.wav')}`,
      'audio_alert aubridge,nil',
      'audio_buffer 20-160',
      `ausrc_srate ${rateHz}`,
      `auplay_srate ${rateHz}`,
      'net_interface 127.0.0.1',
      'rtp_timeout 60',
      `snd_path ${recordings}`,
      'module stdio.so',
      `module ${module}.so`,
      'module aufile.so',
      'module aubridge.so',
      'module sndfile.so',
      'module_app account.so',
      'module_app menu.so',
      '',
    ].join('\n'),
  );
  writeFileSync(
    join(folder, 'accounts'),
    `<sip:${call.user ?? 'tester'}@127.0.0.1>;regint=0;audio_codecs=${account}\n`,
  );
  writeFileSync(join(folder, 'contacts'), '');
  const child = spawnPeer('baresip', ['-f', folder, '-e', `/dial ${call.target}`, '-t', String(call.seconds)]);
  let output = '';
  child.stdout?.on('data', (data) => {
    output += data;
  });
  child.stderr?.on('data', (data) => {
    output += data;
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), (call.seconds + 15) * 1000);
  await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(limit);
  const decoded = readdirSync(recordings).find((file) => file.includes('dec'));
  return { output, heard: decoded ? readFileSync(join(recordings, decoded)) : null };
}
