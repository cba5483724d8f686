// baresip as a softphone that is told what to do, over its TCP control port: it registers, dials, answers, holds, sends
// digits.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '../../../bench/rig/network/reserved-port.ts';
import { encodeWav } from '../../../media/wav.ts';
import { spawnPeer } from './peers.ts';

interface PhoneAccount {
  /** With its domain: `alice@127.0.0.1:5060`. */
  address: string;
  transport?: 'udp' | 'tcp';
  /** None: it does not register. */
  password?: string;
  answersItself?: boolean;
}

interface PhoneEvent {
  class?: string;
  type: string;
  peeruri?: string;
  param?: string;
}

const STEP_MS = 50;

export class BaresipPhone {
  readonly port: number;
  readonly events: PhoneEvent[] = [];
  output = '';
  readonly #child: ReturnType<typeof spawnPeer>;
  readonly #recordings: string;
  #control: Socket | null = null;
  #buffered = '';
  readonly #answers: Array<{ ok: boolean; data: string }> = [];

  private constructor(child: ReturnType<typeof spawnPeer>, port: number, recordings: string) {
    this.#child = child;
    this.port = port;
    this.#recordings = recordings;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (data) => {
        this.output += data;
      });
    }
  }

  static async start({ address, transport = 'udp', password, answersItself }: PhoneAccount): Promise<BaresipPhone> {
    const folder = mkdtempSync(join(tmpdir(), 'baresip-phone-'));
    const recordings = join(folder, 'rec');
    mkdirSync(recordings);
    writeFileSync(
      join(folder, 'mic.wav'),
      encodeWav({ channels: 1, sampleRateHz: 8_000 }, new Int16Array(120 * 8_000)),
    );
    const port = await reservePort();
    const controlPort = await reservePort();
    const modules = ['g711', 'aufile', 'aubridge', 'sndfile'].map((name) => `module ${name}.so`);
    const apps = ['account', 'menu', 'ctrl_tcp'].map((name) => `module_app ${name}.so`);
    const config = [
      'module_path /usr/lib/baresip/modules',
      `sip_listen 127.0.0.1:${port}`,
      `ctrl_tcp_listen 127.0.0.1:${controlPort}`,
      'audio_player aubridge,nil',
      `audio_source aufile,${join(folder, 'mic.wav')}`,
      'audio_alert aubridge,nil',
      'ausrc_srate 8000',
      'auplay_srate 8000',
      'net_interface 127.0.0.1',
      `snd_path ${recordings}`,
    ];
    writeFileSync(join(folder, 'config'), `${[...config, ...modules, ...apps].join('\n')}\n`);
    const settings = [
      password === undefined ? 'regint=0' : `auth_pass=${password};regint=60`,
      ...(answersItself ? ['answermode=auto'] : []),
      'audio_codecs=PCMU/8000/1',
    ];
    writeFileSync(join(folder, 'accounts'), `<sip:${address};transport=${transport}>;${settings.join(';')}\n`);
    writeFileSync(join(folder, 'contacts'), '');
    const phone = new BaresipPhone(spawnPeer('baresip', ['-f', folder]), port, recordings);
    await phone.#connect(controlPort);
    return phone;
  }

  async #connect(port: number): Promise<void> {
    await waitFor('baresip is ready', () => this.output.includes('baresip is ready'));
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    socket.on('data', (data) => this.#read(data.toString()));
    socket.on('error', () => {});
    this.#control = socket;
  }

  /** Netstrings: `LENGTH:JSON,`. */
  #read(text: string): void {
    this.#buffered += text;
    for (;;) {
      const colon = this.#buffered.indexOf(':');
      const length = Number(this.#buffered.slice(0, colon));
      if (colon < 0 || this.#buffered.length < colon + length + 2) return;
      const json = JSON.parse(this.#buffered.slice(colon + 1, colon + 1 + length)) as PhoneEvent & {
        response?: boolean;
        ok: boolean;
        data: string;
      };
      this.#buffered = this.#buffered.slice(colon + length + 2);
      if (json.response) this.#answers.push(json);
      else this.events.push(json);
    }
  }

  /** A command of its menu, without the slash; what it prints. */
  async command(command: string, params = ''): Promise<string> {
    const json = JSON.stringify({ command, params, token: 'x' });
    const before = this.#answers.length;
    this.#control?.write(`${Buffer.byteLength(json)}:${json},`);
    await waitFor(`baresip answers ${command}`, () => this.#answers.length > before);
    return this.#answers[before]?.data ?? '';
  }

  /** Waits for an event from `from` on. */
  async event(type: string, from = 0): Promise<PhoneEvent> {
    await waitFor(`${type} of baresip`, () => this.events.slice(from).some((event) => event.type === type), 90_000);
    const found = this.events.slice(from).find((event) => event.type === type);
    if (found === undefined) throw new Error(type);
    return found;
  }

  /** WAV files of what it decoded from the far side, oldest first. */
  heard(): Buffer[] {
    const files = readdirSync(this.#recordings).filter((file) => file.includes('dec'));
    return files.sort().map((file) => readFileSync(join(this.#recordings, file)));
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#child.once('close', () => resolve()));
    this.#control?.destroy();
    this.#child.kill('SIGINT');
    const limit = setTimeout(() => this.#child.kill('SIGKILL'), 5_000);
    await closed;
    clearTimeout(limit);
  }
}

/** @throws Error with `what` after `timeoutMs` */
export async function waitFor(what: string, isSo: () => boolean | Promise<boolean>, timeoutMs = 15_000): Promise<void> {
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += STEP_MS) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  throw new Error(`did not happen: ${what}`);
}
