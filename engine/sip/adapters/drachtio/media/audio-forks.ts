// Audio forks of one FreeSWITCH (mod_audio_fork). A fork counts as started when the module reports that it has joined,
// because the command is answered +OK even when the socket refuses it.
import { DAY_MS } from '../../../../../db/domain/hours/durations.ts';
import { withoutTrailingSlashes } from '../../../../../db/shared/net/base-url.ts';
import { hostPort } from '../../../../../db/shared/net/url-host.ts';
import type { Clock } from '../../../../clock.ts';
import type { AudioFork, LocalAudio } from '../../../telephony.ts';
import type { EventSocket, SwitchEvent } from './event-socket.ts';
import type { MediaListener } from './leg-media.ts';

/** Where forks connect to the engine, if FreeSWITCH cannot reach the address that the shard names. */
export interface ForkSocketAddress {
  publicUrl: string | null;
}

const SUBSCRIPTION =
  'plain DTMF CUSTOM mod_audio_fork::connect mod_audio_fork::connect_failed mod_audio_fork::disconnect mod_audio_fork::error';
const JOIN_MS = 5_000;
/** `sleep` sends silence and ignores keys. */
const SILENCE = 'send_silence_when_idle=-1;sleep_eat_digits=true;playback_terminators=none';
const LONGEST_CALL_MS = DAY_MS;

type ForkCommands = Pick<EventSocket, 'api' | 'execute' | 'subscribe' | 'localAddress'>;

interface Running {
  listener: MediaListener;
  joined(problem: string | null): void;
}

export class AudioForks {
  readonly #address: ForkSocketAddress;
  readonly #clock: Clock;
  /** By channel id. */
  readonly #running = new Map<string, Running>();

  constructor(address: ForkSocketAddress, clock: Clock) {
    this.#address = address;
    this.#clock = clock;
  }

  /** To be called on each new event socket before its use. @throws Error if the module is not loaded */
  async prepare(socket: ForkCommands): Promise<void> {
    if ((await socket.api('module_exists mod_audio_fork')).trim() !== 'true')
      throw new Error('mod_audio_fork is not loaded');
    await socket.subscribe(SUBSCRIPTION);
  }

  /** Resolves when the fork has joined. */
  async start(socket: ForkCommands, channel: string, at: LocalAudio & { fork: AudioFork }, listener: MediaListener) {
    const { callId, token, sampleRateHz } = at.fork;
    const metadata = JSON.stringify({ callId, token });
    const joined = new Promise<void>((resolve, reject) => {
      this.#running.set(channel, {
        listener,
        joined: (problem) => (problem === null ? resolve() : reject(new Error(`no audio fork: ${problem}`))),
      });
    });
    // The socket may refuse it before the answer to the command is read.
    joined.catch(() => {});
    // The module replaces the audio that the channel sends; a channel that waits for commands would send none.
    await socket.api(`uuid_setvar_multi ${channel} ${SILENCE}`);
    await socket.execute(channel, 'sleep', String(LONGEST_CALL_MS));
    const answer = await socket.api(
      `uuid_audio_fork ${channel} start ${this.#url(socket, at)} mono ${sampleRateHz} engine ${metadata} true true ${sampleRateHz}`,
    );
    if (!answer.startsWith('+OK')) throw new Error(`no audio fork: ${answer.trim()}`);
    const cancel = this.#clock.after(JOIN_MS, () => this.#running.get(channel)?.joined('not connected in time'));
    await joined.finally(cancel);
  }

  end(channel: string): void {
    this.#running.delete(channel);
  }

  handle({ name, channel, headers }: SwitchEvent): void {
    const fork = this.#running.get(channel);
    if (fork === undefined) return;
    if (name === 'DTMF') {
      const digit = headers.get('DTMF-Digit');
      // FreeSWITCH counts in samples at 8 kHz.
      if (digit !== undefined) fork.listener.digit(digit, Number(headers.get('DTMF-Duration') ?? 0) / 8);
    } else if (name === 'mod_audio_fork::connect') fork.joined(null);
    else if (name === 'mod_audio_fork::disconnect') fork.listener.lost('the audio fork was closed', 'server');
    else fork.joined('the engine could not be reached');
  }

  #url(socket: ForkCommands, { address, port }: LocalAudio): string {
    if (this.#address.publicUrl !== null) return `${withoutTrailingSlashes(this.#address.publicUrl)}/forks`;
    const host = address === '0.0.0.0' || address === '::' ? socket.localAddress : address;
    return `ws://${hostPort(host, port)}/forks`;
  }
}
