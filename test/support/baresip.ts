// baresip as an independent softphone: a WAV is its microphone, what it hears is recorded.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeWav } from '../../media/wav.ts';
import { spawnPeer } from './peers.ts';

export interface BaresipCall {
  /** Seconds until baresip quits; it hangs up first. */
  seconds: number;
  target: string;
  /** PCM16 at 8 kHz, played after `leadMs` of silence. */
  microphone: Int16Array;
  leadMs: number;
}

export interface BaresipResult {
  output: string;
  /** The WAV that baresip decoded from the agent; null if there was none. */
  heard: Buffer | null;
}

const RATE = 8_000;

/** Calls `target`, speaks, hangs up after `seconds`. */
export async function callWithBaresip(call: BaresipCall): Promise<BaresipResult> {
  const folder = mkdtempSync(join(tmpdir(), 'baresip-'));
  const recordings = join(folder, 'rec');
  mkdirSync(recordings);
  const lead = Math.round((call.leadMs / 1000) * RATE);
  const tail = Math.max(0, call.seconds * RATE - lead - call.microphone.length);
  const samples = new Int16Array(lead + call.microphone.length + tail);
  samples.set(call.microphone, lead);
  writeFileSync(join(folder, 'mic.wav'), encodeWav({ channels: 1, sampleRateHz: RATE }, samples));
  writeFileSync(
    join(folder, 'config'),
    [
      'module_path /usr/lib/baresip/modules',
      'sip_listen 127.0.0.1:0',
      'audio_player aubridge,nil',
      `audio_source aufile,${join(folder, 'mic.wav')}`,
      'audio_alert aubridge,nil',
      'audio_buffer 20-160',
      'ausrc_srate 8000',
      'auplay_srate 8000',
      'net_interface 127.0.0.1',
      'rtp_timeout 60',
      `snd_path ${recordings}`,
      'module stdio.so',
      'module g711.so',
      'module aufile.so',
      'module aubridge.so',
      'module sndfile.so',
      'module_app account.so',
      'module_app menu.so',
      '',
    ].join('\n'),
  );
  writeFileSync(join(folder, 'accounts'), '<sip:tester@127.0.0.1>;regint=0;audio_codecs=PCMU/8000/1\n');
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
