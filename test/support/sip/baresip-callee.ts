// baresip as an independent callee: answers automatically and records the heard audio.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BARESIP_CODECS, type BaresipCodec, microphoneWav } from './baresip-codecs.ts';
import { spawnPeer } from './peers.ts';

/** Waits `seconds` for calls to `user` on `port`; plays `microphone` after `leadMs`, then stays silent. */
export function answerWithBaresip(options: {
  user: string;
  port: number;
  seconds: number;
  microphone: Int16Array;
  leadMs: number;
  /** The only accepted codec. */
  codec: BaresipCodec;
}): { done: Promise<{ output: string; heard: Buffer | null }>; stop(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'baresip-callee-'));
  const recordings = join(folder, 'rec');
  mkdirSync(recordings);
  const { account, module, rateHz } = BARESIP_CODECS[options.codec];
  writeFileSync(join(folder, 'mic.wav'), microphoneWav(options.codec, options));
  writeFileSync(
    join(folder, 'config'),
    [
      'module_path /usr/lib/baresip/modules',
      `sip_listen 127.0.0.1:${options.port}`,
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
  const address = `<sip:${options.user}@127.0.0.1>;regint=0;answermode=auto;audio_codecs=${account}\n`;
  writeFileSync(join(folder, 'accounts'), address);
  writeFileSync(join(folder, 'contacts'), '');
  const child = spawnPeer('baresip', ['-f', folder, '-t', String(options.seconds)]);
  let output = '';
  child.stdout?.on('data', (data) => {
    output += data;
  });
  child.stderr?.on('data', (data) => {
    output += data;
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), (options.seconds + 15) * 1000);
  const done = new Promise<void>((resolve) => child.on('close', () => resolve())).then(() => {
    clearTimeout(limit);
    const decoded = readdirSync(recordings).find((file) => file.includes('dec'));
    return { output, heard: decoded ? readFileSync(join(recordings, decoded)) : null };
  });
  return { done, stop: () => child.kill('SIGINT') };
}
