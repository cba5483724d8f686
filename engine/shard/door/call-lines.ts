// Opens the line of a call by its kind: ports of RTP, a place at the door for a browser or an audio fork, or the ring
// of a supervisor's microphone.
import type { AudioTransport } from '../../../media/audio-transport.ts';
import { RingTransport } from '../../../media/socket/ring-transport.ts';
import { SocketTransport } from '../../../media/socket/socket-transport.ts';
import type { AudioPath } from '../../../media/webrtc/browser-transport.ts';
import type { OpenCall, ShardTask } from '../protocol.ts';
import { BrowserLine } from './browser-line.ts';
import { openRtp } from './rtp-entrance.ts';
import type { SocketDoor } from './socket-door.ts';

interface CallLine {
  transport: AudioTransport;
  /** Where the far side reaches it; a ring is reached nowhere: '' and 0. */
  address: string;
  port: number;
}

export interface LineListener {
  digit(digit: string): void;
  /** The browser or fork is there, for the first time or again. */
  joined(): void;
  /** Its socket has closed; or (`not-rejoined`) a browser that was here before has not come back in time. */
  gone(reason: 'socket-closed' | 'not-rejoined'): void;
  /** The browser's audio takes another path. */
  pathTaken(path: AudioPath): void;
  failed(error: unknown): void;
  /** Runs an action so that an exception ends only this call. */
  guard(action: () => void): void;
}

interface CallLinesOptions {
  task: ShardTask;
  door: SocketDoor;
  /** The host at which the door is, or will be. */
  doorHost(): string;
  monotonicMs(): number;
}

export class CallLines {
  readonly #options: CallLinesOptions;

  constructor(options: CallLinesOptions) {
    this.#options = options;
  }

  /** @throws {RtpPortError} for want of a port; an error where no socket is served, or a fork's is lost */
  async open(command: OpenCall, listener: LineListener): Promise<CallLine> {
    const { task, monotonicMs } = this.#options;
    const { transport: wanted } = command;
    if (wanted.kind === 'ring')
      return { transport: new RingTransport(wanted.memory, monotonicMs), address: '', port: 0 };
    if (wanted.kind !== 'rtp') return this.#atDoor(command, wanted, listener);
    const { transport, port } = await openRtp(command, task, {
      onDigit: (digit) => listener.digit(digit),
      onFault: (error) => listener.failed(error),
      now: monotonicMs,
    });
    return { transport, address: task.rtpAddress, port };
  }

  #atDoor(
    command: OpenCall,
    { kind, token }: { kind: 'socket' | 'fork'; token: string },
    listener: LineListener,
  ): CallLine {
    const { door, doorHost, monotonicMs } = this.#options;
    const { callId, sampleRateHz, resume } = command;
    // FreeSWITCH's channel has lost its fork with the thread, and opens no other.
    if (resume && kind === 'fork') throw new Error('the call’s socket was lost with its shard');
    // A browser that comes back may be expected before the door is open.
    if (!resume && door.socket === null) throw new Error('no socket is served here');
    const isAwaited = typeof resume?.answeredAtMs === 'number';
    const client = kind === 'fork' ? 'fork' : 'browser';
    const line = kind === 'fork' ? null : this.#browserLine(command, isAwaited, listener);
    const transport = line?.transport ?? new SocketTransport(sampleRateHz, monotonicMs, isAwaited);
    door.expect(
      callId,
      { client, tokenHash: token, transport },
      {
        joined: () => listener.joined(),
        said: (text) => listener.guard(() => (line ? line.take(text) : transport.alive())),
        left: () => listener.gone('socket-closed'),
        missed: () => listener.gone('not-rejoined'),
      },
    );
    return { transport, address: doorHost(), port: door.socket?.port ?? 0 };
  }

  #browserLine({ callId, sampleRateHz }: OpenCall, isAwaited: boolean, listener: LineListener): BrowserLine {
    const { door, monotonicMs } = this.#options;
    return new BrowserLine({
      ...{ callId, sampleRateHz, isAwaited, now: monotonicMs, entrance: () => door.webRtc },
      onDigit: (digit) => listener.digit(digit),
      onFault: (error) => listener.failed(error),
      onPath: (path) => listener.pathTaken(path),
    });
  }
}
