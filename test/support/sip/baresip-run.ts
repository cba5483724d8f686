// One run of baresip as a telephone: a folder of its own, a microphone, and a recording of what it hears.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { BARESIP_CODECS, type BaresipCodec, microphoneWav } from './baresip-codecs.ts';
import { spawnPeer } from './peers.ts';

export interface BaresipRun {
  /** 0: any. */
  port: number;
  seconds: number;
  /** Plays it after `leadMs`, then stays silent. */
  microphone: Int16Array;
  leadMs: number;
  /** The only codec that it takes. */
  codec: BaresipCodec;
  user: string;
  /** Parameters of its account. */
  parameters: string;
  /** Modules besides those of every run. */
  modules?: readonly string[];
  /** Words of its command line. */
  args?: readonly string[];
}

export interface BaresipResult {
  output: string;
  /** The WAV it recorded of the other side, or null if there is none. */
  heard: Buffer | null;
}

export function runBaresip(run: BaresipRun): { done: Promise<BaresipResult>; stop(): void } {
  const folder = temporaryFolder('baresip');
  const recordings = join(folder, 'rec');
  mkdirSync(recordings);
  const { account, module, rateHz } = BARESIP_CODECS[run.codec];
  const microphone = join(folder, 'mic.wav');
  writeFileSync(microphone, microphoneWav(run.codec, run));
  const modules = ['stdio', ...(run.modules ?? []), module, 'aufile', 'aubridge', 'sndfile'];
  const config = [
    'module_path /usr/lib/baresip/modules',
    `sip_listen 127.0.0.1:${run.port}`,
    'audio_player aubridge,nil',
    `audio_source aufile,${microphone}`,
    'audio_alert aubridge,nil',
    'audio_buffer 20-160',
    `ausrc_srate ${rateHz}`,
    `auplay_srate ${rateHz}`,
    'net_interface 127.0.0.1',
    'rtp_timeout 60',
    `snd_path ${recordings}`,
    ...modules.map((name) => `module ${name}.so`),
    'module_app account.so',
    'module_app menu.so',
    '',
  ];
  writeFileSync(join(folder, 'config'), config.join('\n'));
  const address = `<sip:${run.user}@127.0.0.1>;regint=0;${run.parameters}audio_codecs=${account}`;
  writeFileSync(join(folder, 'accounts'), `${address}\n`);
  writeFileSync(join(folder, 'contacts'), '');
  const child = spawnPeer('baresip', ['-f', folder, ...(run.args ?? []), '-t', String(run.seconds)]);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data) => {
      output += data;
    });
  const limit = setTimeout(() => child.kill('SIGKILL'), (run.seconds + 15) * 1000);
  const done = new Promise<void>((resolve) => child.on('close', () => resolve())).then(() => {
    clearTimeout(limit);
    const decoded = readdirSync(recordings).find((file) => file.includes('dec'));
    return { output, heard: decoded ? readFileSync(join(recordings, decoded)) : null };
  });
  return { done, stop: () => child.kill('SIGINT') };
}
