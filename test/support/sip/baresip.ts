// baresip as an independent softphone: a WAV is its microphone, and it records the heard audio.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BARESIP_CODECS, type BaresipCodec, microphoneWav } from './baresip-codecs.ts';
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
  /** The only offered codec; PCMU if left out. */
  codec?: BaresipCodec;
  /** Keys by SDP or by DTLS, or nothing; clear speech if left out. */
  encryption?: 'srtp-mand' | 'dtls_srtp';
}

export interface BaresipResult {
  output: string;
  /** The WAV that baresip decoded from the agent; null if there was none. */
  heard: Buffer | null;
}

/** Calls `target`, speaks, hangs up after `seconds`. */
export async function callWithBaresip(call: BaresipCall): Promise<BaresipResult> {
  const folder = mkdtempSync(join(tmpdir(), 'baresip-'));
  const recordings = join(folder, 'rec');
  mkdirSync(recordings);
  const codec = call.codec ?? 'PCMU';
  const { account, module, rateHz } = BARESIP_CODECS[codec];
  writeFileSync(join(folder, 'mic.wav'), microphoneWav(codec, call));
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
      'module srtp.so',
      'module dtls_srtp.so',
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
    `<sip:${call.user ?? 'tester'}@127.0.0.1>;regint=0;audio_codecs=${account}${call.encryption === undefined ? '' : `;mediaenc=${call.encryption}`}\n`,
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
