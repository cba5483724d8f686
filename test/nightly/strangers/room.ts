// A room with a microphone and a loudspeaker, for a browser on a machine without either: PulseAudio with two devices
// that exist in it alone. Sound is played into the microphone, and what the loudspeaker plays is heard.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { encodeWav } from '../../../media/wav.ts';

const RATE_HZ = 48_000;
/** Louder than this is sound, of 32,767. */
const LOUD = 300;

/** Why it is skipped. */
export const missingRoom =
  !existsSync('/usr/bin/pulseaudio') && 'PulseAudio is not installed (apt-get install pulseaudio)';

export class Room {
  /** For a program that uses its devices. */
  readonly environment: Record<string, string>;
  readonly #folder = temporaryFolder('voice-room');
  readonly #server: ChildProcess;
  readonly #listening: ChildProcess;
  #loudSamples = 0;

  private constructor() {
    const socket = join(this.#folder, 'sound');
    this.environment = { PULSE_SERVER: `unix:${socket}` };
    const modules = [
      `module-native-protocol-unix auth-anonymous=1 socket=${socket}`,
      `module-null-sink sink_name=loudspeaker rate=${RATE_HZ}`,
      `module-null-sink sink_name=mouth rate=${RATE_HZ}`,
      'module-remap-source master=mouth.monitor source_name=microphone',
    ];
    this.#server = spawn(
      'pulseaudio',
      ['-n', '--daemonize=no', '--exit-idle-time=-1', ...modules.flatMap((module) => ['-L', module])],
      { stdio: 'ignore', env: { ...process.env, HOME: this.#folder, XDG_RUNTIME_DIR: this.#folder } },
    );
    for (let tries = 0; !this.#command('info'); tries++) {
      if (tries > 100) throw new Error('PulseAudio does not answer');
      execFileSync('sleep', ['0.1']);
    }
    this.#command('set-default-sink', 'loudspeaker');
    this.#command('set-default-source', 'microphone');
    this.#listening = this.#spawn('parec', [
      ...['--device=loudspeaker.monitor', '--format=s16le', '--channels=1', `--rate=${RATE_HZ}`, '--latency-msec=50'],
    ]);
    this.#listening.stdout?.on('data', (data: Buffer) => {
      for (let at = 0; at + 1 < data.length; at += 2) if (Math.abs(data.readInt16LE(at)) > LOUD) this.#loudSamples++;
    });
  }

  static open = (): Room => new Room();

  /** Seconds of sound from the loudspeaker so far. */
  get heardS(): number {
    return Math.round((this.#loudSamples / RATE_HZ) * 100) / 100;
  }

  /** Speaks into the microphone, and resolves at the last word. `samples`: at 48 kHz. */
  async say(samples: Int16Array): Promise<void> {
    const path = join(this.#folder, 'said.wav');
    writeFileSync(path, encodeWav({ sampleRateHz: RATE_HZ, channels: 1 }, samples));
    const playing = this.#spawn('paplay', ['--device=mouth', path]);
    await new Promise((resolve) => playing.once('exit', resolve));
  }

  close(): void {
    this.#listening.kill();
    this.#server.kill();
  }

  #spawn = (program: string, options: string[]): ChildProcess =>
    spawn(program, options, { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, ...this.environment } });

  #command(...options: string[]): boolean {
    try {
      execFileSync('pactl', options, { stdio: 'ignore', env: { ...process.env, ...this.environment } });
      return true;
    } catch {
      return false;
    }
  }
}
